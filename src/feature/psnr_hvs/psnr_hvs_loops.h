#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/psnr_hvs/psnr_hvs_params.h"

namespace vmaf {

/// Blocks that are worked on together, one a vector lane; a multiple of every vector length.
constexpr unsigned kHvsGroup = 32;

/// Where the blocks of a group begin in their plane, one after the other in the order of spec
/// psnr_hvs 3.1.
struct HvsBlocks {
    const std::byte *start[kHvsGroup];
};

/// One number per sample, in raster order, and block; then per coefficient.
struct HvsSamples {
    alignas(64) std::int16_t value[kHvsCoefficients][kHvsGroup];
};

/// A number per block.
struct HvsLanes {
    alignas(64) float value[kHvsGroup];
};

/// spec psnr_hvs 3.4: z of each coefficient and block.
struct HvsErrors {
    alignas(64) float z[kHvsCoefficients][kHvsGroup];
};

struct PsnrHvsLoops {
    /// Samples above `peak` count as `peak`.
    void (*gather_8bit)(const HvsBlocks &blocks, std::ptrdiff_t stride_bytes, HvsSamples &samples);
    void (*gather_16bit)(const HvsBlocks &blocks, std::ptrdiff_t stride_bytes, std::uint16_t peak, HvsSamples &samples);
    /// spec psnr_hvs 3.2 to 3.4 for a group of blocks of one picture. The samples, of up to 12
    /// bits, become coefficients.
    void (*transform_and_mask)(HvsSamples &samples, const HvsWeights &weights, HvsLanes &mask);
    /// spec psnr_hvs 3.4, from coefficients.
    void (*errors)(const HvsSamples &ref, const HvsLanes &ref_mask, const HvsSamples &dis, const HvsLanes &dis_mask,
                   const HvsWeights &weights, HvsErrors &errors);
    /// acc of spec psnr_hvs 3.4 after all blocks of a group.
    float (*accumulate)(float accumulator, const HvsErrors &errors);
};

VMAF_DECLARE_VECTOR_VARIANTS(PsnrHvsLoops, kPsnrHvsLoops)

} // namespace vmaf
