#pragma once

// Shared with kernels/butteraugli/: plain C++17.

#include "base/host_and_device.h"
#include "cuda/batch.h"
#include "feature/butteraugli/butteraugli_params.h"
#include "feature/common/rgb_params.h"

namespace vmaf {

/// A block that makes colours, or distances, has a tile; a thread makes kButteraugliGroup columns
/// of a row.
constexpr unsigned kButteraugliGroup = 4;
constexpr unsigned kButteraugliTileColumns = 64;
constexpr unsigned kButteraugliColourRows = 16, kButteraugliDistanceRows = 32;
constexpr unsigned kButteraugliTileThreads = 256;

/// A block that blurs walks down a strip, kButteraugliChunkRows rows at a time: a thread for each
/// column of the strip and of what the blur needs beside it.
constexpr unsigned kButteraugliChunkRows = 4;
struct ButteraugliStrip {
    unsigned columns;
    unsigned beside;           ///< on each side, whole groups
    unsigned blocks;           ///< that a multiprocessor has room for
    unsigned blocks_of_planes; ///< of one strip

    constexpr unsigned threads() const { return (columns + 2 * beside + 31) / 32 * 32; }
};
constexpr ButteraugliStrip kButteraugliStrips[kButteraugliBlurs] = {
    {}, // tiles
    {240, 4, 3, 1},
    {240, 8, 4, 1},
    {240, 8, 2, 1},
    {256, 16, 3, 5},
};
/// Bounds of its rows, whole chunks.
constexpr unsigned kButteraugliLeastStripRows = 16, kButteraugliMostStripRows = 512;

constexpr unsigned kButteraugliSumThreads = 256;

/// Planes in scratch memory. What one step has read serves later ones: those of the second part of
/// the list.
enum ButteraugliBuffer : unsigned {
    kButteraugliColour = 0,      ///< X, Y, and the differences of X, Y, B
    kButteraugliSharp = 4,       ///< h: X, Y of ref, then of dis; the first in place of B, pixel by pixel
    kButteraugliRest = 8,        ///< as the colours
    kButteraugliActivityOf = 12, ///< of ref and dis; the first when the rest was blurred
    kButteraugliBuffers = 14,

    kButteraugliLinear = 5,                   ///< R, G, B of ref, then of dis: before there are h and rest
    kButteraugliMediumLines = 0,              ///< D of mf, X and Y: in place of X and Y, whose low frequencies are off
    kButteraugliDc = 2,                       ///< in place of a difference, pixel by pixel
    kButteraugliAc = 3,                       ///< in place of a difference, pixel by pixel
    kButteraugliHighLines = kButteraugliRest, ///< D of hf in X, Y, then of uhf: when the rest was blurred
    kButteraugliMask = kButteraugliSharp,     ///< V of ref: when h was blurred
    kButteraugliDistance = kButteraugliSharp + 1, ///< E, likewise
};
static_assert(kButteraugliLinear + 6 <= kButteraugliBuffers && kButteraugliActivityOf == kButteraugliRest + 4);

/// One resolution.
struct ButteraugliLevel {
    unsigned width_px;
    unsigned height_px;
    unsigned pitch;            ///< floats from row to row: whole groups
    unsigned plane_floats;     ///< from plane to plane
    unsigned long long offset; ///< floats from the frame's start in scratch memory
};

/// How many strips of so many rows cover a resolution.
VMAF_HOST_AND_DEVICE unsigned butteraugli_strips(const ButteraugliLevel &level, unsigned columns, unsigned rows)
{
    return (level.width_px + columns - 1) / columns * ((level.height_px + rows - 1) / rows);
}

/// What a block leaves behind: the sums of its tile.
using ButteraugliSlot = ButteraugliSums;

/// One for all kernels of a batch.
struct ButteraugliKernelParams {
    CudaPairBatch batch;
    ButteraugliLevel levels[2]; ///< full and half size
    unsigned level_count;
    unsigned slot_count; ///< tiles of full size
    unsigned strip_rows; ///< of the launch; results do not depend on it
    float *planes;
    unsigned long long frame_floats;
    ButteraugliSlot *slots; ///< slot_count for each frame
    RgbSampling sampling;
    float intensity;
    ButteraugliTuning tuning;
    float taps[kButteraugliBlurs][kButteraugliMostReach + 1];  ///< at distance 0 to the reach
    float tails[kButteraugliBlurs][kButteraugliMostReach + 1]; ///< of one side: what lies beyond that distance
};
static_assert(sizeof(ButteraugliKernelParams) <= kMaxKernelParamBytes);

} // namespace vmaf
