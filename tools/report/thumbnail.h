#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "libvmaf/libvmaf_ext.h"
#include "libvmaf/picture.h"
#include "report/png.h"
#include "report/report_data.h"

namespace vmaf::tool {

/// Side of a block of the grid in which the largest error is looked for.
constexpr unsigned kErrorBlockPx = 32;

/// The most that pictures of a frame may have of its width.
struct PictureWidths {
    unsigned crop_px; ///< and 9 of 16 of it high
    unsigned whole_px = kThumbnailWidthPx;
};

template <class Pixel> struct Raster {
    unsigned width_px = 0;
    unsigned height_px = 0;
    std::vector<Pixel> pixels; ///< row by row
};

/// Pictures of a frame before they are files.
struct FramePixels {
    unsigned frame;
    PixelRect crop;
    Raster<Rgb> reference, distorted;
    Raster<Rgb> whole;
    Raster<std::uint8_t> difference;
    struct Map {
        std::string feature;
        Raster<std::uint8_t> levels;
    };
    std::vector<Map> maps = {}; ///< of the crop
};

/// Pictures of a pair: both sides pixel for pixel around the block with the largest squared error
/// of luma; the whole distorted picture and the difference in luma, made small by averaging. The
/// pair has one format and is in host memory. Colours are shown as BT.709 in limited range.
FramePixels frame_pixels(unsigned frame, const VmafPicture &ref, const VmafPicture &dis, PictureWidths most);

/// What a map shows of a crop of pictures of that size: from 0, VmafMap.dark, to 255,
/// VmafMap.bright, made small by averaging.
Raster<std::uint8_t> map_levels(const VmafMap &map, PixelRect crop, const VmafPicture &picture);

/// Throws std::bad_alloc.
FramePictures frame_pictures(const FramePixels &of);

} // namespace vmaf::tool
