#pragma once

#include "base/cpu.h"

namespace vmaf {

/// The rows of a filter are filtered along the picture's rows, each once, and added up for every
/// row that they reach. The rows of the reference's filter differ by a factor 2 only; the distorted
/// picture's has three kinds, from the outermost to the centre.
constexpr unsigned kAnsnrRefRows = 3;
constexpr unsigned kAnsnrDisReach = 2, kAnsnrDisRows = 5, kAnsnrDisKinds = 3;

struct FloatAnsnrLoops {
    /// 1 2 1 over 16. `row` has a value before and after it, already reflected.
    void (*ref_row)(const float *row, unsigned width_px, float *filtered);
    /// The three kinds of row over 571. `row` has kAnsnrDisReach values before and after it,
    /// already reflected.
    void (*dis_row)(const float *row, unsigned width_px, float *const filtered[kAnsnrDisKinds]);
    /// Terms of S and Z for one row, from the filtered rows around it, each of the kind that stands
    /// at its place.
    void (*terms)(const float *const ref[kAnsnrRefRows], const float *const dis[kAnsnrDisRows], unsigned width_px,
                  float *signal, float *noise);
};

VMAF_DECLARE_CPU_VARIANTS(FloatAnsnrLoops, kFloatAnsnrLoops)

} // namespace vmaf
