#pragma once

// Shared with kernels/speed/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/prescale_cuda.h"
#include "feature/speed/speed_params.h"

namespace vmaf {

/// Two pairs of planes a frame.
constexpr unsigned kSpeedMaxPairs = 2 * kMaxBatchFrames;
constexpr unsigned kSpeedMaxReducingTaps = 35;
constexpr unsigned kSpeedMaxMeanTaps = 9;

/// A plane, or the difference of two where `subtrahend` is there.
struct SpeedCudaPlane {
    CudaPlane plane;
    CudaPlane subtrahend;
};

/// What is known of a plane's blocks (spec speed 3.5 to 3.7).
struct SpeedCudaModel {
    float covariance[kSpeedDimension][kSpeedDimension];
    float g[kSpeedDimension][kSpeedDimension]; ///< r = g * covariance
    float r[kSpeedDimension][kSpeedDimension];
    float eigenvalues[kSpeedDimension];
    std::uint32_t has_small_eigenvalue;
    std::uint32_t has_small_divisor;
};

/// One for all kernels. Planes 2 n and 2 n + 1 are the reference's and the distorted one of pair n.
struct SpeedKernelParams {
    SpeedCudaPlane planes[2 * kSpeedMaxPairs];
    SpeedPlaneScore *scores[kSpeedMaxPairs];

    float sample_scale; ///< to the unit of 8-bit samples
    unsigned prescaled_width_px, prescaled_height_px;
    PrescaleTables prescale; ///< no taps: the prescaled picture is the plane's top left part

    float reducing_taps[kSpeedMaxReducingTaps], mean_taps[kSpeedMaxMeanTaps];
    unsigned reducing_tap_count, mean_tap_count;
    unsigned reduced_width_px, reduced_height_px;
    unsigned blocks_x, blocks_y;

    float sigma_nn;
    float noise_entropy;
    int weight_var_mode;

    // Scratch memory, for each plane.
    float *reduced; ///< spec speed 3.3: D
    float *details; ///< spec speed 3.4: A, as far as there are blocks
    SpeedCudaModel *models;
    float *variances, *entropies; ///< of the blocks
};
static_assert(sizeof(SpeedKernelParams) <= kMaxKernelParamBytes);

/// A block reduces so many samples of one row.
constexpr unsigned kSpeedReducedSamples = 20;
constexpr unsigned kSpeedReduceThreads = 192;

constexpr unsigned kSpeedDetailThreads = 256;

/// A warp has an element of the covariance's row p in lane p: column (p + blockIdx.x) %
/// kSpeedDimension, which makes every pair once.
constexpr unsigned kSpeedCovarianceWarps = (kSpeedDimension + 1) / 2;

/// Two blocks a plane: one for the eigenvalues, one for the linear system, a warp for each row.
constexpr unsigned kSpeedSolveBlocks = 2;
constexpr unsigned kSpeedSolveThreads = 32 * kSpeedDimension;

constexpr unsigned kSpeedEntropyBlocks = 32; ///< of a plane, in a block of threads
constexpr unsigned kSpeedEntropyThreads = 256;

constexpr unsigned kSpeedScoreThreads = 256;

} // namespace vmaf
