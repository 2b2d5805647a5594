#pragma once

// Shared with kernels/float_vif/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/ordered_sums_cuda.h"
#include "feature/common/prescale_cuda.h"
#include "feature/float_vif/float_vif_params.h"

namespace vmaf {

/// The taps of scale 0 to 3 at kernel scale 1. Others are counted at run time.
constexpr int kFloatVifTaps[kFloatVifScales] = {17, 9, 5, 3};
constexpr int kFloatVifMaxNextTaps = 37; ///< of scale 1 at kernel scale 4

constexpr int kFloatVifPictures = 2; ///< ref, dis
constexpr int kFloatVifSides = 2;    ///< num, den

/// The pictures of one scale. They are floats in scratch memory, but for scale 0 if it is not
/// resampled.
struct FloatVifLevel {
    int width_px;
    int height_px;
    unsigned pitch; ///< floats from row to row
    int taps;
    unsigned first_strip;                         ///< of this scale among a frame's strips of all scales
    unsigned long long offset[kFloatVifPictures]; ///< floats from the frame's start in scratch memory
};

/// One for all kernels of a batch, but for `scale`.
struct FloatVifKernelParams {
    CudaPairBatch batch;
    FloatVifLevel levels[kFloatVifScales];
    float taps[kFloatVifScales][kFloatVifMaxTaps];
    FloatVifNoise noise;
    FloatUnit unit;
    unsigned first_scale; ///< that is scored
    unsigned scale;       ///< that is made from the one before

    bool prescaled;
    PrescaleTables prescaler;

    float *pictures;
    unsigned long long frame_floats;
    float *row_sums; ///< by frame, scale and side, row_sum_rows each
    unsigned row_sum_rows;
};
static_assert(sizeof(FloatVifKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
