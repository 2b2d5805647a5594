#pragma once

// Shared with kernels/float_ansnr/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_ansnr/float_ansnr_params.h"

namespace vmaf {

constexpr unsigned kFloatAnsnrSums = 2; ///< signal, noise

/// One for all kernels of a batch.
struct FloatAnsnrKernelParams {
    CudaPairBatch batch;
    int width_px;
    int height_px;
    FloatUnit unit;
    float *row_sums; ///< kFloatAnsnrSums x height_px for each frame
};

} // namespace vmaf
