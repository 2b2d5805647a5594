#include "input/media/picture_writer.h"

#include <algorithm>
#include <cstring>

#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"
#include "input/media/scaling.h"

namespace vmaf::tool {
namespace {

constexpr std::uintptr_t kScalerAlignment = 32;

unsigned depth_of(const AVFrame &frame)
{
    return static_cast<unsigned>(av_pix_fmt_desc_get(static_cast<AVPixelFormat>(frame.format))->comp[0].depth);
}

VmafPixelFormat layout_of(const AVFrame &frame)
{
    return pixel_layout(static_cast<AVPixelFormat>(frame.format)).value().pix_fmt;
}

/// Write only the columns and rows of the picture, which rounds chroma down.
void write_plane(const std::uint8_t *from, std::ptrdiff_t stride_bytes, const FrameMap &map, VmafPicture &picture,
                 unsigned plane)
{
    auto *to = static_cast<std::byte *>(picture.data[plane]);
    for (unsigned y = 0; y < picture.h[plane]; ++y, from += stride_bytes, to += picture.stride[plane])
        map.of_plane(plane).convert(reinterpret_cast<const std::byte *>(from), to, picture.w[plane]);
}

void fill_neutral(VmafPicture &picture, unsigned plane)
{
    auto *row = static_cast<std::uint8_t *>(picture.data[plane]);
    const auto neutral = static_cast<std::uint16_t>(1U << (picture.bpc - 1));
    for (unsigned y = 0; y < picture.h[plane]; ++y, row += picture.stride[plane]) {
        if (picture.bpc == 8)
            std::memset(row, neutral, picture.w[plane]);
        else
            for (std::size_t x = 0; x < picture.w[plane]; ++x)
                std::memcpy(row + x * sizeof neutral, &neutral, sizeof neutral);
    }
}

struct PlaneSize {
    unsigned width_px, height_px;

