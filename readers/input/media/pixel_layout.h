#pragma once

#include <optional>
#include <string>

#include "input/media/libav.h"
#include "input/video_format.h"

/// The table of pixel formats of spec cli 10.1.
namespace vmaf::tool {

/// The layout that a decoded pixel format is converted to.
struct PixelLayout {
    VmafPixelFormat pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    unsigned depth = 0;         ///< 8, 10, 12 or 16
    unsigned left_shift = 0;    ///< shift of each sample, from 9 to 10 or 14 to 16 bits
    bool rgb = false;           ///< made of RGB; else by moving samples
    bool resize_chroma = false; ///< no layout of ours has its chroma's size
    bool full_range = false;    ///< the format itself says so

    bool operator==(const PixelLayout &) const = default;
};

/// Empty: it is not supported.
std::optional<PixelLayout> pixel_layout(AVPixelFormat format);

/// The planar little-endian format without alpha in which such samples are held.
AVPixelFormat planar_format(VmafPixelFormat pix_fmt, unsigned depth);

/// "yuv420p10le"; the number for one that the library does not know.
std::string pixel_format_name(AVPixelFormat format);

} // namespace vmaf::tool
