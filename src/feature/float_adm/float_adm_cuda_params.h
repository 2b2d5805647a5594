#pragma once

// Shared with kernels/float_adm/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_adm/float_adm_params.h"

namespace vmaf {

/// A lane has a column of a band. The two outer lanes on each side of a warp only supply what their
/// neighbours' horizontal filter and masks reach; the warps of a block stand beside each other and
/// walk down a strip of kStripRows rows.
constexpr int kFloatAdmWarpColumns = 28;
constexpr int kFloatAdmWarps = 4;
constexpr int kFloatAdmTileColumns = kFloatAdmWarps * kFloatAdmWarpColumns;
constexpr unsigned kFloatAdmThreads = kFloatAdmWarps * 32;

constexpr unsigned kFloatAdmPictures = 2;            ///< ref, dis
constexpr unsigned kFloatAdmRowSums = 3 * kAdmBands; ///< num, aim, den

/// Band A of one scale, in scratch memory.
struct FloatAdmLowBand {
    unsigned pitch;                               ///< floats from row to row
    unsigned long long offset[kFloatAdmPictures]; ///< floats from the frame's start
};

/// One for all kernels of a batch, but for `scale`.
struct FloatAdmKernelParams {
    CudaPairBatch batch;
    FloatAdmParams adm;
    int width_px; ///< of the pictures
    int height_px;
    FloatUnit unit;
    float low[4], high[4]; ///< filters
    unsigned scale;        ///< whose band A is made
    unsigned first_scale;  ///< that is summed

    FloatAdmLowBand low_bands[kAdmScales - 1];
    float *low_band_floats;
    unsigned long long frame_floats;

    unsigned first_strip[kAdmScales]; ///< of each scale among a frame's strips of all scales
    float *row_sums;                  ///< by frame, scale and sum, row_sum_rows each
    unsigned row_sum_rows;
};
static_assert(sizeof(FloatAdmKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
