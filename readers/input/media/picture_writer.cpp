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

/// Only as many columns and rows as the picture has, which rounds chroma down.
void copy_plane(const std::uint8_t *from, std::ptrdiff_t stride_bytes, unsigned depth, VmafPicture &picture,
                unsigned plane)
{
    auto *to = static_cast<std::uint8_t *>(picture.data[plane]);
    const unsigned left_shift = picture.bpc - depth;
    const std::size_t width = picture.w[plane];
    for (unsigned y = 0; y < picture.h[plane]; ++y, from += stride_bytes, to += picture.stride[plane]) {
        if (left_shift == 0) {
            std::memcpy(to, from, width * (depth > 8 ? 2 : 1));
            continue;
        }
        for (std::size_t x = 0; x < width; ++x) {
            std::uint16_t sample = from[x];
            if (depth > 8)
                std::memcpy(&sample, from + x * sizeof sample, sizeof sample);
            sample = static_cast<std::uint16_t>(sample << left_shift);
            std::memcpy(to + x * sizeof sample, &sample, sizeof sample);
        }
    }
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

/// Of a plane as pictures of the library have it; 0 for chroma of a row or column alone, of which frames have some.
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

/// Cropping moves the start of rows, and the scaler's vector code is only the same for aligned ones.
AvFrame aligned_copy(const AVFrame &frame)
{
    AvFrame copy = new_picture(static_cast<AVPixelFormat>(frame.format), frame.width, frame.height);
    if (av_frame_copy(copy.get(), &frame) < 0)
        throw std::bad_alloc();
    copy->color_range = frame.color_range;
    return copy;
}

/// The scaler takes any gray for full range: as the luma of 4:2:0 it has the range that it is said to have.
AvFrame with_neutral_chroma(const AVFrame &gray)
{
    const unsigned depth = depth_of(gray);
    const AVPixelFormat format = planar_format(VMAF_PIX_FMT_YUV420P, depth);
    AvFrame frame = new_picture(format, gray.width, gray.height);
    VmafPicture planes = planes_of(*frame);
    copy_plane(gray.data[0], gray.linesize[0], depth, planes, 0);
    fill_neutral(planes, 1);
    fill_neutral(planes, 2);
    frame->color_range = gray.color_range;
    return frame;
}

} // namespace

PictureWriter::PictureWriter(const PictureForm &to, Rounding rounding)
    : to_(to), rounding_(rounding), scaler_(rounding), chroma_scaler_(rounding)
{
}

/// A larger depth is no matter of the scaler.
bool PictureWriter::has_range_and_depth(const AVFrame &frame) const
{
    return range_of(frame) == to_.range && depth_of(frame) <= to_.format.depth;
}

/// In its own layout: size, range and a smaller depth.
AvFrame PictureWriter::resized(const AVFrame &frame, unsigned width_px, unsigned height_px)
{
    const unsigned depth = std::min(depth_of(frame), to_.format.depth);
    const bool gray = layout_of(frame) == VMAF_PIX_FMT_YUV400P;
    AvFrame source(allocated(av_frame_clone(&frame)));
    if (gray && range_of(frame) != to_.range)
        source = with_neutral_chroma(frame);
    else if (!is_aligned(frame))
        source = aligned_copy(frame);
    AvFrame scaled =
        new_picture(planar_format(layout_of(*source), depth), static_cast<int>(width_px), static_cast<int>(height_px));
    scaled->color_range = av_range(to_.range);
    scaler_.scale(view_of(*source), view_of(*scaled));
    return scaled;
}

/// The scaler gives luma alone the same samples.
void PictureWriter::write_resized_luma(const AVFrame &frame, VmafPicture &picture)
{
    const unsigned depth = depth_of(frame);
    const AvFrame source(is_aligned(frame) ? allocated(av_frame_clone(&frame)) : aligned_copy(frame).release());
    const AvFrame scaled = new_picture(planar_format(VMAF_PIX_FMT_YUV400P, depth),
                                       static_cast<int>(to_.format.width_px), static_cast<int>(to_.format.height_px));
    scaler_.scale(gray_view(source->data[0], source->linesize[0], source->width, source->height, depth),
                  gray_view(scaled->data[0], scaled->linesize[0], scaled->width, scaled->height, depth));
    copy_plane(scaled->data[0], scaled->linesize[0], depth, picture, 0);
}

