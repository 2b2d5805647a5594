#pragma once

#include "base/cpu.h"

namespace vmaf {

/// The blurs of spec butteraugli 3.2: taps[k] weighs the values at distance k on both sides, up to
/// `reach`. Every value is a pure function of those it is made from.
struct ButteraugliBlurLoops {
    /// Blurs 2 reach + 1 rows vertically, columns first to first + count - 1; times `scale`.
    void (*blur_columns)(const float *const *rows, unsigned first, unsigned count, const float *taps, unsigned reach,
                         float scale, float *out);
    /// Blurs one row, with `reach` values beyond both ends; times scales[x].
    void (*blur_row)(const float *values, unsigned count, const float *taps, unsigned reach, const float *scales,
                     float *out);
};

VMAF_DECLARE_VECTOR_VARIANTS(ButteraugliBlurLoops, kButteraugliBlurLoops)

} // namespace vmaf
