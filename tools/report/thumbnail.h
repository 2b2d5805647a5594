#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "libvmaf/picture.h"
#include "report/report_data.h"

namespace vmaf::tool {

/// Thumbnails are at most so wide.
constexpr unsigned kThumbnailWidthPx = 320;

/// Both pictures of a pair, of equal format in host memory, and their difference in luma, made small by averaging. Colours
/// are taken for BT.709 in limited range.
FramePictures thumbnails(unsigned frame, const VmafPicture &ref, const VmafPicture &dis);

struct Rgb {
    std::uint8_t r, g, b;
};

/// PNG files of small pictures; `pixels` are width * height of them, row by row. Throws std::bad_alloc.
std::string png_of_colours(unsigned width_px, unsigned height_px, std::span<const Rgb> pixels);
std::string png_of_indices(unsigned width_px, unsigned height_px, std::span<const std::uint8_t> pixels,
                           const std::array<Rgb, 256> &palette);

} // namespace vmaf::tool
