#pragma once

#include <string>

#include "scores/score_columns.h"

namespace vmaf::tool {

/// The first score of a device that is not the CPU's, in words; empty: there is none. @param
/// tolerance as VmafFeatureInfo::gpu_tolerance, for scores below 1, and relative to larger ones.
std::string score_difference(const ScoreColumns &device, const ScoreColumns &cpu, double tolerance);

} // namespace vmaf::tool
