#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// Sums of squared differences of one row, exact for every sample value.
struct PsnrLoops {
    std::uint64_t (*row_sse_8bit)(const std::uint8_t *ref, const std::uint8_t *dis, unsigned width_px);
    std::uint64_t (*row_sse_16bit)(const std::uint16_t *ref, const std::uint16_t *dis, unsigned width_px);
};

VMAF_DECLARE_CPU_VARIANTS(PsnrLoops, kPsnrLoops)

} // namespace vmaf
