#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comparison/frame_sample.h"
#include "comparison/pairing.h"
#include "input/input_options.h"

namespace vmaf::tool {

/// How videos are read and compared. These are plain values, because readers know no command line.
struct ReadingOptions {
    std::string reference;              ///< a path, "-" or, with input.allow_network, an address
    std::vector<std::string> distorted; ///< one or more, all against the reference
    InputOptions input;
    unsigned skip_ref = 0;  ///< frames of the reference that are dropped at its start
    unsigned skip_dist = 0; ///< frames of each distorted video that are dropped at its start
    Alignment align = Alignment::check;
    std::optional<FrameOffset> offset;  ///< offset of the distorted videos, if known
    unsigned count = 0;                 ///< no more frames are compared; 0: no limit
    unsigned subsample = 0;             ///< every so many frames one is scored; 0: each
    std::optional<SampleOption> sample; ///< empty: frames are scored as count and subsample say
    bool strict = false;                ///< warnings are errors
};

} // namespace vmaf::tool
