#pragma once

// Shared with kernels/float_moment/: plain C++17.

#include "cuda/batch.h"
#include "feature/float_moment/float_moment_params.h"

namespace vmaf {

/// Argument of vmaf_float_moment_8bit, _12bit and _16bit.
struct FloatMomentKernelParams {
    CudaPairBatch batch;
    int width_px;
    int height_px;
};

/// A warp has kFloatMomentWarpRows whole rows of both pictures, 16 bytes a lane at a time.
constexpr int kFloatMomentWarpRows = 4;
constexpr int kFloatMomentBlockWarps = 8;

} // namespace vmaf
