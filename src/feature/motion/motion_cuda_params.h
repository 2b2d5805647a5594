#pragma once

// Shared with kernels/motion/: plain C++17.

#include "cuda/batch.h"
#include "feature/motion/motion_params.h"

namespace vmaf {

/// Luma of two reference pictures; `earlier` is empty for a frame that is compared with nothing.
struct MotionFrame {
    CudaPlane current;
    CudaPlane earlier;
    MotionSums *sums;
};

/// Argument of vmaf_motion_sad_8bit and vmaf_motion_sad_16bit.
struct MotionKernelParams {
    MotionFrame frames[kMaxBatchFrames];
    int width_px;
    int height_px;
    int bpc;
};

/// A lane has a column of kMotionLanePixels pixels. The first and the last lane of a warp only
/// supply what their neighbours' horizontal filter reaches, so a warp measures kMotionWarpWidth
/// columns, kMotionWarpRows rows downwards; the warps of a block lie below each other.
constexpr int kMotionLanePixels = 8;
constexpr int kMotionWarpWidth = 30 * kMotionLanePixels;
constexpr int kMotionWarpRows = 20;
constexpr int kMotionBlockWarps = 4;

} // namespace vmaf
