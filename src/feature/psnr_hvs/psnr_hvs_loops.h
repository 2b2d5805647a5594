#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/psnr_hvs/psnr_hvs_params.h"

namespace vmaf {

/// Neighbouring blocks of a row of blocks that are worked on together, one a vector lane.
constexpr unsigned kHvsGroup = 16;
/// Columns that the blocks of a group cover.
constexpr unsigned kHvsGroupPx = kHvsGroup * kHvsStepPx + 1;

/// One number per coefficient, in raster order, and block.
using HvsFloats = float[kHvsCoefficients][kHvsGroup];
using HvsInts = std::int32_t[kHvsCoefficients][kHvsGroup];

/// The rows of a group of blocks. Of the columns right of the last block nothing is used.
struct HvsRows {
    std::uint16_t sample[kHvsBlockPx][kHvsGroupPx];
};

/// The same spread over the blocks: sample (i, j) of block b is column 7b + j of row i.
struct HvsSamples {
    alignas(64) HvsInts value;
};

/// spec psnr_hvs 3.4: z of each coefficient and block.
struct HvsErrors {
    alignas(64) HvsFloats z;
};

struct PsnrHvsLoops {
    void (*widen)(const std::uint8_t *samples, unsigned count, std::uint16_t *out);
    /// Samples above `peak` count as `peak`.
    void (*limit)(const std::uint16_t *samples, unsigned count, std::uint16_t peak, std::uint16_t *out);
    void (*spread)(const HvsRows &rows, HvsSamples &samples);
    /// spec psnr_hvs 3.2 to 3.4 for a group of blocks.
    void (*errors)(const HvsSamples &ref, const HvsSamples &dis, const HvsWeights &weights, HvsErrors &errors);
};

VMAF_DECLARE_CPU_VARIANTS(PsnrHvsLoops, kPsnrHvsLoops)

} // namespace vmaf
