#pragma once

#include <cstdint>

namespace vmaf {

/// Sums over the luma plane of samples and of their squares; at 16 bits each square is rounded to
/// float (spec float_features 3.11).
struct FloatMoments {
    std::uint64_t sum;
    std::uint64_t squares;
};

struct FloatMomentSums {
    FloatMoments ref;
    FloatMoments dis;
};
static_assert(sizeof(FloatMomentSums) == 32);

} // namespace vmaf
