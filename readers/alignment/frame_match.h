#pragma once

#include <vector>

#include "alignment/lag.h"

namespace vmaf::tool {

/// Which reference frame each distorted frame shows. Frame numbers are those of the videos.
struct FrameMatch {
    /// Lag of the first frames that are matched. If the lag changes, best_db is that of all pairs.
    LagEstimate start;
    std::vector<int> ref_frame;     ///< for each distorted frame; -1: it shows no reference frame
    std::vector<unsigned> dropped;  ///< reference frames between shown ones that none shows
    std::vector<unsigned> repeated; ///< distorted frames that show again what was shown before
};

/// If no frame can be matched (start.outcome is no_match or ambiguous), frames keep their numbers.
/// @param most_frames as of estimate_lag
FrameMatch match_frames(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames);

} // namespace vmaf::tool
