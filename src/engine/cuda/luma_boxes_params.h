#pragma once

// Shared with kernels/luma_boxes/luma_boxes.cu: plain C++17.

#include <cstdint>

#include "cuda/batch.h"

namespace vmaf {

/// Argument of vmaf_luma_boxes_8bit and vmaf_luma_boxes_16bit.
struct LumaBoxesParams {
    CudaPlane plane;
    unsigned width_px, height_px;
    unsigned step, first; ///< of a row: sample x is number x * step + first there
    unsigned shift;       ///< unused low bits of each sample
    unsigned raise;       ///< bits by which samples are shifted left after that
    unsigned columns, rows;
    unsigned line_step;  ///< of a box every so many lines count, its first one on
    std::uint32_t *sums; ///< rows of boxes from top to bottom
};

/// Each warp sums one box.
constexpr unsigned kLumaBoxesBlockWarps = 8;

} // namespace vmaf
