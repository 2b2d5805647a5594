#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/ciede/ciede_params.h"

namespace vmaf {

/// Pixels worked on together; a multiple of every vector length.
constexpr unsigned kCiedeBatch = 256;

/// Sample values of a row of pixels (spec ciede 3.1).
struct CiedeRow {
    const std::uint16_t *y, *u, *v;
};

/// Sample values of pixels, and the colours in Lab that follow from them.
struct CiedeSide {
    alignas(64) std::int32_t y[kCiedeBatch], u[kCiedeBatch], v[kCiedeBatch];
    alignas(64) float l[kCiedeBatch], a[kCiedeBatch], b[kCiedeBatch];
};

struct CiedeBatch {
    CiedeSide ref, dis;
    /// dE. Where `unsure` is not 0 it may differ from the definition's.
    alignas(64) float difference[kCiedeBatch];
    alignas(64) std::int32_t unsure[kCiedeBatch];
};

/// spec ciede 3.2 and 3.3 in vectors. Functions of the C library are replaced by binary64
/// approximations whose error bound is known. Every one of them is soon rounded to binary32; only
/// where a rounding boundary lies within the bound can the rounded value depend on which function
/// it was. Those pixels, about one in 10^4, are marked unsure; all others have the definition's dE.
/// Which ones are unsure depends on the target.
struct CiedeLoops {
    /// Every value twice.
    void (*double_8bit)(const std::uint8_t *in, unsigned count, std::uint16_t *out);
    void (*double_16bit)(const std::uint16_t *in, unsigned count, std::uint16_t *out);
    /// Copies the pixels that differ into the batch, from pixel `filled` on, and returns how many
    /// are in it then. filled + count <= kCiedeBatch. What is behind the pixels may be overwritten.
    unsigned (*collect)(const CiedeRow &ref, const CiedeRow &dis, unsigned count, CiedeBatch &batch, unsigned filled);
    /// Differences of the first `count` pixels, 0 to kCiedeBatch. The rest of the batch may be read
    /// and overwritten.
    void (*differences)(CiedeBatch &pixels, unsigned count, const CiedeRange &range);
    /// sum and the values, added one after the other (spec ciede 3.4). None is negative.
    double (*add_in_order)(double sum, const float *values, unsigned count);
};

VMAF_DECLARE_VECTOR_VARIANTS(CiedeLoops, kCiedeLoops)

} // namespace vmaf
