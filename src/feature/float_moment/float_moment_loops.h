#pragma once

#include <cstdint>

#include "base/cpu.h"
#include "feature/float_moment/float_moment_params.h"

namespace vmaf {

/// Adds a row to the moments. Exact for rows of up to 2^21 pixels.
struct FloatMomentLoops {
    void (*add_8bit)(const std::uint8_t *samples, unsigned width_px, FloatMoments &moments);
    /// 9 to 15 bits.
    void (*add_to_15bit)(const std::uint16_t *samples, unsigned width_px, FloatMoments &moments);
    /// Squares rounded to float.
    void (*add_16bit)(const std::uint16_t *samples, unsigned width_px, FloatMoments &moments);
};

VMAF_DECLARE_CPU_VARIANTS(FloatMomentLoops, kFloatMomentLoops)

} // namespace vmaf
