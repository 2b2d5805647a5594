#pragma once

#include <cstdint>

namespace vmaf {

/// What a device hands to the host for one frame: the sum of |z| over the luma plane (spec motion
/// 3), 0 for a frame that is compared with nothing.
struct MotionSums {
    std::uint64_t sad;
};
static_assert(sizeof(MotionSums) == 8);

/// The low-pass filter is symmetric: kMotionTaps[0] is the outermost tap, kMotionTaps[2] the
/// centre. All five add up to 65536.
constexpr int kMotionTaps[3] = {3571, 16004, 26386};
static_assert(2 * (kMotionTaps[0] + kMotionTaps[1]) + kMotionTaps[2] == 65536);

// No reference value exists for samples above 2^bpc - 1. Every device takes them as 2^bpc - 1,
// which keeps all intermediate values in the ranges of spec motion 3.

} // namespace vmaf
