#pragma once

#include "base/cpu.h"
#include "feature/common/light_curve.h"

namespace vmaf {

/// Rows have `count` values; every value is a pure function of those it is made from.
struct Pu21Loops {
    /// From R, G, B. Their rows may be the same row.
    void (*luminance)(const float *const light[3], const float (&weights)[3], unsigned count, float *out);
    /// spec hdr 3: pu() of light and what the display reflects, in cd/m2, times `scale`.
    void (*encode)(const LightCurve &pu, const float *light, double reflected, double scale, unsigned count,
                   float *out);
    /// Sum of squared differences.
    double (*squares)(const float *ref, const float *dis, unsigned count);
};

VMAF_DECLARE_CPU_VARIANTS(Pu21Loops, kPu21Loops)

} // namespace vmaf
