#pragma once

// Shared with kernels/pu21/ and the hot loops: plain C++17 (feature/common/powers.h).

#include "feature/common/powers.h"

namespace vmaf {
namespace {

/// spec hdr 3: pu() of light in cd/m2.
VMAF_LOCAL_INLINE double pu_of_light(double light)
{
    constexpr double kP1 = 0.353487901, kP2 = 0.3734658629, kP3 = 8.277049286e-05, kP4 = 0.9062562627;
    constexpr double kP5 = 0.09150303166, kP6 = 0.9099517204, kP7 = 596.3148142;
    constexpr double kLeast = 0.005, kMost = 10000;
    const double limited = light < kLeast ? kLeast : light > kMost ? kMost : light;
    const double power = exact_exp2(kP4 * exact_log2(limited));
    const double base = (kP1 + kP2 * power) / (1 + kP3 * power);
    const double pu = kP7 * (exact_exp2(kP5 * exact_log2(base)) - kP6);
    return pu > 0 ? pu : 0;
}

} // namespace
} // namespace vmaf
