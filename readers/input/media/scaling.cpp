#include "input/media/scaling.h"

extern "C" {
#include <libavutil/opt.h>
}

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media/pixel_layout.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

[[noreturn]] void cannot_scale(const ScaledShape &from, const ScaledShape &to)
{
    throw ScoringStopped(StopReason::decode_error, kExitBadData,
                         formatted("cannot scale {}x{} {} to {}x{} {}", from.width_px, from.height_px,
                                   pixel_format_name(from.format), to.width_px, to.height_px,
                                   pixel_format_name(to.format)));
}

} // namespace

PictureView view_of(const AVFrame &frame)
{
    PictureView view{
        {frame.width, frame.height, static_cast<AVPixelFormat>(frame.format), frame.color_range == AVCOL_RANGE_JPEG}};
    std::copy_n(frame.data, 4, view.data);
    std::copy_n(frame.linesize, 4, view.stride_bytes);
    return view;
}

PictureView gray_view(std::uint8_t *data, int stride_bytes, int width_px, int height_px, unsigned depth)
{
    PictureView view{{width_px, height_px, planar_format(VMAF_PIX_FMT_YUV400P, depth), false}};
    view.data[0] = data;
    view.stride_bytes[0] = stride_bytes;
    return view;
}

PictureScaler::PictureScaler(Rounding rounding)
    : flags_(rounding == Rounding::fast ? SWS_BICUBIC : SWS_BICUBIC | SWS_ACCURATE_RND | SWS_BITEXACT)
{
}

/// Ranges are given beforehand: pictures that differ in nothing else would be taken for equal, and
/// copied.
void PictureScaler::prepare(const ScaledShape &from, const ScaledShape &to)
{
    const std::pair<const char *, int> options[] = {
        {"srcw", from.width_px},        {"srch", from.height_px},     {"src_format", from.format},
        {"src_range", from.full_range}, {"dstw", to.width_px},        {"dsth", to.height_px},
        {"dst_format", to.format},      {"dst_range", to.full_range}, {"sws_flags", flags_},
    };
    scaler_.reset(allocated(sws_alloc_context()));
    for (const auto &[name, value] : options)
        if (av_opt_set_int(scaler_.get(), name, value, 0) < 0)
            cannot_scale(from, to);
    if (sws_init_context(scaler_.get(), nullptr, nullptr) < 0)
        cannot_scale(from, to);
    from_ = from;
    to_ = to;
}

void PictureScaler::scale(const PictureView &from, const PictureView &to)
{
    if (!scaler_ || from.shape != from_ || to.shape != to_)
        prepare(from.shape, to.shape);
    if (sws_scale(scaler_.get(), from.data, from.stride_bytes, 0, from.shape.height_px, to.data, to.stride_bytes) < 0)
        cannot_scale(from.shape, to.shape);
}

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
