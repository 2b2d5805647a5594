#include <cerrno>

#include "capi/device.h"
#include "capi/visibility.h"
#include "libvmaf/libvmaf_cuda.h"
#include "libvmaf/libvmaf_ext.h"

// The CUDA calls of a build without CUDA: exported so that programs which know them load, and never
// successful (spec abi 1).

namespace vmaf {

std::string_view demanded_feature(std::string_view)
{
    return {};
}

bool runs_on_cuda(const FeatureSpec &)
{
    return false;
}

Result<HeldPicture> copy_to_host(const VmafPicture &)
{
    return Status::error(ENOSYS);
}

} // namespace vmaf

VMAF_PUBLIC int vmaf_cuda_state_init(VmafCudaState **cu_state, VmafCudaConfiguration)
{
    if (cu_state != nullptr)
        *cu_state = nullptr;
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_cuda_state_init_device(VmafCudaState **cu_state, int)
{
    if (cu_state != nullptr)
        *cu_state = nullptr;
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_luma_boxes_create(VmafLumaBoxes **boxes, VmafContext *, VmafLumaGrid, unsigned)
{
    if (boxes != nullptr)
        *boxes = nullptr;
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_luma_boxes_add(VmafLumaBoxes *, const VmafPicture *, unsigned, unsigned)
{
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_luma_boxes_read(VmafLumaBoxes *, unsigned, uint32_t *)
{
    return -ENOSYS;
}

VMAF_PUBLIC int vmaf_luma_boxes_destroy(VmafLumaBoxes *boxes)
{
    return boxes == nullptr ? 0 : -ENOSYS;
}

VMAF_PUBLIC int vmaf_cuda_import_state(VmafContext *, VmafCudaState *)
{
    return -ENOSYS;
}
VMAF_PUBLIC int vmaf_cuda_preallocate_pictures(VmafContext *, VmafCudaPictureConfiguration)
{
    return -ENOSYS;
}
VMAF_PUBLIC int vmaf_cuda_fetch_preallocated_picture(VmafContext *, VmafPicture *)
{
    return -ENOSYS;
}
VMAF_PUBLIC int vmaf_cuda_state_free(VmafCudaState *cu_state)
{
    return cu_state == nullptr ? 0 : -ENOSYS;
}
