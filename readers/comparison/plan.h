#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comparison/bars.h"
#include "input/delivery.h"
#include "input/input_options.h"
#include "input/video_format.h"

/// How two videos are brought together, and what speaks against comparing them (spec comparison
/// 2): a pure function of what they say.
namespace vmaf::tool {

/// One video as it says it is.
struct VideoDescription {
    std::string name; ///< printable
    PictureForm form; ///< form of its frames if nothing is converted
    VideoTags tags;
    std::optional<double> frame_rate;       ///< frames per second
    std::optional<FoundPicture> found = {}; ///< if it was looked for
};

enum class Side { reference, distorted, both };

/// detail: for reports alone. note: said. warning: said, an error with --strict. error: the videos
/// are not compared.
enum class Severity { detail, note, warning, error };

struct Decision {
    enum class Kind {
        display,
        size,
        layout,
        depth,
        range,
        matrix,
        alpha,
        primaries,
        transfer,
        dynamic_range,
        pixel_aspect,
        interlace,
        filter,
        film_grain,
        frame_rate,
        orientation,
        crop,
        aspect,
        live_playlist,
    };
    Kind kind;
    Side side;
    Severity severity;
    std::string text; ///< one line, as it is said

    bool operator==(const Decision &) const = default;
};

struct Plan {
    Delivery ref;
    Delivery dis;
    std::vector<Decision> decisions; ///< in the order in which they are said
};

/// Its transfer is PQ or HLG, or it is raw video or Y4M, which cannot say.
bool may_be_hdr(const VideoTags &tags);

Plan plan_comparison(const VideoDescription &ref, const VideoDescription &dis, const InputOptions &options);

} // namespace vmaf::tool
