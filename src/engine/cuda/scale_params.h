#pragma once

// Shared with kernels/scale/scale.cu: plain C++17.

#include <cstdint>

#include "engine/cuda/normalise_params.h"

namespace vmaf {

/// A ScaleFilter (engine/plane_scaling.h) in device memory.
struct CudaScaleFilter {
    const std::int32_t *first;
    const std::int16_t *weights;
    int taps;
};

/// A plane that is scored in another size than it lies in.
struct ScaleJob {
    CudaPlane from; ///< sample x of a row is number x * step + first
    CudaScaleFilter across, down;
    std::int32_t *between; ///< for from_height_px rows of width_px
    CudaPlane to;
    int width_px; ///< of what is written
    int height_px;
    int from_height_px;
    unsigned step, first, shift;
    unsigned raise;      ///< bits by which samples are shifted left after `shift`, before they are scaled
    unsigned is_widened; ///< 1: `from` has samples of one byte, and `to` of two
    unsigned max_sample;
};

/// Argument of vmaf_scale_across_8bit and vmaf_scale_across_16bit, then of vmaf_scale_down_8bit and
/// vmaf_scale_down_16bit. blockIdx.y is the job.
struct ScaleParams {
    ScaleJob jobs[kMaxNormaliseJobs];
};
static_assert(sizeof(ScaleParams) <= kMaxKernelParamBytes);

/// A block makes that many rows of that many samples, one a thread and row.
constexpr unsigned kScaleBlockPx = 256;
constexpr unsigned kScaleAcrossRows = 8; ///< which have the weights in common
constexpr unsigned kScaleDownRows = 1;

} // namespace vmaf
