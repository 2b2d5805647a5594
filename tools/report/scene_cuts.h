#pragma once

#include <vector>

#include "scores/score_columns.h"

namespace vmaf::tool {

/// Frames with which a new scene begins: the reference differs from the frame before at least three
/// times as much as it does one frame earlier and one later. Taken from the feature motion, which
/// default models have; empty without it.
std::vector<unsigned> scene_cuts(const ScoreColumns &scores);

} // namespace vmaf::tool
