#pragma once

// Shared with kernels/float_motion/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/ordered_sums_cuda.h"
#include "feature/common/prescale_cuda.h"
#include "feature/float_motion/float_motion_params.h"

namespace vmaf {

/// Two reference pictures; `earlier` is empty for a frame that is compared with nothing.
struct FloatMotionFrame {
    CudaPlane current[kFloatMotionPlanes];
    CudaPlane earlier[kFloatMotionPlanes];
    FloatMotionSums *sums;
    unsigned frame_index;
};

/// One for all kernels of a batch, but for `plane`. Planes and scales that are not measured have no
/// rows.
struct FloatMotionKernelParams {
    FloatMotionFrame frames[kMaxBatchFrames];
    int width_px[kFloatMotionPlanes][kFloatMotionScales];
    int height_px[kFloatMotionPlanes][kFloatMotionScales];
    unsigned plane; ///< the one that is measured
    FloatUnit unit;
    float taps[kFloatMotionTaps];

    PrescaleTables halver[kFloatMotionPlanes]; ///< nothing in them if no plane is halved
    float *filtered;                           ///< both pictures of `plane`, current first; null if no plane is halved
    unsigned pitch;                            ///< floats from row to row
    unsigned long long picture_floats;         ///< from picture to picture, a frame's two after each other

    float *row_sums; ///< by frame, plane and scale, row_sum_rows each
    unsigned row_sum_rows;
};
static_assert(sizeof(FloatMotionKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
