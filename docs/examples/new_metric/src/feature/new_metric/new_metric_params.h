#pragma once

// Shared with kernels/new_metric/: plain C++17.

#include <cstdint>

namespace vmaf {

/// What a backend computes of one frame: the sum of |ref - dis| over the luma plane.
struct NewMetricSums {
    std::uint64_t difference;
};

} // namespace vmaf
