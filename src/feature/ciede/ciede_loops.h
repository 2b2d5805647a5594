#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/ciede/ciede_params.h"

namespace vmaf {

/// Pixels worked on together; a multiple of every vector length.
constexpr unsigned kCiedeBatch = 256;

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

/// spec ciede 3.2 and 3.3 in vectors. Functions of the C library are replaced by binary64 approximations whose error bound is
/// known. Every one of them is soon rounded to binary32; only where a rounding boundary lies within the bound can the rounded
/// value depend on which function it was. Those pixels, about one in 10^4, are marked unsure; all others have the definition's dE.
struct CiedeLoops {
    /// Of the first `count` pixels, none to kCiedeBatch. The rest of the batch may be read and overwritten.
    void (*differences)(CiedeBatch &pixels, unsigned count, const CiedeRange &range);
};

VMAF_DECLARE_CPU_VARIANTS(CiedeLoops, kCiedeLoops)

} // namespace vmaf
