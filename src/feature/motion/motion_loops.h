#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// Up to this depth differences are kept in 16 bits, and so is a row that was filtered vertically
/// where every value fits: v does not where differences of half the range cover whole areas.
constexpr unsigned kMotionMaxNarrowBits = 14;

/// The row steps of spec motion 3, for any width from 3 up.
struct MotionLoops {
    /// Step 1: earlier minus current.
    void (*difference_row_8bit)(const std::uint8_t *earlier, const std::uint8_t *current, unsigned width_px,
                                std::int16_t *difference);
    /// Same, up to kMotionMaxNarrowBits; samples above `max_sample` count as `max_sample`.
    void (*difference_row_16bit)(const std::uint16_t *earlier, const std::uint16_t *current, unsigned width_px,
                                 std::uint16_t max_sample, std::int16_t *difference);
    /// Same, of more bits.
    void (*difference_row_wide)(const std::uint16_t *earlier, const std::uint16_t *current, unsigned width_px,
                                std::uint16_t max_sample, std::int32_t *difference);

    /// Step 2. `rows` are the difference rows y-2 .. y+2. False if a value may not fit 16 bits:
    /// then `filtered` means nothing.
    bool (*vertical_row)(const std::int16_t *const rows[5], unsigned width_px, unsigned bpc, std::int16_t *filtered);
    void (*vertical_row_to_wide)(const std::int16_t *const rows[5], unsigned width_px, unsigned bpc,
                                 std::int32_t *filtered);
    void (*vertical_row_wide)(const std::int32_t *const rows[5], unsigned width_px, unsigned bpc,
                              std::int32_t *filtered);

    /// Steps 3 and 4 of one row. `filtered` needs two values before and after the row, already
    /// reflected.
    std::uint64_t (*horizontal_row_sad)(const std::int16_t *filtered, unsigned width_px);
    std::uint64_t (*horizontal_row_sad_wide)(const std::int32_t *filtered, unsigned width_px);
};

VMAF_DECLARE_VECTOR_VARIANTS(MotionLoops, kMotionLoops)

} // namespace vmaf
