#pragma once

// Shared with kernels/normalise/normalise.cu: plain C++17.

#include "cuda/batch.h"

namespace vmaf {

/// Samples that do not lie as they are scored, and where they go.
struct NormaliseJob {
    CudaPlane from;
    unsigned char *to
        [2]; ///< of pairs: of the first and of the second sample; else [0]. Rows are aligned to 16 bytes; null: not wanted
    long long to_stride_bytes;
    int width_px; ///< of a row that is written
    int height_px;
    unsigned shift;
    unsigned are_pairs;  ///< 1: `from` has pairs of samples
    unsigned raise;      ///< bits by which samples are shifted left after `shift`
    unsigned is_widened; ///< 1: `from` has samples of one byte, and `to` of two
};

/// In one launch: a frame's own pictures, and after a failure some of those that it looks back at.
constexpr unsigned kMaxNormaliseJobs = 18;

/// Argument of vmaf_normalise_8bit and vmaf_normalise_16bit. blockIdx.y is the job.
struct NormaliseParams {
    NormaliseJob jobs[kMaxNormaliseJobs];
};

/// A warp reads a piece of a row: 16 bytes a lane, kNormaliseLoads times.
constexpr int kNormaliseLoads = 4;
constexpr int kNormaliseWarpBytes = 32 * 16 * kNormaliseLoads;
constexpr int kNormaliseBlockWarps = 8;

} // namespace vmaf
