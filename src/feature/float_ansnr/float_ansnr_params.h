#pragma once

namespace vmaf {

/// Sums over the luma plane in the order of spec float_features 3.12: of the squares of the
/// filtered reference, and of its difference to the filtered distorted picture.
struct FloatAnsnrSums {
    float signal;
    float noise;
};
static_assert(sizeof(FloatAnsnrSums) == 8);

} // namespace vmaf
