#include "vulkan/driver.h"

#include <mutex>

#include "base/log.h"
#include "base/native.h"

namespace vmaf {
namespace {

template <class Type> bool resolve(PFN_vkVoidFunction found, const char *name, Type &entry)
{
    entry = reinterpret_cast<Type>(found);
    if (entry == nullptr)
        log(LogLevel::error, "vulkan: the driver has no %s", name);
    return entry != nullptr;
}

/// Every entry point, as `find` finds it by name.
template <class Calls, class Find> Result<Calls> found_calls(Find find)
{
    Calls calls;
    const auto fill = [&](const char *name, auto &entry) { return resolve(find(name), name, entry); };
    return calls.fill_all(fill) ? Result<Calls>(calls) : Status::error(ENOSYS);
}

Status resolve_all(void *library, VulkanLoader &loader)
{
    loader.GetInstanceProcAddr =
        reinterpret_cast<PFN_vkGetInstanceProcAddr>(library_symbol(library, "vkGetInstanceProcAddr"));
    if (loader.GetInstanceProcAddr != nullptr)
        loader.EnumerateInstanceVersion = reinterpret_cast<PFN_vkEnumerateInstanceVersion>(
            loader.GetInstanceProcAddr(nullptr, "vkEnumerateInstanceVersion"));
    std::uint32_t version = 0;
    if (loader.EnumerateInstanceVersion == nullptr || loader.EnumerateInstanceVersion(&version) != VK_SUCCESS ||
        version < VK_API_VERSION_1_2) {
        log(LogLevel::info, "vulkan: %s is older than Vulkan 1.2", kVulkanLoader);
        return Status::error(ENODEV);
    }
    return resolve(loader.GetInstanceProcAddr(nullptr, "vkCreateInstance"), "vkCreateInstance", loader.CreateInstance)
               ? Status()
               : Status::error(ENOSYS);
}

} // namespace

Result<const VulkanLoader *> VulkanLoader::get()
{
    static std::mutex mutex;
    static VulkanLoader loader;
    static bool loaded = false;
    const std::lock_guard lock(mutex);
    if (loaded)
        return &loader;

    void *library = open_library(kVulkanLoader);
    if (library == nullptr) {
        log(LogLevel::info, "vulkan: %s", library_error());
        return Status::error(ENODEV);
    }
    if (const Status status = resolve_all(library, loader); !status.ok()) {
        close_library(library);
        return status;
    }
    loaded = true;
    return &loader;
}

Result<VulkanInstanceCalls> VulkanInstanceCalls::of(const VulkanLoader &loader, VkInstance instance)
{
    return found_calls<VulkanInstanceCalls>(
        [&](const char *name) { return loader.GetInstanceProcAddr(instance, name); });
}

Result<VulkanDeviceCalls> VulkanDeviceCalls::of(const VulkanInstanceCalls &instance, VkDevice device)
{
    return found_calls<VulkanDeviceCalls>([&](const char *name) { return instance.GetDeviceProcAddr(device, name); });
}

} // namespace vmaf
