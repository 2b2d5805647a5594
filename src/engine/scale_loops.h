#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// The two passes over a row (spec device_pictures 3).
struct ScaleLoops {
    /// out[x] = scaled_across(the sum over k < taps of row[first[x] + k] * weights[x * taps + k])
    void (*across_8bit)(const std::uint8_t *row, const std::int32_t *first, const std::int16_t *weights, unsigned taps,
                        unsigned width_px, std::int32_t *out);
    void (*across_16bit)(const std::uint16_t *row, const std::int32_t *first, const std::int16_t *weights,
                         unsigned taps, unsigned width_px, std::int32_t *out);
    /// out[x] = scaled_down(the sum over k < taps of row[x] * weights[k], max_sample), row being
    /// number (begin + k) modulo `taps` of `rows`, which lie width_px apart.
    void (*down_8bit)(const std::int32_t *rows, unsigned begin, const std::int16_t *weights, unsigned taps,
                      unsigned max_sample, unsigned width_px, std::uint8_t *out);
    void (*down_16bit)(const std::int32_t *rows, unsigned begin, const std::int16_t *weights, unsigned taps,
                       unsigned max_sample, unsigned width_px, std::uint16_t *out);
};

VMAF_DECLARE_CPU_VARIANTS(ScaleLoops, kScaleLoops)

} // namespace vmaf
