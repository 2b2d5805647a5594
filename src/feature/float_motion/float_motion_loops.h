#pragma once

#include "base/cpu.h"
#include "feature/float_motion/float_motion_params.h"

namespace vmaf {

/// The row steps of spec motion 7.
struct FloatMotionLoops {
    /// Step 2, the vertical pass: the rows y-2 .. y+2.
    void (*filter_columns)(const float *const rows[kFloatMotionTaps], const float taps[kFloatMotionTaps],
                           unsigned width_px, float *out);
    /// Step 2, the horizontal pass: `row` has two values before and after it, already reflected.
    void (*filter_row)(const float *row, const float taps[kFloatMotionTaps], unsigned width_px, float *out);
    /// Step 3: |a - b|.
    void (*difference)(const float *a, const float *b, unsigned width_px, float *out);
};

VMAF_DECLARE_CPU_VARIANTS(FloatMotionLoops, kFloatMotionLoops)

} // namespace vmaf
