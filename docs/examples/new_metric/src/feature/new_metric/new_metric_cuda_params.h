#pragma once

// Shared with kernels/new_metric/: plain C++17.

#include "cuda/batch.h"
#include "feature/new_metric/new_metric_params.h"

namespace vmaf {

/// Argument of vmaf_new_metric_8bit and _16bit.
struct NewMetricKernelParams {
    CudaPairBatch batch;
    unsigned width_px, height_px;
};

/// A warp has a row.
constexpr unsigned kNewMetricBlockRows = 8;

} // namespace vmaf
