#pragma once

// Shared with kernels/motion.cu: plain C++17.

#include "cuda/batch.h"

namespace vmaf {

/// Argument of vmaf_motion_sad_8bit and vmaf_motion_sad_16bit.
struct MotionKernelParams {
    CudaBatch batch;
    unsigned distance; ///< how many calls earlier the picture was read that a frame is compared with, from 1
    int width_px;
    int height_px;
    int bpc;
};

/// A lane has a column of kMotionLanePixels pixels. The first and the last lane of a warp only supply what their
/// neighbours' horizontal filter reaches, so a warp measures kMotionWarpWidth columns, kMotionWarpRows rows downwards; the
/// warps of a block lie below each other.
constexpr int kMotionLanePixels = 8;
constexpr int kMotionWarpWidth = 30 * kMotionLanePixels;
constexpr int kMotionWarpRows = 20;
constexpr int kMotionBlockWarps = 4;

} // namespace vmaf
