#pragma once

#include <vector>

#include "input/colour_rows.h"
#include "input/media/libav.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// First bit of alpha in a palette's entry 0xAARRGGBB.
constexpr unsigned kPaletteAlpha = 24;
/// Bits of a palette's entries, from 0 to 1, of a row of a frame that has one.
void read_palette_row(const AVFrame &frame, int y, unsigned shift, float *values);
/// One component of a row, from 0 to 1 where the format has integers.
/// @param samples frame.width of them, of no use afterwards.
void read_component_row(const AVFrame &frame, const AVPixFmtDescriptor &format, int y, int component,
                        std::vector<std::uint32_t> &samples, float *values);

/// 4:4:4 of that form's matrix, range and depth, in the frame's own size, of any RGB: palettes and
/// binary32 too.
/// @param background that the frame is composed over; empty: its alpha is left out.
AvFrame yuv_of_rgb(const AVFrame &rgb, const PictureForm &form, const std::optional<Background> &background);

} // namespace vmaf::tool
