#include "input/media/cuda_frames.h"

#include <cerrno>
#include <cstring>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

constexpr unsigned kBitsOfTwoBytes = 16;

const AVHWFramesContext &frames_of(const AVFrame &frame)
{
    return *reinterpret_cast<const AVHWFramesContext *>(frame.hw_frames_ctx->data);
}

bool has_two_bytes(AVPixelFormat format)
{
    return av_pix_fmt_desc_get(format)->comp[0].depth > 8;
}

bool is_semi_planar(AVPixelFormat format)
{
    const AVPixFmtDescriptor &planes = *av_pix_fmt_desc_get(format);
    return planes.nb_components > 2 && planes.comp[1].plane == planes.comp[2].plane;
}

/// A host format in which samples of the layout lie as they do in the GPU's memory, whatever their
/// number of bits.
AVPixelFormat host_format(const CudaLayout &layout)
{
    const bool two_bytes = layout.depth > 8;
    if (!layout.semi_planar)
        return planar_format(layout.pix_fmt, two_bytes ? kBitsOfTwoBytes : 8);
    switch (layout.pix_fmt) {
    case VMAF_PIX_FMT_YUV422P:
        return two_bytes ? AV_PIX_FMT_P216LE : AV_PIX_FMT_NV16;
    case VMAF_PIX_FMT_YUV444P:
        return two_bytes ? AV_PIX_FMT_P416LE : AV_PIX_FMT_NV24;
    default:
        return two_bytes ? AV_PIX_FMT_P016LE : AV_PIX_FMT_NV12;
    }
}

void shift_row(const std::uint8_t *from, std::uint8_t *to, int samples, unsigned right_shift)
{
    for (std::size_t x = 0; x < static_cast<std::size_t>(samples); ++x) {
        std::uint16_t sample = 0;
        std::memcpy(&sample, from + x * sizeof sample, sizeof sample);
        sample = static_cast<std::uint16_t>(sample >> right_shift);
        std::memcpy(to + x * sizeof sample, &sample, sizeof sample);
    }
}

/// @param frame planar, samples in the high bits.
AvFrame shifted_down(const AVFrame &frame, const CudaLayout &layout)
{
    const AVPixelFormat format = planar_format(layout.pix_fmt, layout.depth);
    AvFrame shifted = new_picture(format, frame.width, frame.height);
    if (av_frame_copy_props(shifted.get(), &frame) < 0)
        throw std::bad_alloc();
    for (int plane = 0; plane < 3 && shifted->data[plane]; ++plane)
        for (int y = 0; y < plane_height(format, frame.height, plane); ++y)
            shift_row(frame.data[plane] + std::ptrdiff_t{y} * frame.linesize[plane],
                      shifted->data[plane] + std::ptrdiff_t{y} * shifted->linesize[plane],
                      plane_width(format, frame.width, plane), layout.shift);
    return shifted;
}

void free_frame(void *frame)
{
    auto *raw = static_cast<AVFrame *>(frame);
    av_frame_free(&raw);
}

std::size_t row_bytes(const VmafPicture &picture, unsigned plane)
{
    return picture.w[plane] * (picture.bpc > 8 ? 2UL : 1UL);
}

void copy_rows(const VmafPicture &from, unsigned plane, AVFrame &to)
{
    const auto *source = static_cast<const std::uint8_t *>(from.data[plane]);
    for (unsigned y = 0; y < from.h[plane]; ++y)
        std::memcpy(to.data[plane] + std::ptrdiff_t{y} * to.linesize[plane], source + y * from.stride[plane],
                    row_bytes(from, plane));
}

void pair_chroma(const VmafPicture &from, AVFrame &to)
{
    for (unsigned plane = 1; plane < 3; ++plane)
        for (unsigned y = 0; y < from.h[plane]; ++y) {
            const auto *source = static_cast<const std::uint8_t *>(from.data[plane]) + y * from.stride[plane];
            std::uint8_t *row = to.data[1] + std::ptrdiff_t{y} * to.linesize[1] + (plane - 1) * sizeof(std::uint16_t);
            for (std::size_t x = 0; x < from.w[plane]; ++x)
                std::memcpy(row + 2 * x * sizeof(std::uint16_t), source + x * sizeof(std::uint16_t),
                            sizeof(std::uint16_t));
        }
}

