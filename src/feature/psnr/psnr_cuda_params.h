#pragma once

// Shared with kernels/psnr/: plain C++17.

#include "cuda/batch.h"

namespace vmaf {

struct PsnrPlaneSize {
    int width_px;
    int height_px;
};

/// Argument of vmaf_psnr_sse_8bit and vmaf_psnr_sse_16bit. Planes with no rows are not measured.
struct PsnrKernelParams {
    CudaPairBatch batch;
    PsnrPlaneSize planes[3];
};

/// A warp measures kPsnrWarpRows whole rows of one plane, 16 bytes a lane at a time.
constexpr int kPsnrWarpRows = 4;
constexpr int kPsnrBlockWarps = 8;

} // namespace vmaf
