#pragma once

// Shared with kernels/delta_e_itp/ and the hot loops: plain C++17 (feature/common/powers.h).

#include <cmath>

#include "feature/common/light_curve.h"

namespace vmaf {
namespace {

/// A colour in the space of ITU-R BT.2124.
struct Itp {
    double i, t, p;
};

/// spec hdr 4: L (0), M (1) or S (2) of light of the primaries of BT.2020, in cd/m2.
template <int Cone> VMAF_LOCAL_INLINE double cone_signal(const LightCurve &pq, double r, double g, double b)
{
    constexpr double kWeights[3][3] = {{1688, 2146, 262}, {683, 2951, 462}, {99, 309, 3688}};
    constexpr double kR = kWeights[Cone][0] / 4096, kG = kWeights[Cone][1] / 4096, kB = kWeights[Cone][2] / 4096;
    return on_curve(pq, kR * r + kG * g + kB * b);
}

VMAF_LOCAL_INLINE Itp itp_of_cones(double l, double m, double s)
{
    return {0.5 * l + 0.5 * m, (6610.0 / 8192) * l - (13613.0 / 8192) * m + (7003.0 / 8192) * s,
            (17933.0 / 4096) * l - (17390.0 / 4096) * m - (543.0 / 4096) * s};
}

VMAF_LOCAL_INLINE Itp itp_of_light(const LightCurve &pq, double r, double g, double b)
{
    return itp_of_cones(cone_signal<0>(pq, r, g, b), cone_signal<1>(pq, r, g, b), cone_signal<2>(pq, r, g, b));
}

/// spec hdr 4: delta E ITP. No colour of a video is NaN, so no result has a sign: its bits are in
/// the order of the values.
VMAF_LOCAL_INLINE float delta_e_itp(const Itp &a, const Itp &b)
{
    const double i = a.i - b.i, t = a.t - b.t, p = a.p - b.p;
    return static_cast<float>(720 * std::sqrt(i * i + t * t + p * p));
}

} // namespace
} // namespace vmaf
