#include "frames/picture_source.h"

#include "libvmaf/libvmaf_cuda.h"

namespace vmaf::tool {

int SessionPictures::allocate(const VideoFormat &format) const
{
    const auto &[width_px, height_px, pix_fmt, depth] = format;
    if (!gpu_)
        return vmaf_preallocate_pictures(context_, {{width_px, height_px, depth, pix_fmt}, kPoolPictures});
    return vmaf_cuda_preallocate_pictures(
        context_, {{width_px, height_px, depth, pix_fmt}, VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED});
}

int SessionPictures::fetch(VmafPicture &picture) const
{
    return gpu_ ? vmaf_cuda_fetch_preallocated_picture(context_, &picture)
                : vmaf_fetch_preallocated_picture(context_, &picture);
}

} // namespace vmaf::tool
