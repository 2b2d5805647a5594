#pragma once

#include <cstdint>

#include "base/cpu.h"

namespace vmaf {

/// The row steps of spec motion 3, for any width from 3 up.
struct MotionLoops {
    /// Step 1: earlier minus current.
    void (*difference_row_8bit)(const std::uint8_t *earlier, const std::uint8_t *current, unsigned width_px,
                                std::int32_t *difference);
    /// Same; samples above `max_sample` count as `max_sample`.
    void (*difference_row_16bit)(const std::uint16_t *earlier, const std::uint16_t *current, unsigned width_px,
                                 std::uint16_t max_sample, std::int32_t *difference);
    /// Step 2. `rows` are the difference rows y-2 .. y+2.
    void (*vertical_row)(const std::int32_t *const rows[5], unsigned width_px, unsigned bpc, std::int32_t *filtered);
    /// Steps 3 and 4 of one row. `filtered` needs two values before and after the row, already reflected.
    std::uint64_t (*horizontal_row_sad)(const std::int32_t *filtered, unsigned width_px);
};

VMAF_DECLARE_CPU_VARIANTS(MotionLoops, kMotionLoops)

} // namespace vmaf
