#pragma once

// Shared with kernels/delta_e_itp/: plain C++17.

#include "base/host_and_device.h"
#include "cuda/batch.h"
#include "feature/common/light_curve.h"
#include "feature/common/rgb_params.h"
#include "feature/delta_e_itp/delta_e_itp_params.h"

namespace vmaf {

/// A thread has a column of pixels, two rows at a time.
constexpr unsigned kDeltaEItpColumns = 128;
constexpr unsigned kDeltaEItpRows = 16;

/// The percentile is found by three digits of the differences' bits, which are in the order of
/// their values: of 11, 10 and 10 bits.
constexpr unsigned kDeltaEItpDigits = 3;
constexpr unsigned kDeltaEItpBins = 1U << 11;
VMAF_HOST_AND_DEVICE constexpr unsigned delta_e_itp_digit_bits(unsigned digit)
{
    return digit == 0 ? 11 : 10;
}

/// What is known of a frame's percentile, in scratch memory behind its differences.
struct DeltaEItpSelection {
    unsigned counts[kDeltaEItpBins]; ///< of differences that begin with the prefix, by their next digit
    unsigned prefix;                 ///< the digits that are known
    unsigned rank;                   ///< among the differences that begin with them
};
constexpr unsigned kDeltaEItpSelectionFloats = sizeof(DeltaEItpSelection) / sizeof(float);

constexpr unsigned kDeltaEItpCountThreads = 256;
constexpr unsigned kDeltaEItpCountPixels = 64 * kDeltaEItpCountThreads; ///< of a block
constexpr unsigned kDeltaEItpSumThreads = 256;

/// One for all kernels of a part of a batch.
struct DeltaEItpKernelParams {
    CudaPairBatch batch;
    RgbSampling sampling;
    LightCurve pq;
    unsigned width_px, height_px;
    unsigned blocks_across, block_count; ///< of the kernel of differences
    unsigned rank;                       ///< of the percentile
    unsigned digit;                      ///< that is counted or selected
    double *slots;                       ///< a sum for each block
    float *planes;                       ///< of each frame the differences, then its DeltaEItpSelection
    unsigned long long frame_floats;
};
static_assert(sizeof(DeltaEItpKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