    bool operator==(const PlaneSize &) const = default;
};

/// Size of a plane in the library's pictures. It is 0 for chroma of a single row or column, which
/// frames may have.
PlaneSize rounded_down(AVPixelFormat format, unsigned width_px, unsigned height_px, unsigned plane)
{
    const AVPixFmtDescriptor &descriptor = *av_pix_fmt_desc_get(format);
    return plane == 0 ? PlaneSize{width_px, height_px}
                      : PlaneSize{width_px >> descriptor.log2_chroma_w, height_px >> descriptor.log2_chroma_h};
}

bool is_aligned(const AVFrame &frame)
{
    return std::all_of(frame.data, frame.data + 3, [](const std::uint8_t *plane) {
        return reinterpret_cast<std::uintptr_t>(plane) % kScalerAlignment == 0;
    });
}

/// Cropping moves the start of rows, and the scaler's vector code is only the same for aligned
/// ones.
AvFrame aligned_copy(const AVFrame &frame)
{
    AvFrame copy = new_picture(static_cast<AVPixelFormat>(frame.format), frame.width, frame.height);
    if (av_frame_copy(copy.get(), &frame) < 0)
        throw std::bad_alloc();
    copy->color_range = frame.color_range;
    return copy;
}

AvFrame aligned(const AVFrame &frame)
{
    return is_aligned(frame) ? AvFrame(allocated(av_frame_clone(&frame))) : aligned_copy(frame);
}

} // namespace

PictureWriter::PictureWriter(const PictureForm &to, Rounding rounding)
    : to_(to), rounding_(rounding), scaler_(rounding), chroma_scaler_(rounding), copy_(coding(), coding()),
      coding_(coding()), map_(copy_)
{
}

SampleCoding PictureWriter::coding() const
{
    return {to_.format.depth, to_.range};
}

/// It is made anew only when the video's frames change.
const FrameMap &PictureWriter::map_of(const AVFrame &frame)
{
    const SampleCoding own{depth_of(frame), range_of(frame)};
    if (own == coding())
        return copy_;
    if (own != coding_) {
        map_ = FrameMap(own, coding());
        coding_ = own;
    }
    return map_;
}

/// The frame with other codes, in its own size and layout.
AvFrame PictureWriter::recoded(const AVFrame &frame, bool with_chroma)
{
    const FrameMap &map = map_of(frame);
    AvFrame coded = new_picture(planar_format(layout_of(frame), to_.format.depth), frame.width, frame.height);
    coded->color_range = av_range(to_.range);
    VmafPicture planes = planes_of(*coded);
    const unsigned count = with_chroma && frame.data[1] ? 3 : 1;
    for (unsigned plane = 0; plane < count; ++plane)
        write_plane(frame.data[plane], frame.linesize[plane], map, planes, plane);
    return coded;
}

/// The frame in another size, in its own layout.
AvFrame PictureWriter::resized(const AVFrame &frame)
{
    const AvFrame source = aligned(frame);
    AvFrame scaled = new_picture(static_cast<AVPixelFormat>(frame.format), static_cast<int>(to_.format.width_px),
                                 static_cast<int>(to_.format.height_px));
    scaled->color_range = frame.color_range;
    scaler_.scale(view_of(*source), view_of(*scaled));
    return scaled;
}

/// The scaler gives luma alone the same samples.
AvFrame PictureWriter::resized_luma(const AVFrame &frame)
{
    const unsigned depth = depth_of(frame);
    const AvFrame source = aligned(frame);
    AvFrame scaled = new_picture(planar_format(VMAF_PIX_FMT_YUV400P, depth), static_cast<int>(to_.format.width_px),
                                 static_cast<int>(to_.format.height_px));
    scaled->color_range = frame.color_range;
    scaler_.scale(gray_view(source->data[0], source->linesize[0], source->width, source->height, depth),
                  gray_view(scaled->data[0], scaled->linesize[0], scaled->width, scaled->height, depth));
    return scaled;
}

/// Write chroma in the common layout, if that differs.
void PictureWriter::write_chroma(const AVFrame &frame, VmafPicture &picture, unsigned plane)
{
    const unsigned depth = depth_of(frame);
    const VmafPixelFormat layout = layout_of(frame);
    const FrameMap &map = map_of(frame);
    if (layout == VMAF_PIX_FMT_YUV400P)
        return fill_neutral(picture, plane);
    if (layout == to_.format.pix_fmt)
        return write_plane(frame.data[plane], frame.linesize[plane], map, picture, plane);
    const int index = static_cast<int>(plane);
    const AVPixelFormat format = planar_format(to_.format.pix_fmt, depth);
    const AvFrame resized =
        new_picture(planar_format(VMAF_PIX_FMT_YUV400P, depth), plane_width(format, frame.width, index),
                    plane_height(format, frame.height, index));
    const auto own_format = static_cast<AVPixelFormat>(frame.format);
    const AvFrame source = aligned(frame);
    chroma_scaler_.scale(gray_view(source->data[plane], source->linesize[plane],
                                   plane_width(own_format, frame.width, index),
                                   plane_height(own_format, frame.height, index), depth),
                         gray_view(resized->data[0], resized->linesize[0], resized->width, resized->height, depth));
    write_plane(resized->data[0], resized->linesize[0], map, picture, plane);
}

/// Straight from its own grid to the picture's, both as the library has them. A picture with more
/// of chroma keeps what it has there.
void PictureWriter::write_plane_in_integers(const AVFrame &frame, VmafPicture &picture, unsigned plane)
{
    const unsigned depth = depth_of(frame);
    const PlaneSize from = rounded_down(static_cast<AVPixelFormat>(frame.format), static_cast<unsigned>(frame.width),
                                        static_cast<unsigned>(frame.height), plane);
    const PlaneSize to =
        rounded_down(planar_format(to_.format.pix_fmt, depth), to_.format.width_px, to_.format.height_px, plane);
    VmafPicture part = picture;
    part.w[plane] = to.width_px;
    part.h[plane] = to.height_px;
    if (to.width_px == 0 || to.height_px == 0)
        return;
    if (from == to)
        return write_plane(frame.data[plane], frame.linesize[plane], map_of(frame), part, plane);
    const AvFrame source(frame.linesize[plane] > 0 ? allocated(av_frame_clone(&frame)) : aligned_copy(frame).release());
    const LibraryScaledPlane scaled({source->data[plane], source->linesize[plane], std::max(from.width_px, 1U),
                                     std::max(from.height_px, 1U), depth},
                                    to.width_px, to.height_px);
    write_plane(scaled.plane().data, scaled.plane().stride_bytes, map_of(frame), part, plane);
}

void PictureWriter::write_in_integers(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    write_plane_in_integers(frame, picture, 0);
    if (!with_chroma || to_.format.pix_fmt == VMAF_PIX_FMT_YUV400P)
        return;
    for (unsigned plane = 1; plane < 3; ++plane) {
        if (layout_of(frame) == VMAF_PIX_FMT_YUV400P)
            fill_neutral(picture, plane);
        else
            write_plane_in_integers(frame, picture, plane);
    }
}

void PictureWriter::write_by_swscale(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    const bool same_size =
        frame.width == static_cast<int>(to_.format.width_px) && frame.height == static_cast<int>(to_.format.height_px);
    AvFrame own;
    if (!same_size)
        own = with_chroma ? resized(frame) : resized_luma(frame);
    const AVFrame &ready = own ? *own : frame;
    write_plane(ready.data[0], ready.linesize[0], map_of(ready), picture, 0);
    if (with_chroma && to_.format.pix_fmt != VMAF_PIX_FMT_YUV400P)
        for (unsigned plane = 1; plane < 3; ++plane)
            write_chroma(ready, picture, plane);
}

/// Whether some plane's samples become others by more than range and depth.
bool PictureWriter::is_scaled(const AVFrame &frame, bool with_chroma) const
{
    return frame.width != static_cast<int>(to_.format.width_px) ||
           frame.height != static_cast<int>(to_.format.height_px) ||
           (with_chroma && layout_of(frame) != to_.format.pix_fmt);
}

/// Range and depth come before scaling, or else on the way into the picture.
void PictureWriter::write(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    AvFrame own;
    if (!map_of(frame).is_copy() && is_scaled(frame, with_chroma))
        own = recoded(frame, with_chroma);
    const AVFrame &ready = own ? *own : frame;
    if (rounding_ == Rounding::integer)
        write_in_integers(ready, picture, with_chroma);
    else
        write_by_swscale(ready, picture, with_chroma);
}

} // namespace vmaf::tool
