#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

struct FloatPsnrLoops {
    /// The row's sum of squared differences of 16-bit samples, each square rounded to float. Exact
    /// for up to 2^21 pixels.
    std::uint64_t (*row_rounded_sse)(const std::uint16_t *ref, const std::uint16_t *dis, unsigned width_px);
};

VMAF_DECLARE_CPU_VARIANTS(FloatPsnrLoops, kFloatPsnrLoops)

} // namespace vmaf
