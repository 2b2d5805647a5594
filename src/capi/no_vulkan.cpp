#include <cerrno>

#include "capi/device.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/libvmaf_vulkan.h"

// The Vulkan calls of a build without Vulkan (spec vulkan 1), as in no_cuda.cpp.

bool vmaf::runs_on_vulkan(const FeatureSpec &)
{
    return false;
}

VMAF_PUBLIC const VmafVulkanDeviceInfo *vmaf_vulkan_device_list(const VmafVulkanDeviceInfo *)
{
    return nullptr;
}

VMAF_PUBLIC int vmaf_vulkan_state_init(VmafVulkanState **state, VmafVulkanConfiguration)
{
    if (state != nullptr)
        *state = nullptr;
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_vulkan_state_check(VmafVulkanState *, VmafVulkanCheck)
{
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_vulkan_import_state(VmafContext *, VmafVulkanState *)
{
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_vulkan_state_free(VmafVulkanState *state)
{
    return state == nullptr ? 0 : -ENOSYS;
}
