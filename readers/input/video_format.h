#pragma once

#include "libvmaf/picture.h"

namespace vmaf::tool {

/// The largest width or height that is accepted (spec cli 3.1).
constexpr unsigned kMaxDimensionPx = 32768;

/// Size and sample layout of a video, as pictures hold it.
struct VideoFormat {
    unsigned width_px = 0;
    unsigned height_px = 0;
    VmafPixelFormat pix_fmt = VMAF_PIX_FMT_UNKNOWN;
    unsigned depth = 0; ///< bits per sample

    bool operator==(const VideoFormat &) const = default;
};

constexpr const char *pixel_format_text(VmafPixelFormat pix_fmt)
{
    switch (pix_fmt) {
    case VMAF_PIX_FMT_YUV420P:
        return "420";
    case VMAF_PIX_FMT_YUV422P:
        return "422";
    case VMAF_PIX_FMT_YUV444P:
        return "444";
    case VMAF_PIX_FMT_YUV400P:
        return "400";
    case VMAF_PIX_FMT_UNKNOWN:
        break;
    }
    return "unknown";
}

} // namespace vmaf::tool
