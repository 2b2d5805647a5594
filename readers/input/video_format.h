#pragma once

#include <optional>
#include <string>

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

/// What a video says of itself besides its format.
struct VideoTags {
    bool is_media = false;     ///< neither raw nor YUV4MPEG2
    std::string stored_format; ///< of a media file's first frame: "yuv420p10le"
    bool full_range = false;   ///< unknown counts as limited
    bool is_rgb = false;
    bool is_interlaced = false;
    std::string matrix, primaries, transfer; ///< "bt709"; empty: unknown
    int pixel_aspect_num = 0;                ///< 0: unknown
    int pixel_aspect_den = 1;
};

} // namespace vmaf::tool
