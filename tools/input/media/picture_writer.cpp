#include "input/media/picture_writer.h"

#include <algorithm>
#include <cstring>

#include "input/media/pixel_layout.h"
#include "input/media/planar_frame.h"

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

PictureWriter::PictureWriter(const CommonFormat &to, Rounding rounding)
    : to_(to), scaler_(rounding), chroma_scaler_(rounding)
{
}

/// In its own layout: size, range and a smaller depth.
AvFrame PictureWriter::resized(const AVFrame &frame)
{
    const bool full_range = frame.color_range == AVCOL_RANGE_JPEG;
    const unsigned depth = std::min(depth_of(frame), to_.format.depth);
    const bool gray = layout_of(frame) == VMAF_PIX_FMT_YUV400P;
    AvFrame source(allocated(av_frame_clone(&frame)));
    if (gray && full_range != to_.full_range)
        source = with_neutral_chroma(frame);
    else if (!is_aligned(frame))
        source = aligned_copy(frame);
    AvFrame scaled = new_picture(planar_format(layout_of(*source), depth), static_cast<int>(to_.format.width_px),
                                 static_cast<int>(to_.format.height_px));
    scaled->color_range = to_.full_range ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG;
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

void PictureWriter::write(const AVFrame &frame, VmafPicture &picture, bool with_chroma)
{
    const bool same_size =
        frame.width == static_cast<int>(to_.format.width_px) && frame.height == static_cast<int>(to_.format.height_px);
    const bool same_range = (frame.color_range == AVCOL_RANGE_JPEG) == to_.full_range;
    const bool same_depth = depth_of(frame) <= to_.format.depth;
    if (!with_chroma && !same_size && same_range && same_depth)
        return write_resized_luma(frame, picture);
    AvFrame own;
    if (!same_size || !same_range || !same_depth)
        own = resized(frame);
    const AVFrame &ready = own ? *own : frame;
    copy_plane(ready.data[0], ready.linesize[0], depth_of(ready), picture, 0);
    if (with_chroma && to_.format.pix_fmt != VMAF_PIX_FMT_YUV400P)
        for (unsigned plane = 1; plane < 3; ++plane)
            write_chroma(ready, picture, plane);
}

} // namespace vmaf::tool
