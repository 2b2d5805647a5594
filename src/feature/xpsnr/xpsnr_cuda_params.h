#pragma once

// Shared with kernels/xpsnr/: plain C++17.

#include "cuda/batch.h"
#include "feature/xpsnr/xpsnr_blocks.h"
#include "feature/xpsnr/xpsnr_params.h"

namespace vmaf {

constexpr unsigned kXpsnrLookBack = 2;

/// Planes of a frame. Earlier luma is empty where there is none: black.
struct XpsnrFrame {
    PairOf<CudaPlane> pair;
    CudaPlane earlier[kXpsnrLookBack];
    XpsnrSums *sums;
};

/// Argument of all kernels of kernels/xpsnr/xpsnr.cu.
struct XpsnrKernelParams {
    XpsnrFrame frames[kMaxBatchFrames];
    XpsnrGrid grid;
    XpsnrBlockSums *block_sums; ///< of each frame grid.columns * grid.rows, in raster order
    double *weights;            ///< of each block of each frame, in raster order
};
static_assert(sizeof(XpsnrKernelParams) <= kMaxKernelParamBytes);

/// A block of the picture has a block of threads.
constexpr int kXpsnrWarps = 4;
/// The block of threads that adds up a frame.
constexpr int kXpsnrErrorWarps = 4;
constexpr int kXpsnrChunk = 512;

} // namespace vmaf