/// One that every version of the libraries can hold in a GPU's memory and that has room for the
/// samples. Of 4:2:2, the left half of chroma as large as luma is used.
AVPixelFormat container_of(const VmafPicture &picture)
{
    const bool full_chroma = picture.pix_fmt == VMAF_PIX_FMT_YUV422P || picture.pix_fmt == VMAF_PIX_FMT_YUV444P;
    if (picture.bpc == 8)
        return full_chroma ? AV_PIX_FMT_YUV444P : AV_PIX_FMT_YUV420P;
    return full_chroma ? AV_PIX_FMT_YUV444P16LE : AV_PIX_FMT_P016LE;
}

[[noreturn]] void fail(int error, const char *what)
{
    if (error == AVERROR(ENOMEM))
        throw std::bad_alloc();
    throw ScoringStopped(StopReason::engine_error, kExitBadData, formatted("{} ({})", what, libav_reason(error)));
}

/// The frame as it was decoded, of even size: of an odd height libavutil leaves the last row of
/// chroma behind.
AvFrame uncropped(const AVFrame &frame)
{
    AvFrame whole(allocated(av_frame_clone(&frame)));
    whole->width = frames_of(frame).width;
    whole->height = frames_of(frame).height;
    return whole;
}

/// What a copy of all samples lacks: how much of them is to be seen, among others.
void take_properties(AVFrame &to, const AVFrame &from)
{
    if (av_frame_copy_props(&to, &from) < 0)
        throw std::bad_alloc();
    to.width = from.width;
    to.height = from.height;
}

void transfer(AVFrame &to, const AVFrame &from)
{
    if (const int error = av_hwframe_transfer_data(&to, &from, 0); error < 0)
        fail(error, "a frame cannot be copied from or to the GPU");
}

} // namespace

std::optional<CudaLayout> cuda_layout(const AVFrame &frame, AVPixelFormat decoded_as)
{
    const auto decoded = pixel_layout(decoded_as);
    const AVPixelFormat stored = frames_of(frame).sw_format;
    if (!decoded || decoded->pix_fmt == VMAF_PIX_FMT_YUV400P || decoded->rgb || decoded->resize_chroma ||
        decoded->left_shift != 0 || (decoded->depth > 8) != has_two_bytes(stored))
        return std::nullopt;
    return CudaLayout{decoded->pix_fmt, decoded->depth, decoded->depth > 8 ? kBitsOfTwoBytes - decoded->depth : 0,
                      is_semi_planar(stored)};
}

void take_range_of(AVFrame &frame, AVPixelFormat decoded_as)
{
    const auto layout = pixel_layout(decoded_as);
    if (layout && layout->full_range)
        frame.color_range = AVCOL_RANGE_JPEG;
}

VisibleSize visible_size(const AVFrame &frame)
{
    if (!is_in_cuda(frame))
        return {frame.width, frame.height};
    return {frame.width - static_cast<int>(frame.crop_left), frame.height - static_cast<int>(frame.crop_top)};
}

void cut_out(AVFrame &frame, const Crop &crop)
{
    if (is_in_cuda(frame)) {
        frame.crop_left += crop.x;
        frame.crop_top += crop.y;
        frame.width = static_cast<int>(frame.crop_left + crop.width_px);
        frame.height = static_cast<int>(frame.crop_top + crop.height_px);
        return;
    }
    frame.crop_left = crop.x;
    frame.crop_top = crop.y;
    frame.crop_right = static_cast<std::size_t>(frame.width) - crop.x - crop.width_px;
    frame.crop_bottom = static_cast<std::size_t>(frame.height) - crop.y - crop.height_px;
    if (const int error = av_frame_apply_cropping(&frame, AV_FRAME_CROP_UNALIGNED); error < 0)
        fail(error, "a frame cannot be cropped");
}

AvFrame downloaded(const AVFrame &frame, const CudaLayout &layout)
{
    const AvFrame host = new_frame();
    transfer(*host, *uncropped(frame));
    take_properties(*host, frame);
    if (const int error = av_frame_apply_cropping(host.get(), AV_FRAME_CROP_UNALIGNED); error < 0)
        fail(error, "a frame cannot be cropped");
    host->format = host_format(layout);
    PlanarFrames frames(Rounding::fast);
    AvFrame planar = frames.make(*host);
    return layout.shift == 0 ? std::move(planar) : shifted_down(*planar, layout);
}

