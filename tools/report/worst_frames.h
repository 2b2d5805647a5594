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

/// The worst frames, the worst first, ties by frame number. Frames without a score are left out. If
/// it is unknown which scores are better, the lowest are worst.
/// @param frames the numbers of the metric's rows.
std::vector<FrameScore> worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames, std::size_t count);

/// @param fps frames per second; empty: unknown, and so are times.
std::string worst_frames_table(const std::string &metric, std::span<const FrameScore> worst, std::optional<double> fps);

/// Worst frames that a report lists.
constexpr std::size_t kListedWorstFrames = 20;

/// How far apart they are (spec cli 10.7): a second, in frames.
unsigned worst_frame_gap(std::optional<double> frames_per_second);

/// Indices of the worst scores, each at least `gap` frame numbers from those before: the worst
/// first, equal ones by frame.
/// @param frames ascending, as many as the metric has scores.
std::vector<std::size_t> spaced_worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames,
                                             std::size_t count, unsigned gap);

} // namespace vmaf::tool
