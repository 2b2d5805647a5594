#pragma once

#include <cstdint>

namespace vmaf {

/// The sum of squared errors of the luma plane; at 16 bits of squares that are rounded to float
/// (spec psnr 7).
struct FloatPsnrSums {
    std::uint64_t sse;
};
static_assert(sizeof(FloatPsnrSums) == 8);

} // namespace vmaf