void lend(VmafContext *context, VmafPicture &picture, AvFrame frame, const CudaLayout &layout,
          const VisibleSize &scored, unsigned scored_depth)
{
    const AVPixFmtDescriptor &format = *av_pix_fmt_desc_get(planar_format(layout.pix_fmt, layout.depth));
    const std::size_t sample_bytes = layout.depth > 8 ? 2 : 1;
    const VisibleSize size = visible_size(*frame);
    VmafForeignPicture lent{};
    lent.struct_size = sizeof lent;
    lent.pix_fmt = layout.pix_fmt;
    lent.bpc = layout.depth;
    lent.scored_bpc = scored_depth;
    lent.shift = layout.shift;
    lent.w = static_cast<unsigned>(size.width_px);
    lent.h = static_cast<unsigned>(size.height_px);
    const bool in_pairs = layout.semi_planar && layout.pix_fmt != VMAF_PIX_FMT_YUV400P;
    lent.layout = in_pairs ? VMAF_PLANE_LAYOUT_SEMI_PLANAR : VMAF_PLANE_LAYOUT_PLANAR;
    lent.memory = VMAF_MEMORY_CUDA_DEVICE;
    for (int plane = 0; plane < 3 && frame->data[plane]; ++plane) {
        const std::size_t left = frame->crop_left >> (plane > 0 ? format.log2_chroma_w : 0);
        const std::size_t top = frame->crop_top >> (plane > 0 ? format.log2_chroma_h : 0);
        const std::size_t samples = plane > 0 && in_pairs ? 2 : 1;
        lent.stride[plane] = frame->linesize[plane];
        lent.data[plane] =
            frame->data[plane] + top * static_cast<std::size_t>(frame->linesize[plane]) + left * samples * sample_bytes;
    }
    lent.stream = static_cast<const AVCUDADeviceContext *>(frames_of(*frame).device_ctx->hwctx)->stream;
    if (size != scored) {
        lent.scaled_w = static_cast<unsigned>(scored.width_px);
        lent.scaled_h = static_cast<unsigned>(scored.height_px);
    }
    lent.release = free_frame;
    lent.opaque = frame.get();
    if (const int error = vmaf_picture_wrap(context, &picture, &lent))
        throw ScoringStopped(StopReason::engine_error, exit_code_of(error), "problem passing a frame to the library");
    static_cast<void>(frame.release());
}

AvFrame CudaFrames::get(AVPixelFormat format, int width_px, int height_px)
{
    const auto *known = frames_ ? reinterpret_cast<const AVHWFramesContext *>(frames_->data) : nullptr;
    if (!known || known->sw_format != format || known->width != width_px || known->height != height_px) {
        frames_.reset(allocated(av_hwframe_ctx_alloc(device_)));
        auto *fresh = reinterpret_cast<AVHWFramesContext *>(frames_->data);
        fresh->format = AV_PIX_FMT_CUDA;
        fresh->sw_format = format;
        fresh->width = width_px;
        fresh->height = height_px;
        if (const int error = av_hwframe_ctx_init(frames_.get()); error < 0)
            fail(error, "no frames in the GPU's memory");
    }
    AvFrame frame = new_frame();
    if (const int error = av_hwframe_get_buffer(frames_.get(), frame.get(), 0); error < 0)
        fail(error, "no frame in the GPU's memory");
    return frame;
}

AvFrame CudaFrames::copy(const AVFrame &frame)
{
    const AVHWFramesContext &shape = frames_of(frame);
    AvFrame made = get(shape.sw_format, shape.width, shape.height);
    transfer(*made, *uncropped(frame));
    take_properties(*made, frame);
    return made;
}

CudaFrames::Uploaded CudaFrames::upload(const VmafPicture &planes, bool with_chroma)
{
    const AVPixelFormat container = container_of(planes);
    const int width_px = static_cast<int>(planes.w[0]);
    const int height_px = static_cast<int>(planes.h[0]);
    const AvFrame host = new_picture(container, width_px, height_px);
    const bool in_pairs = is_semi_planar(container);
    copy_rows(planes, 0, *host);
    if (with_chroma && in_pairs)
        pair_chroma(planes, *host);
    else if (with_chroma)
        for (unsigned plane = 1; plane < 3; ++plane)
            copy_rows(planes, plane, *host);
    AvFrame frame = get(container, width_px, height_px);
    transfer(*frame, *host);
    return {std::move(frame), {planes.pix_fmt, planes.bpc, 0, in_pairs}};
}

} // namespace vmaf::tool
