#include "capi/device.h"
#include "capi/visibility.h"
#include "feature/registry.h"
#include "libvmaf/libvmaf_ext.h"

VMAF_PUBLIC int vmaf_feature_runs_on(const VmafFeatureInfo *feature, VmafDeviceKind kind)
{
    for (const vmaf::FeatureSpec *spec : vmaf::feature_registry())
        if (spec == feature)
            return (kind == VMAF_DEVICE_CUDA && vmaf::runs_on_cuda(*spec)) ||
                   (kind == VMAF_DEVICE_VULKAN && vmaf::runs_on_vulkan(*spec));
    return 0;
}
