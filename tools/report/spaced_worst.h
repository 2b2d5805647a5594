#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace vmaf::tool {

/// Worst frames that a report lists.
constexpr std::size_t kListedWorstFrames = 20;

/// How far apart they are (spec cli 10.7): a second, in frames.
unsigned worst_frame_gap(std::optional<double> frames_per_second);

/// Indices of the lowest scores, each at least `gap` frame numbers from those before: the lowest first, equal ones by frame.
/// @param frames ascending, as many as scores. Scores that are not finite are left out.
std::vector<std::size_t> spaced_worst_frames(std::span<const unsigned> frames, std::span<const double> scores,
                                             std::size_t count, unsigned gap);

} // namespace vmaf::tool
