#pragma once

// Shared with device code: plain C++17.

#include <cstdint>

#include "cuda/batch.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

/// A block scores a tile: its threads stand for as many columns, of which the outer ones are only
/// neighbours of the others. Wide and low: many warps in the same code, and little code, because
/// the instruction cache limits this kernel first.
constexpr unsigned kVifBlockThreads = 256;
constexpr unsigned kVifBlocksPerSm = 3;
constexpr unsigned kVifTileRows = 8;

/// Columns on each side of a tile that are only read: what the filter needs, rounded up to whole
/// 16-byte loads.
constexpr unsigned vif_halo_px(unsigned scale)
{
    return scale == 0 ? 8 : 4;
}
constexpr unsigned vif_tile_columns(unsigned scale)
{
    return kVifBlockThreads - 2 * vif_halo_px(scale);
}

/// The logarithm of spec vif 3.4 by aligned blocks of 8, like VifLogTable, but each entry counted
/// from the straight line between powers of two: entry - 8 * (block / 2).
constexpr unsigned kVifLogBlocks = 4096;

/// Each kVifLogBlocks entry's eight values, as bytes: what the kernel on tensor cores uses.
constexpr unsigned kVifLogBytes = 32768;

/// Scale 0 of up to 12 bits on tensor cores: a warp makes rows of results, and walks along them by
/// chunks of columns.
constexpr unsigned kVifTensorArchitecture = 80; ///< the first with such tensor cores
constexpr unsigned kVifTensorMaxHeight = 65535;
constexpr unsigned kVifTensorMaxBpc = 12;
constexpr unsigned kVifTensorRows = 16;
constexpr unsigned kVifTensorColumns = 32;
/// One block a multiprocessor. At 8 bits its registers are for 16 warps, and it has 12: what is
/// left is for the client's copies, which else wait until the kernel ends. 16 warps make it 2 %
/// faster.
constexpr unsigned kVifTensorRegisterWarps = 16, kVifTensorMaxWarps = 12;
/// Shared memory of a warp, by the bytes of a sample.
constexpr unsigned vif_tensor_warp_bytes(unsigned sample_bytes)
{
    return 10240 + 2048 * sample_bytes;
}

/// Matrices of 16 outputs by 32 inputs: bytes of the coefficients of scale 0's filter, and both
/// bytes of the next picture's in 8 rows each. "Swapped": the two halves of the inputs have changed
/// places.
enum VifTensorMatrix : unsigned {
    kVifTensorLow,
    kVifTensorHigh,
    kVifTensorLowSwapped,
    kVifTensorHighSwapped,
    kVifTensorNext,
    kVifTensorNextSwapped,
};
constexpr unsigned kVifTensorMatrices = 6;

/// What every block of that kernel copies to shared memory.
struct VifTensorTables {
    std::uint8_t log[kVifLogBytes];
    alignas(16) std::uint32_t matrices[kVifTensorMatrices][32][4]; ///< operand A of m16n8k32, a lane's four words
};
static_assert(sizeof(VifTensorTables) % 16 == 0);

/// The pictures of one scale. Those of scales 1 to 3 are u16 in scratch memory, rows 16-byte
/// aligned.
struct VifLevel {
    unsigned width_px;
    unsigned height_px;
    unsigned stride_bytes;              ///< not at scale 0
    unsigned long long offset_bytes[2]; ///< ref and dis, from the frame's start in scratch memory; not at scale 0
};

/// One for all kernels of a batch.
struct VifCudaParams {
    CudaPairBatch batch;
    VifLevel levels[kVifScales];
    unsigned char *pyramid;
    unsigned long long pyramid_frame_bytes;
    const std::uint16_t *log_table; ///< kVifLogBlocks
    const VifTensorTables *tensor_tables;
    double gain_limit;
    unsigned bpc;
    bool score_scale0;
};
static_assert(sizeof(VifCudaParams) <= 4096);

} // namespace vmaf
