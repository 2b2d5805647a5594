#include "input/media/library_scaling.h"

#include <cerrno>
#include <new>

#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {

LibraryScaledPlane::LibraryScaledPlane(const SamplePlane &from, unsigned width_px, unsigned height_px)
{
    VmafForeignPicture gray{};
    gray.struct_size = sizeof gray;
    gray.pix_fmt = VMAF_PIX_FMT_YUV400P;
    gray.bpc = from.depth;
    gray.w = from.width_px;
    gray.h = from.height_px;
    gray.data[0] = const_cast<std::uint8_t *>(from.data); // it is read only
    gray.stride[0] = from.stride_bytes;
    gray.scaled_w = width_px;
    gray.scaled_h = height_px;
    const int error = vmaf_picture_scale(&picture_, &gray);
    if (error == -ENOMEM)
        throw std::bad_alloc();
    if (error != 0)
        throw ScoringStopped(
            StopReason::decode_error, kExitBadData,
            formatted("cannot scale a plane of {}x{} to {}x{}", from.width_px, from.height_px, width_px, height_px));
}

LibraryScaledPlane::~LibraryScaledPlane()
{
    vmaf_picture_unref(&picture_);
}

SamplePlane LibraryScaledPlane::plane() const
{
    return {static_cast<const std::uint8_t *>(picture_.data[0]), picture_.stride[0], picture_.w[0], picture_.h[0],
            picture_.bpc};
}

} // namespace vmaf::tool
