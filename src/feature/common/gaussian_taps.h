#pragma once

#include <vector>

namespace vmaf {

/// The low-pass filters of spec speed 3.3 and spec float_features 3.2: their length and deviation
/// scale with a kernel scale.

/// Whether a kernel scale is one of the 21 that both chapters allow.
bool is_valid_kernel_scale(double kernel_scale);

/// The smallest odd integer from `length` up (its ceiling, plus 1 if that is even), at least 3.
unsigned odd_tap_count(float length);

/// Gaussian taps, `count` of them (odd), with the sum 1. Throws std::bad_alloc.
std::vector<float> gaussian_taps(unsigned count, float deviation);

} // namespace vmaf
