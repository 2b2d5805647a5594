#pragma once

// Shared with kernels and hot loops: plain C++17 (feature/common/powers.h).

#include "feature/common/powers.h"

namespace vmaf {

/// Each doubling of the light has 2^kCurveSegmentBits segments of equal width.
constexpr unsigned kCurveSegmentBits = 6;
constexpr unsigned kCurveOffsetBits = 52 - kCurveSegmentBits; ///< of a mantissa, where in the segment light lies

/// c0 + c1 u + c2 u^2 + c3 u^3 + c4 u^4 of the distance u from the segment's middle, where the
/// doubling that the segment is of begins at 1. So u is 1/128 at most.
struct alignas(32) CurveSegment {
    double c0, c1, c2;
    std::uint64_t c3_c4; ///< upper halves of their bits, which suffice beside u^3
};

/// A smooth function of light, tabulated (feature/common/light_curve_table.h).
struct LightCurve {
    const CurveSegment *segments;
    std::uint64_t first; ///< the first segment's number: what begins the bits of its light
    double least, most;  ///< other light counts as these
};

namespace {

VMAF_LOCAL_INLINE double on_curve(const LightCurve &curve, double light)
{
    constexpr std::uint64_t kOffset = (std::uint64_t{1} << kCurveOffsetBits) - 1, kOne = std::uint64_t{1023} << 52;
    constexpr double kMiddle = 1 + 0.5 / (1U << kCurveSegmentBits);
    const double limited = light < curve.least ? curve.least : light > curve.most ? curve.most : light;
    const std::uint64_t bits = bits_of_double(limited);
    const CurveSegment segment = curve.segments[(bits >> kCurveOffsetBits) - curve.first];
    const double u = double_of_bits((bits & kOffset) | kOne) - kMiddle;
    const double c3 = double_of_bits(segment.c3_c4 & 0xffffffff00000000), c4 = double_of_bits(segment.c3_c4 << 32);
    return (((c4 * u + c3) * u + segment.c2) * u + segment.c1) * u + segment.c0;
}

} // namespace
} // namespace vmaf
