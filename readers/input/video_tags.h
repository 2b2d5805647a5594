#pragma once

#include <optional>
#include <string>

namespace vmaf::tool {

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