/// Into the common layout, where it is another one.
void PictureWriter::write_chroma(const AVFrame &frame, VmafPicture &picture, unsigned plane)
{
    const unsigned depth = depth_of(frame);
    const VmafPixelFormat layout = layout_of(frame);
    if (layout == VMAF_PIX_FMT_YUV400P)
        return fill_neutral(picture, plane);
    if (layout == to_.format.pix_fmt)
        return copy_plane(frame.data[plane], frame.linesize[plane], depth, picture, plane);
    const int index = static_cast<int>(plane);
    const AVPixelFormat format = planar_format(to_.format.pix_fmt, depth);
    const AvFrame resized =
        new_picture(planar_format(VMAF_PIX_FMT_YUV400P, depth), plane_width(format, frame.width, index),
                    plane_height(format, frame.height, index));
    const auto own_format = static_cast<AVPixelFormat>(frame.format);
    const AvFrame source(is_aligned(frame) ? allocated(av_frame_clone(&frame)) : aligned_copy(frame).release());
    chroma_scaler_.scale(gray_view(source->data[plane], source->linesize[plane],
                                   plane_width(own_format, frame.width, index),
                                   plane_height(own_format, frame.height, index), depth),
                         gray_view(resized->data[0], resized->linesize[0], resized->width, resized->height, depth));
    copy_plane(resized->data[0], resized->linesize[0], depth, picture, plane);
}

/// Straight from its own grid to the picture's, both as the library has them. A picture with more of chroma keeps what it has there.
void PictureWriter::write_plane_in_integers(const AVFrame &frame, VmafPicture &picture, unsigned plane) const
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
        return copy_plane(frame.data[plane], frame.linesize[plane], depth, part, plane);
    const AvFrame source(frame.linesize[plane] > 0 ? allocated(av_frame_clone(&frame)) : aligned_copy(frame).release());
    const LibraryScaledPlane scaled({source->data[plane], source->linesize[plane], std::max(from.width_px, 1U),
                                     std::max(from.height_px, 1U), depth},
                                    to.width_px, to.height_px);
    copy_plane(scaled.plane().data, scaled.plane().stride_bytes, depth, part, plane);
}

void PictureWriter::write_in_integers(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    AvFrame own;
    if (!has_range_and_depth(frame))
        own = resized(frame, static_cast<unsigned>(frame.width), static_cast<unsigned>(frame.height));
    const AVFrame &ready = own ? *own : frame;
    write_plane_in_integers(ready, picture, 0);
    if (!with_chroma || to_.format.pix_fmt == VMAF_PIX_FMT_YUV400P)
        return;
    for (unsigned plane = 1; plane < 3; ++plane) {
        if (layout_of(ready) == VMAF_PIX_FMT_YUV400P)
            fill_neutral(picture, plane);
        else
            write_plane_in_integers(ready, picture, plane);
    }
}

void PictureWriter::write(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    if (rounding_ == Rounding::integer)
        return write_in_integers(frame, picture, with_chroma);
    const bool same_size =
        frame.width == static_cast<int>(to_.format.width_px) && frame.height == static_cast<int>(to_.format.height_px);
    if (!with_chroma && !same_size && has_range_and_depth(frame))
        return write_resized_luma(frame, picture);
    AvFrame own;
    if (!same_size || !has_range_and_depth(frame))
        own = resized(frame, to_.format.width_px, to_.format.height_px);
    const AVFrame &ready = own ? *own : frame;
    copy_plane(ready.data[0], ready.linesize[0], depth_of(ready), picture, 0);
    if (with_chroma && to_.format.pix_fmt != VMAF_PIX_FMT_YUV400P)
        for (unsigned plane = 1; plane < 3; ++plane)
            write_chroma(ready, picture, plane);
}

} // namespace vmaf::tool
