#pragma once

// Shared with device code: plain C++17.

#include <cstdint>

#include "cuda/batch.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

/// A block scores a tile: its threads stand for as many columns, of which the outer ones are only neighbours of the others.
/// Wide and low: many warps in the same code, and little code, because the instruction cache limits this kernel first.
constexpr unsigned kVifBlockThreads = 256;
constexpr unsigned kVifBlocksPerSm = 3;
constexpr unsigned kVifTileRows = 8;

/// Columns on each side of a tile that are only read: what the filter needs, rounded up to whole 16-byte loads.
constexpr unsigned vif_halo_px(unsigned scale)
{
    return scale == 0 ? 8 : 4;
}
constexpr unsigned vif_tile_columns(unsigned scale)
{
    return kVifBlockThreads - 2 * vif_halo_px(scale);
}

/// The logarithm of spec vif 3.4 by aligned blocks of 8, like VifLogTable, but each entry counted from the straight line
/// between powers of two: entry - 8 * (block / 2).
constexpr unsigned kVifLogBlocks = 4096;

/// The pictures of one scale. Those of scales 1 to 3 are u16 in scratch memory, rows 16-byte aligned.
struct VifLevel {
    unsigned width_px;
    unsigned height_px;
    unsigned stride_bytes;              ///< not at scale 0
    unsigned long long offset_bytes[2]; ///< ref and dis, from the frame's start in scratch memory; not at scale 0
};

/// One for all kernels of a batch.
struct VifCudaParams {
    CudaBatch batch;
    VifLevel levels[kVifScales];
    unsigned char *pyramid;
    unsigned long long pyramid_frame_bytes;
    const std::uint16_t *log_table; ///< kVifLogBlocks
    double gain_limit;
    unsigned bpc;
    bool score_scale0;
};
static_assert(sizeof(VifCudaParams) <= 4096);

} // namespace vmaf
