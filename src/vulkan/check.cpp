#include "vulkan/check.h"

#include <cstring>

#include "base/log.h"

namespace vmaf {
namespace {

struct KnownResult {
    VkResult result;
    const char *name;
    int errno_value;
};

constexpr KnownResult kKnownResults[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY", ENOMEM},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, "VK_ERROR_OUT_OF_DEVICE_MEMORY", ENOMEM},
    {VK_ERROR_TOO_MANY_OBJECTS, "VK_ERROR_TOO_MANY_OBJECTS", ENOMEM},
    {VK_ERROR_MEMORY_MAP_FAILED, "VK_ERROR_MEMORY_MAP_FAILED", ENOMEM},
    {VK_ERROR_INITIALIZATION_FAILED, "VK_ERROR_INITIALIZATION_FAILED", ENODEV},
    {VK_ERROR_INCOMPATIBLE_DRIVER, "VK_ERROR_INCOMPATIBLE_DRIVER", ENODEV},
    {VK_ERROR_FEATURE_NOT_PRESENT, "VK_ERROR_FEATURE_NOT_PRESENT", ENOTSUP},
    {VK_ERROR_EXTENSION_NOT_PRESENT, "VK_ERROR_EXTENSION_NOT_PRESENT", ENOTSUP},
    {VK_ERROR_DEVICE_LOST, "VK_ERROR_DEVICE_LOST", EIO},
};

} // namespace

Status vulkan_checked(VkResult result, const char *file, int line, const char *text)
{
    if (result >= VK_SUCCESS)
        return {};
    KnownResult known{result, "unknown error", EIO};
    for (const KnownResult &one : kKnownResults)
        if (one.result == result)
            known = one;
    const char *const slash = std::strrchr(file, '/');
    log(failure_level(), "vulkan: %s:%d: %s: %s (%d)", slash != nullptr ? slash + 1 : file, line, text, known.name,
        static_cast<int>(result));
    return Status::error(known.errno_value);
}

} // namespace vmaf
