#pragma once

#include <cstddef>
#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// Blocks are no wider: 32-bit sums of rows rely on it.
constexpr unsigned kXpsnrMostColumns = 4096;

/// A rectangle of samples in a plane.
struct XpsnrSamples {
    const std::byte *first;
    std::ptrdiff_t stride_bytes;
};

/// One rectangle of the reference picture, and of the reference pictures one and two calls before.
struct XpsnrReferences {
    XpsnrSamples current;
    XpsnrSamples earlier;
    XpsnrSamples before_earlier; ///< null: v is the difference to the earlier one (spec xpsnr 3.3)
};

/// Samples of two rows that are below each other, of each picture of XpsnrReferences.
template <class Sample> struct XpsnrRowPairs {
    const Sample *current[2];
    const Sample *earlier[2];
    const Sample *before_earlier[2]; ///< null, both or none
};

/// Sums over blocks and over rows of quads of 2 x 2 samples, exact for every sample value. Up to
/// kXpsnrMostColumns columns.
struct XpsnrLoops {
    /// Sum of squared differences.
    std::uint64_t (*sse_8bit)(const XpsnrSamples &ref, const XpsnrSamples &dis, unsigned width, unsigned height);
    std::uint64_t (*sse_16bit)(const XpsnrSamples &ref, const XpsnrSamples &dis, unsigned width, unsigned height);

    /// spec xpsnr 3.2, m = 1: of |f|. Reads one sample around the block.
    std::uint64_t (*spatial_8bit)(const XpsnrSamples &ref, unsigned width, unsigned height);
    std::uint64_t (*spatial_16bit)(const XpsnrSamples &ref, unsigned width, unsigned height);

    /// spec xpsnr 3.3, m = 1: of |v|.
    std::uint64_t (*temporal_8bit)(const XpsnrReferences &pictures, unsigned width, unsigned height);
    std::uint64_t (*temporal_16bit)(const XpsnrReferences &pictures, unsigned width, unsigned height);

    /// spec xpsnr 3.2, m = 2: of |f| at every second sample of a row. `rows` are y-2 to y+3; reads
    /// two samples before and behind.
    std::uint64_t (*quad_spatial_8bit)(const std::uint8_t *const rows[6], unsigned quads);
    std::uint64_t (*quad_spatial_16bit)(const std::uint16_t *const rows[6], unsigned quads);

    /// spec xpsnr 3.3, m = 2: of |v of four samples|.
    std::uint64_t (*quad_temporal_8bit)(const XpsnrRowPairs<std::uint8_t> &rows, unsigned quads);
    std::uint64_t (*quad_temporal_16bit)(const XpsnrRowPairs<std::uint16_t> &rows, unsigned quads);
};

VMAF_DECLARE_VECTOR_VARIANTS(XpsnrLoops, kXpsnrLoops)

} // namespace vmaf
