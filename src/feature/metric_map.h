#pragma once

#include <vector>

namespace vmaf {

/// A metric's value at each place of a picture pair.
struct MetricMap {
    unsigned width_px;
    unsigned height_px;
    std::vector<float> values; ///< row by row
    double dark, bright;       ///< values that pictures of the map show as their first and last colour
};

} // namespace vmaf
