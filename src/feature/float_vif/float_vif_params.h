#pragma once

namespace vmaf {

constexpr unsigned kFloatVifScales = 4;

/// Sums over the pixels of one scale, in the order of spec float_features 3.3.
struct FloatVifScaleSums {
    float num;
    float den;
};

/// What is computed for one frame. 0 for a scale not scored.
struct FloatVifSums {
    FloatVifScaleSums scale[kFloatVifScales];
};
static_assert(sizeof(FloatVifSums) == 32);

} // namespace vmaf
