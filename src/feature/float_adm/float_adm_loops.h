#pragma once

#include <cstddef>

#include "base/cpu.h"
#include "feature/adm/adm_params.h"
#include "feature/float_adm/float_adm_params.h"

namespace vmaf {

/// Type of the samples of a DWT input. Pictures hold samples, later scales the band A.
enum FloatAdmSample : unsigned { kFloatAdmU8, kFloatAdmU16, kFloatAdmF32 };

/// One row of a signal (restored or additive): f * y of every band as its magnitude, and the
/// masker's n (spec float_features 3.9).
struct FloatAdmSignalRow {
    float *strength[kAdmBands];
    float *neighbour[kAdmBands];
};

/// What decoupling reads and writes.
struct FloatAdmDecoupling {
    const float *ref[kAdmBands]; ///< a row of the bands
    const float *dis[kAdmBands];
    int *flag; ///< scratch rows
    float *r;
    float *a;
    double gain_limit;
    const float *weight; ///< by band
    FloatAdmSignalRow restored;
    FloatAdmSignalRow additive;
    float *reference[kAdmBands]; ///< |f * o|
};

/// A masker's rows above, at and below the one that it masks.
struct FloatAdmMask {
    const float *neighbour[3][kAdmBands];
    const float *centre[kAdmBands]; ///< |x|
};

/// Row loops of spec float_features 3.6 to 3.9.
struct FloatAdmLoops {
    /// Vertical pass over four input rows, by FloatAdmSample: the low and the high line. `scale`
    /// makes a sample one of 8 bits.
    void (*filter_rows[3])(const void *const rows[4], float scale, AdmSpan span, float *low, float *high);
    /// Horizontal pass: span in output columns; reads line[2 * begin - 1] to line[2 * end].
    void (*filter_line)(const float *line, AdmSpan span, float *low_band, float *high_band);

    void (*decouple)(const FloatAdmDecoupling &row, AdmSpan span);

    /// thr; reads one column on either side of the span.
    void (*thresholds)(const FloatAdmMask &mask, AdmSpan span, float *threshold);
    /// v = max(strength - threshold, 0)
    void (*subtract_threshold)(const float *strength, const float *threshold, AdmSpan span, float *v);
    /// (v * v) * v, in place.
    void (*cube)(float *v, AdmSpan span);
};

VMAF_DECLARE_CPU_VARIANTS(FloatAdmLoops, kFloatAdmLoops)

} // namespace vmaf
