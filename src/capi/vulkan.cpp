#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/visibility.h"
#include "engine/vulkan/device.h"
#include "libvmaf/libvmaf_vulkan.h"

using namespace vmaf;

/// The client's handle. Sessions that imported it share the context.
struct VmafVulkanState {
    VulkanContextPtr context;
};

namespace {

Result<VulkanContextPtr> create_context(const VmafVulkanConfiguration &config)
{
    if (config.instance == nullptr && config.physical_device == nullptr && config.logical_device == nullptr)
        return VulkanContext::create(config.device);
    if (config.instance == nullptr || config.physical_device == nullptr || config.logical_device == nullptr) {
        log(LogLevel::error, "vmaf_vulkan_state_init: instance and devices are given all three or not at all");
        return Status::error(EINVAL);
    }
    return VulkanContext::create(VulkanClientDevice{
        static_cast<VkInstance>(config.instance), static_cast<VkPhysicalDevice>(config.physical_device),
        static_cast<VkDevice>(config.logical_device), config.queue_family, config.queue_index});
}

} // namespace

VMAF_PUBLIC int vmaf_vulkan_state_init(VmafVulkanState **state, VmafVulkanConfiguration config)
{
    return c_boundary("vmaf_vulkan_state_init", [&]() -> Status {
        if (state == nullptr)
            return Status::error(EINVAL);
        *state = nullptr;
        auto made = std::make_unique<VmafVulkanState>();
        VMAF_TRY_ASSIGN(made->context, create_context(config));
        *state = made.release();
        return {};
    });
}

VMAF_PUBLIC int vmaf_vulkan_import_state(VmafContext *vmaf, VmafVulkanState *state)
{
    return c_boundary("vmaf_vulkan_import_state", [&]() -> Status {
        if (vmaf == nullptr || state == nullptr)
            return Status::error(EINVAL);
        return vmaf->session->attach(std::make_unique<VulkanDevice>(state->context));
    });
}

VMAF_PUBLIC int vmaf_vulkan_state_free(VmafVulkanState *state)
{
    return c_boundary("vmaf_vulkan_state_free", [&]() -> Status {
        delete state;
        return {};
    });
}
