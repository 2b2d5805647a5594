#pragma once

// Shared with kernels/ssimulacra2/: plain C++17.

#include "cuda/batch.h"
#include "feature/common/rgb_params.h"
#include "feature/ssimulacra2/ssimulacra2_params.h"

namespace vmaf {

/// A block scores a strip of kSsimulacra2StripColumns columns, walking down kSsimulacra2StripRows
/// rows, kSsimulacra2ChunkRows at a time. It converts the columns and rows around the strip too, as
/// far as the blur reaches.
constexpr unsigned kSsimulacra2TileColumns = 128;
constexpr unsigned kSsimulacra2StripColumns = kSsimulacra2TileColumns - 2 * kSsimulacra2Reach;
constexpr unsigned kSsimulacra2ChunkRows = 4;
constexpr unsigned kSsimulacra2StripRows = 72;

/// Side of the square of scale 1 from which one block of vmaf_ssimulacra2_halve makes its part of
/// scales 2 to 5.
constexpr unsigned kSsimulacra2HalveTile = 32;
constexpr unsigned kSsimulacra2HalveThreads = 256;
constexpr unsigned kSsimulacra2ReduceThreads = 256;

/// Threads of a block: a warp for each blur and each statistic. At scale 0 of six scales not all
/// maps have a weight.
constexpr unsigned kSsimulacra2Scale0Threads = 8 * 32;
constexpr unsigned kSsimulacra2AllMapsThreads = 12 * 32;

/// Shared memory of a block: pixels of one or two chunks, blurs of a chunk, statistics of three. 64
/// KB are all that some devices have.
constexpr unsigned ssimulacra2_shared_bytes(unsigned row_chunks, unsigned blurs, unsigned statistics)
{
    constexpr unsigned kSources = 2 * kSsimulacra2Planes;
    return (row_chunks * kSources * kSsimulacra2TileColumns + (blurs + 2 * 3 * statistics) * kSsimulacra2StripColumns) *
           kSsimulacra2ChunkRows * static_cast<unsigned>(sizeof(float));
}
constexpr unsigned kSsimulacra2Scale0SharedBytes = ssimulacra2_shared_bytes(2, 7, 1);
constexpr unsigned kSsimulacra2AllMapsSharedBytes = ssimulacra2_shared_bytes(1, 9, 3);
static_assert(kSsimulacra2AllMapsSharedBytes <= 64 << 10);
static_assert(2 * (kSsimulacra2Scale0SharedBytes + 1024) <= 100 << 10, "two blocks where a multiprocessor has 100 KB");

/// What a block leaves behind: the sums of its strip.
struct Ssimulacra2Slot {
    double sums[kSsimulacra2Planes][kSsimulacra2Norms][kSsimulacra2Maps];
};
constexpr unsigned kSsimulacra2SlotSums = kSsimulacra2Planes * kSsimulacra2Norms * kSsimulacra2Maps;

/// Linear colour in scratch memory: R, G, B of ref and of dis. Of a row, kSsimulacra2Group columns
/// of each plane lie together: what a warp reads or writes of a pixel's planes is 768 bytes in a
/// row, at fixed distances from one address.
constexpr unsigned kSsimulacra2LinearPlanes = 6;
constexpr unsigned kSsimulacra2Group = 32;

/// One scale. From scale 1 on its linear colour is in scratch memory, row by row.
struct Ssimulacra2Level {
    unsigned width_px;
    unsigned height_px;
    unsigned pitch;            ///< floats of a plane from row to row: whole groups
    unsigned strips_across;    ///< blocks in a row of blocks
    unsigned strip_count;      ///< blocks of a frame
    unsigned first_strip;      ///< of this scale among a frame's strips of all scales
    unsigned long long offset; ///< floats from the frame's start in scratch memory
};

/// One for all kernels of a batch.
struct Ssimulacra2KernelParams {
    CudaPairBatch batch;
    Ssimulacra2Level levels[kSsimulacra2Scales];
    unsigned scale_count;
    unsigned strip_count; ///< of all scales of a frame
    float *planes;
    unsigned long long frame_floats;
    Ssimulacra2Slot *slots; ///< strip_count for each frame
    RgbSampling sampling;
};
static_assert(sizeof(Ssimulacra2KernelParams) <= 4096);

} // namespace vmaf
