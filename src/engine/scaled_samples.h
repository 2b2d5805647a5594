#pragma once

// Shared with kernels/scale/scale.cu: plain C++17.

#include <cstdint>

#include "base/host_and_device.h"

namespace vmaf {

/// Weights of a scaling filter are in 1/2^14; between the passes a sample is in 1/2^7, signed (spec
/// device_pictures 3).
constexpr unsigned kScaleWeightBits = 14;
constexpr unsigned kScaleBetweenBits = 7;
/// No filter's weights sum up to more, each without its sign: 1.3 of a whole for bicubic, and 1 for
/// each rounded weight of kMostScaleWeights. So the sums of both passes fit, for all samples of the
/// type.
constexpr std::int64_t kMostScaleWeight = 25600;

/// What a sum over samples times weights fits into. The second pass: 16 bits, 7 behind the point,
/// 1.6 times 1.6, 14 of the weight.
using ScaleAcrossSum = std::int32_t;
template <class Sample> struct ScaleDownSumOf {
    using Type = std::int64_t;
};
template <> struct ScaleDownSumOf<std::uint8_t> {
    using Type = std::int32_t;
};
template <class Sample> using ScaleDownSum = typename ScaleDownSumOf<Sample>::Type;

constexpr std::int64_t most_between(std::int64_t most_sample)
{
    return (most_sample * kMostScaleWeight >> (kScaleWeightBits - kScaleBetweenBits)) + 1;
}
static_assert(0xffff * kMostScaleWeight + (1 << 6) <= INT32_MAX);
static_assert(most_between(0xff) * kMostScaleWeight + (1 << 20) <= INT32_MAX);
static_assert(most_between(0xffff) < INT32_MAX && most_between(0xffff) < (INT64_MAX >> 20) / kMostScaleWeight);

namespace { // compiled for several processors (base/cpu.h)

/// Rounded half up.
VMAF_HOST_AND_DEVICE std::int32_t scaled_across(ScaleAcrossSum sum)
{
    constexpr unsigned kShift = kScaleWeightBits - kScaleBetweenBits;
    return (sum + (1 << (kShift - 1))) >> kShift;
}

/// Scales a sum down to a sample, rounded and clipped.
template <class Sum> VMAF_HOST_AND_DEVICE unsigned scaled_down(Sum sum, unsigned max_sample)
{
    constexpr unsigned kShift = kScaleWeightBits + kScaleBetweenBits;
    const Sum value = (sum + (Sum{1} << (kShift - 1))) >> kShift;
    if (value < 0)
        return 0;
    return value > static_cast<Sum>(max_sample) ? max_sample : static_cast<unsigned>(value);
}

} // namespace
} // namespace vmaf
