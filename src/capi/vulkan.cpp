#include <vector>

#include "capi/c_boundary.h"
#include "capi/context.h"
#include "capi/device.h"
#include "capi/list.h"
#include "capi/visibility.h"
#include "engine/vulkan/device.h"
#include "feature/vulkan_backends.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"
#include "vulkan/instance.h"

using namespace vmaf;

/// The client's handle. Sessions that imported it share the context.
struct VmafVulkanState {
    VulkanContextPtr context;
    VmafVulkanCheck check = VMAF_VULKAN_CHECK_FALL_BACK;
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

VmafVulkanDeviceType type_of(VkPhysicalDeviceType type)
{
    static_assert(int{VMAF_VULKAN_DEVICE_OTHER} == VK_PHYSICAL_DEVICE_TYPE_OTHER &&
                  int{VMAF_VULKAN_DEVICE_INTEGRATED} == VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU &&
                  int{VMAF_VULKAN_DEVICE_DISCRETE} == VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU &&
                  int{VMAF_VULKAN_DEVICE_VIRTUAL} == VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU &&
                  int{VMAF_VULKAN_DEVICE_SOFTWARE} == VK_PHYSICAL_DEVICE_TYPE_CPU);
    return type > VK_PHYSICAL_DEVICE_TYPE_CPU ? VMAF_VULKAN_DEVICE_OTHER : static_cast<VmafVulkanDeviceType>(type);
}

/// The devices of the process, with the texts that their descriptions point to.
struct ShownDevices {
    ShownDevices() : facts(vulkan_devices())
    {
        for (unsigned i = 0; i < facts.size(); ++i)
            infos.push_back(
                {i, facts[i].name.c_str(), type_of(facts[i].type), facts[i].driver.c_str(), facts[i].memory_bytes});
    }

    std::vector<VulkanDeviceFacts> facts;
    std::vector<VmafVulkanDeviceInfo> infos;
};

} // namespace

bool vmaf::runs_on_vulkan(const FeatureSpec &feature)
{
    return find_vulkan_backend(feature) != nullptr;
}

VMAF_PUBLIC const VmafVulkanDeviceInfo *vmaf_vulkan_device_list(const VmafVulkanDeviceInfo *previous)
{
    try {
        static const ShownDevices kShown;
        return next_info(kShown.infos, previous, [](const VmafVulkanDeviceInfo &info) { return &info; });
    } catch (const std::bad_alloc &) {
        return nullptr; // the next call asks again
    }
}

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

VMAF_PUBLIC int vmaf_vulkan_state_check(VmafVulkanState *state, VmafVulkanCheck check)
{
    return c_boundary("vmaf_vulkan_state_check", [&]() -> Status {
        if (state == nullptr || check < VMAF_VULKAN_CHECK_FALL_BACK || check > VMAF_VULKAN_CHECK_NONE)
            return Status::error(EINVAL);
        state->check = check;
        return {};
    });
}

VMAF_PUBLIC int vmaf_vulkan_import_state(VmafContext *vmaf, VmafVulkanState *state)
{
    return c_boundary("vmaf_vulkan_import_state", [&]() -> Status {
        if (vmaf == nullptr || state == nullptr)
            return Status::error(EINVAL);
        return vmaf->session->attach(std::make_unique<VulkanDevice>(state->context, state->check));
    });
}

VMAF_PUBLIC int vmaf_vulkan_state_free(VmafVulkanState *state)
{
    return c_boundary("vmaf_vulkan_state_free", [&]() -> Status {
        delete state;
        return {};
    });
}
