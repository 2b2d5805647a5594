#pragma once

// Shared with kernels/ciede/: plain C++17.

#include "cuda/batch.h"
#include "feature/ciede/ciede_params.h"

namespace vmaf {

/// A block measures kCiedeBlockColumns x kCiedeBlockRows pixels, a thread one column of them.
constexpr unsigned kCiedeBlockColumns = 128;
constexpr unsigned kCiedeBlockRows = 8;
constexpr unsigned kCiedeSumThreads = 256;

/// One for both kernels.
struct CiedeKernelParams {
    CudaPairBatch batch;
    unsigned width_px, height_px;
    unsigned chroma_width_px, chroma_height_px;
    unsigned chroma_shift_x, chroma_shift_y; ///< log2 of the subsampling
    unsigned swapped_chroma_stride;          ///< 4:2:2: samples of a stored row (spec ciede 3.1); 0 for the others
    CiedeRange range;
    double *block_sums; ///< in scratch memory, of all blocks of each frame
    unsigned block_count;
};
static_assert(sizeof(CiedeKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
