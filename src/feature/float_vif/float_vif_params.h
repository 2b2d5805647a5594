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

/// The longest filter: kernel scale 4 would give 69 taps (spec float_features 3.2).
constexpr unsigned kFloatVifMaxTaps = 69;

/// What is filtered: the samples, and their squares and products ref*ref, dis*dis, ref*dis.
enum FloatVifPlane { kFloatVifRef, kFloatVifDis, kFloatVifRefRef, kFloatVifDisDis, kFloatVifRefDis, kFloatVifPlanes };

/// What the statistic needs to know of the options.
struct FloatVifNoise {
    double sigma_nsq;
    float least_variance; ///< the smallest float that is not below sigma_nsq
    float low_factor;     ///< K
    float gain_limit;
    bool exact_inverse; ///< sigma_nsq is a power of two: dividing by it is multiplying by `inverse`
    float inverse;
};

} // namespace vmaf
