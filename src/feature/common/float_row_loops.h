#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// Rows whose terms are summed side by side: a float sum in a fixed order is one chain of
/// additions, each waiting for the one before, so several rows share the time of one.
constexpr unsigned kRowChains = 8;
/// Independent chains of additions for the nine sums of one row of ADM.
constexpr unsigned kBandChains = 9;

/// Loops of the float features over rows of samples and of terms.
struct FloatRowLoops {
    /// out = sample * scale - 128, exactly (spec float_features 2).
    void (*from_8bit)(const std::uint8_t *samples, unsigned count, float scale, float *out);
    void (*from_16bit)(const std::uint16_t *samples, unsigned count, float scale, float *out);

    /// Adds the terms of each row to the row's sum, from left to right.
    void (*add_rows)(const float *const rows[kRowChains], unsigned count, float sums[kRowChains]);
    void (*add_band_rows)(const float *const rows[kBandChains], unsigned count, float sums[kBandChains]);
};

VMAF_DECLARE_CPU_VARIANTS(FloatRowLoops, kFloatRowLoops)

} // namespace vmaf
