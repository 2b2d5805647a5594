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

/// Worst frames that a report lists.
constexpr std::size_t kListedWorstFrames = 20;

/// How far apart they are (spec cli 10.7): a second, in frames.
unsigned worst_frame_gap(std::optional<double> frames_per_second);

/// Indices of the lowest scores, each at least `gap` frame numbers from those before: the lowest first, equal ones by frame.
/// @param frames ascending, as many as scores. Scores that are not finite are left out.
std::vector<std::size_t> spaced_worst_frames(std::span<const unsigned> frames, std::span<const double> scores,
                                             std::size_t count, unsigned gap);

} // namespace vmaf::tool
