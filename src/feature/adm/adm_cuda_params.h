#pragma once

// Shared with kernels/adm/: plain C++17.

#include <cstdint>

#include "cuda/batch.h"
#include "feature/adm/adm_params.h"

namespace vmaf {

/// Band A of one scale of every frame of a batch: reference and distorted plane of frame 0, then
/// those of frame 1, ...
struct AdmLowBand {
    unsigned char *data;
    long long stride_bytes; ///< a multiple of 16
    long long plane_bytes;
};

/// Num, aim and den of H, V and D, in this order: the sums of one row of one scale.
constexpr unsigned kAdmRowSums = 3 * kAdmBands;

/// Argument of every kernel.
struct AdmKernelParams {
    CudaPairBatch batch;
    AdmParams adm;
    std::uint32_t width_px;
    std::uint32_t height_px;
    AdmLowBand low_band[kAdmScales - 1];
    unsigned long long *row_sums;           ///< [frame][row of all scales][kAdmRowSums], zero before the first kernel
    std::uint32_t first_row[kAdmScales];    ///< where a scale begins in the rows of all scales
    std::uint32_t row_count;                ///< of all scales
    std::uint32_t segment_rows[kAdmScales]; ///< band rows that a warp goes through
    std::uint32_t vector_loads; ///< not 0: every picture's rows start where a lane's samples may be read at once
    std::uint32_t integer_gain; ///< the gain limit where that is an integer, else 0
};

/// A warp goes down a strip of a band, where a lane has kAdmLaneColumns columns. The outer lanes
/// only supply what their neighbours need.
constexpr unsigned kAdmLaneColumns[kAdmScales] = {2, 1, 1, 1};
constexpr unsigned kAdmHaloColumns = 2; ///< on each side of a strip: one for the filters, one for the masks
constexpr unsigned kAdmStripColumns[kAdmScales] = {60, 28, 28, 28}; ///< without the halo
static_assert(kAdmStripColumns[0] == 32 * kAdmLaneColumns[0] - 2 * kAdmHaloColumns);
static_assert(kAdmStripColumns[1] == 32 * kAdmLaneColumns[1] - 2 * kAdmHaloColumns);
static_assert(kAdmStripColumns[2] == 32 * kAdmLaneColumns[2] - 2 * kAdmHaloColumns);
static_assert(kAdmStripColumns[3] == 32 * kAdmLaneColumns[3] - 2 * kAdmHaloColumns);
constexpr unsigned kAdmBlockWarps = 4;
constexpr unsigned kAdmFinishThreads = 128;

} // namespace vmaf
