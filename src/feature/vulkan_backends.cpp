#include "feature/vulkan_backends.h"

#include <array>

namespace vmaf {

const VulkanBackend *find_vulkan_backend(const FeatureSpec &spec)
{
    static constexpr std::array kBackends{VMAF_VULKAN_BACKEND_POINTERS};
    for (const VulkanBackend *backend : kBackends)
        if (backend->spec == &spec)
            return backend;
    return nullptr;
}

} // namespace vmaf
