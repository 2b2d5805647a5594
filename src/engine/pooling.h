#pragma once

#include "base/result.h"
#include "engine/score_table.h"

namespace vmaf {

/// VmafPoolingMethod of the C API, checked.
enum class PoolingMethod { min = 1, max = 2, mean = 3, harmonic_mean = 4 };

/// Result of each method for the same frames.
struct PooledScores {
    double min, max, mean, harmonic_mean;
};

/// Pools the frames low..high whose index is a multiple of `subsample` (0 and 1: all), in double
/// and in index order (spec abi 4.6). -EINVAL if one of them has no score.
Result<PooledScores> pool_scores(const ScoreColumn &column, unsigned low, unsigned high, unsigned subsample);
Result<double> pool_scores(const ScoreColumn &column, PoolingMethod method, unsigned low, unsigned high,
                           unsigned subsample);

} // namespace vmaf
