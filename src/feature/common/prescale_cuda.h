#pragma once

// Shared with kernels/common/prescale.cuh: plain C++17.

namespace vmaf {

/// One axis of a Prescaler in device memory: tap i of output sample x is at [i * length + x].
struct PrescaleAxisTables {
    const int *index;
    const float *weight;
    int length;
};

/// All that resampling pictures of one size to another one takes.
struct PrescaleTables {
    PrescaleAxisTables columns, rows;
    int taps;
    bool normalised; ///< divided by the sum of weights
};

} // namespace vmaf
