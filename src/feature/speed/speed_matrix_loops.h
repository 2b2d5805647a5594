#pragma once

#include <cstddef>

#include "base/cpu.h"
#include "feature/speed/speed_loops.h"

namespace vmaf {

/// kSpeedDimension rows; kSpeedDimension columns and padding that means nothing, or kSpeedLanes
/// right-hand sides.
struct alignas(64) SpeedMatrix {
    float at[kSpeedDimension][kSpeedLanes];
};

/// The dense algebra of spec speed 3.6 and 3.7.
struct SpeedMatrixLoops {
    /// Householder tridiagonalisation of a symmetric matrix, which is destroyed: diagonal d,
    /// subdiagonal e (one shorter).
    void (*tridiagonalise)(SpeedMatrix &a, float d[kSpeedDimension], float e[kSpeedDimension]);
    /// Householder QR of k: r = g * k, triangular but for rounding.
    void (*decompose)(const SpeedMatrix &k, SpeedMatrix &g, SpeedMatrix &r);
    /// Variances of kSpeedLanes blocks, one a column of y: solves r * x = g * y.
    void (*variances)(const SpeedMatrix &g, const SpeedMatrix &r, const SpeedMatrix &y, float s[kSpeedLanes]);
};

VMAF_DECLARE_CPU_VARIANTS(SpeedMatrixLoops, kSpeedMatrixLoops)

} // namespace vmaf
