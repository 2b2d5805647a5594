#pragma once

// Shared with kernels/delta_e_itp/ and the hot loops: plain C++17 (feature/common/powers.h).

#include <cmath>

#include "feature/common/powers.h"

namespace vmaf {
namespace {

/// A colour in the space of ITU-R BT.2124.
struct Itp {
    double i, t, p;
};

/// spec hdr 4: pq() of light in cd/m2. Its base is (1 + z) / (1 - z) with one division.
VMAF_LOCAL_INLINE double pq_of_light(double light)
{
    constexpr double kM1 = 0.1593017578125, kM2 = 78.84375;
    constexpr double kC1 = 0.8359375, kC2 = 18.8515625, kC3 = 18.6875;
    constexpr double kLog2OfPeak = 13.287712379549449; // log2(10000)
    const double t = exact_exp2(kM1 * (exact_log2(light) - kLog2OfPeak));
    const double z = (kC3 - kC2) * (1 - t) / ((kC1 + 1) + (kC2 + kC3) * t);
    return exact_exp2(kM2 * log2_of_quotient(z));
}

/// spec hdr 4: of light of the primaries of BT.2020.
VMAF_LOCAL_INLINE Itp itp_of_light(double r, double g, double b)
{
    const double l = pq_of_light((1688.0 / 4096) * r + (2146.0 / 4096) * g + (262.0 / 4096) * b);
    const double m = pq_of_light((683.0 / 4096) * r + (2951.0 / 4096) * g + (462.0 / 4096) * b);
    const double s = pq_of_light((99.0 / 4096) * r + (309.0 / 4096) * g + (3688.0 / 4096) * b);
    return {0.5 * l + 0.5 * m, (6610.0 / 8192) * l - (13613.0 / 8192) * m + (7003.0 / 8192) * s,
            (17933.0 / 4096) * l - (17390.0 / 4096) * m - (543.0 / 4096) * s};
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
