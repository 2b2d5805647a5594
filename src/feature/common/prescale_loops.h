#pragma once

#include "base/cpu.h"

namespace vmaf {

/// The row steps of spec speed 3.2.
struct PrescaleLoops {
    /// out[x] += source[index[x]] * (column_weights[x] * row_weight)
    void (*add_tap)(const float *source, const int *index, const float *column_weights, float row_weight,
                    unsigned width_px, float *out);
    /// sum[x] += column_weights[x] * row_weight
    void (*add_weight)(const float *column_weights, float row_weight, unsigned width_px, float *sum);
    /// out[x] /= sum[x]
    void (*divide)(const float *sum, unsigned width_px, float *out);
};

VMAF_DECLARE_CPU_VARIANTS(PrescaleLoops, kPrescaleLoops)

} // namespace vmaf
