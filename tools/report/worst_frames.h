#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scores/score_columns.h"

namespace vmaf::tool {

struct FrameScore {
    unsigned frame;
    double score;
};

/// The frames with the lowest scores, ascending, ties by frame number. Frames without a score are left out.
/// @param frames the numbers of the metric's rows.
std::vector<FrameScore> worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames, std::size_t count);

/// @param fps frames per second; empty: unknown, and so are times.
std::string worst_frames_table(const std::string &metric, std::span<const FrameScore> worst, std::optional<double> fps);

} // namespace vmaf::tool
