#pragma once

// Shared with kernels/butteraugli.cu: plain C++17.

#include "base/host_and_device.h"
#include "cuda/batch.h"
#include "feature/butteraugli/butteraugli_params.h"
#include "feature/common/rgb_params.h"

namespace vmaf {

/// A block that makes colours, or distances, has a tile; a thread makes kButteraugliGroup columns of a row.
constexpr unsigned kButteraugliGroup = 4;
constexpr unsigned kButteraugliTileColumns = 64;
constexpr unsigned kButteraugliColourRows = 16, kButteraugliDistanceRows = 32;
constexpr unsigned kButteraugliTileThreads = 256;

/// A block that blurs walks down a strip of kButteraugliStripColumns columns, kButteraugliChunkRows rows at a time, a thread for
/// each column of each plane.
constexpr unsigned kButteraugliStripColumns = 128;
constexpr unsigned kButteraugliChunkRows = 4;
constexpr unsigned kButteraugliLowStripRows = 128, kButteraugliStripRows = 64;

constexpr unsigned kButteraugliSumThreads = 256;

/// Planes in scratch memory. Some serve two steps.
enum ButteraugliBuffer : unsigned {
    kButteraugliColour = 0,                          ///< X, Y, and the differences of X, Y, B
    kButteraugliRest = kButteraugliColour + 5,       ///< the same
    kButteraugliSharp = kButteraugliRest + 5,        ///< h: X, Y of ref, then of dis
    kButteraugliMediumLines = kButteraugliSharp + 4, ///< D of mf, X and Y
    kButteraugliAc = kButteraugliMediumLines + 2,    //
    kButteraugliDc = kButteraugliAc + 1,             //
    kButteraugliBuffers = kButteraugliDc + 1,        //
    kButteraugliLinear = kButteraugliRest,           ///< R, G, B of ref, then of dis, before there is a rest
    kButteraugliMask = kButteraugliRest,             ///< V of ref, after the rest was blurred
    kButteraugliActivityOf = kButteraugliRest + 1,   ///< of ref and dis, likewise
    kButteraugliHighLines = kButteraugliColour,      ///< D of hf in X, Y, then of uhf, likewise
    kButteraugliDistance = kButteraugliColour + 4,   ///< E, likewise
};

/// One resolution.
struct ButteraugliLevel {
    unsigned width_px;
    unsigned height_px;
    unsigned pitch;                  ///< floats from row to row: whole groups
    unsigned long long plane_floats; ///< from plane to plane
    unsigned long long offset;       ///< floats from the frame's start in scratch memory
};

VMAF_HOST_AND_DEVICE unsigned butteraugli_strips(const ButteraugliLevel &level, unsigned strip_rows)
{
    return (level.width_px + kButteraugliStripColumns - 1) / kButteraugliStripColumns *
           ((level.height_px + strip_rows - 1) / strip_rows);
}

/// What a block leaves behind: the sums of its tile.
using ButteraugliSlot = ButteraugliSums;

/// One for all kernels of a batch.
struct ButteraugliKernelParams {
    CudaPairBatch batch;
    ButteraugliLevel levels[2]; ///< full and half size
    unsigned level_count;
    unsigned slot_count; ///< tiles of full size
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
