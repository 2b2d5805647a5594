#pragma once

// Shared with kernels/psnr_hvs/: plain C++17.

#include <math.h>

#include "cuda/batch.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/psnr_hvs/psnr_hvs_params.h"

namespace vmaf {

/// A thread block measures this many blocks of a plane, a group: they follow each other in the
/// order of spec psnr_hvs 3.1.
constexpr unsigned kHvsGroupBlocks = 64;
/// A thread for each block and picture.
constexpr unsigned kHvsErrorThreads = 2 * kHvsGroupBlocks;
constexpr unsigned kHvsAddThreads = 128;

/// z of spec psnr_hvs 3.4 for each coefficient and block of a group.
struct HvsGroupErrors {
    float z[kHvsCoefficients][kHvsGroupBlocks];
};

/// What numbers add to an accumulator whose last bit is 0 or 1, as a difference of its bits: spec
/// psnr_hvs 5's F. It holds while the accumulator's exponent stays as it is.
struct HvsIncrement {
    unsigned of_even;
    unsigned of_odd;
};

/// What a group adds to an accumulator whose exponent bits are `exponent`.
struct alignas(16) HvsGroupIncrement {
    unsigned exponent;
    HvsIncrement increment;
};

struct HvsKernelWeights {
    HvsWeights weights;
    float inverse_mask[kHvsCoefficients];
};

/// A plane's blocks, and where its groups are in scratch memory.
struct HvsKernelPlane {
    unsigned columns; ///< of blocks
    unsigned blocks;
    unsigned groups;
    unsigned first_slot; ///< among a frame's
};

/// One for all kernels of a part of a batch: some groups of every plane.
struct PsnrHvsKernelParams {
    CudaPairBatch batch;
    HvsKernelPlane planes[3];
    HvsKernelWeights weights[3];
    unsigned first_group;
    unsigned part_groups; ///< of a plane at most
    unsigned peak;
    unsigned frame_slots; ///< of all planes
    HvsGroupErrors *errors;
    float *totals; ///< of a group's errors, about
    HvsGroupIncrement *increments;
};
static_assert(sizeof(PsnrHvsKernelParams) <= kMaxKernelParamBytes);

/// t / m rounded to nearest, where `inverse` is 1 / m rounded: for every t >= 0 of spec psnr_hvs
/// 3.4 and every m of kHvsWeights.
VMAF_HOST_AND_DEVICE float hvs_quotient(float t, float m, float inverse)
{
    const float near = t * inverse;
    return fmaf(fmaf(-m, near, t), inverse, near);
}

} // namespace vmaf
