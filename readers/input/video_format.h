#pragma once

#include <optional>
#include <string>

#include "input/h273.h"
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

/// The codes of black and white.
enum class Range { limited, full };

constexpr const char *range_text(Range range)
{
    return range == Range::full ? "full" : "limited";
}

/// ITU-T H.273 codes (h273.h).
struct ColourTags {
    int matrix = h273::kUnspecified;
    int primaries = h273::kUnspecified;
    int transfer = h273::kUnspecified;

    bool operator==(const ColourTags &) const = default;
};

/// Properties of samples set by an option; empty: the file's own tags count.
struct SampleTags {
    std::optional<Range> range;
    std::optional<int> matrix; ///< H.273
};

/// A colour that transparent videos are composed over, components of RGB from 0 to 1.
struct Background {
    float red, green, blue;
};

/// How a picture is turned before it is shown: first mirrored, then rotated.
struct Orientation {
    bool is_mirrored = false;   ///< left and right change places
    unsigned quarter_turns = 0; ///< clockwise, 0 to 3

    bool operator==(const Orientation &) const = default;
};

/// A video's own tags besides its format.
struct VideoTags {
    bool is_media = false;      ///< neither raw nor YUV4MPEG2
    std::string codec;          ///< libavcodec's name for a media file's codec: "h264"
    std::string stored_format;  ///< pixel format of a media file's first frame: "yuv420p10le"
    std::optional<Range> range; ///< from the file, its format or an option; empty counts as limited
    ColourTags colour;
    Orientation orientation;
    bool is_rgb = false;
    bool has_alpha = false; ///< and it is not opaque everywhere
    bool is_interlaced = false;
    bool is_still = false;          ///< one picture, which has no rate
    bool is_live = false;           ///< a playlist that may still grow
    bool has_film_grain = false;    ///< parameters for its synthesis
    std::string filters;            ///< the graph of libavfilter that its frames have gone through; empty: none
    bool has_variable_rate = false; ///< by its time stamps
    int pixel_aspect_num = 0;       ///< 0: unknown
    int pixel_aspect_den = 1;
};

/// A picture's format and what its samples mean.
struct PictureForm {
    VideoFormat format;
    Range range = Range::limited;
    int matrix = h273::kUnspecified; ///< H.273

    bool operator==(const PictureForm &) const = default;
};

} // namespace vmaf::tool
