#pragma once

#include "base/cpu.h"
#include "feature/common/light_curve.h"

namespace vmaf {

/// A row of colours in the space of ITU-R BT.2124.
struct ItpRow {
    double *i, *t, *p;
};

/// Rows have `count` values; every value is a pure function of those it is made from.
struct DeltaEItpLoops {
    /// spec hdr 4: of light of the primaries of BT.2020, in cd/m2. Rows of light may be the same
    /// row.
    void (*to_itp)(const LightCurve &pq, const float *const light[3], unsigned count, ItpRow out);
    void (*differences)(const ItpRow &ref, const ItpRow &dis, unsigned count, float *out);
};

VMAF_DECLARE_CPU_VARIANTS(DeltaEItpLoops, kDeltaEItpLoops)

} // namespace vmaf
