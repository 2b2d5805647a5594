#pragma once

#include "feature/feature.h"

namespace vmaf {

/// By how much a score of the feature on a GPU may differ from the CPU's. 0: not at all, or nothing runs on GPUs in this build.
double gpu_tolerance(const FeatureSpec &feature);

} // namespace vmaf
