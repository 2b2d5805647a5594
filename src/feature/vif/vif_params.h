#pragma once

#include <cstdint>

namespace vmaf {

constexpr unsigned kVifScales = 4;

/// spec vif 3.1: taps on each side of the centre, and the coefficients by distance from the centre.
constexpr unsigned kVifHalf[kVifScales] = {8, 4, 2, 1};
constexpr std::uint32_t kVifFilter[kVifScales][9] = {
    {7784, 7455, 6547, 5274, 3896, 2640, 1640, 935, 489},
    {14692, 12590, 7925, 3663, 1244},
    {26386, 16004, 3571},
    {43728, 10904},
};

/// spec vif 3.5: the noise variance 2, in the unit of the variances.
constexpr std::int32_t kVifNoise = 131072;
/// spec vif 3.5: e, in that unit.
constexpr double kVifGainOffset = 65536 * 1.0e-10;

/// spec vif 3.5: the exact sums over the pixels of one scale.
struct VifScaleSums {
    std::int64_t log_num;
    std::int64_t log_den;
    std::int64_t low_var2;
    std::int64_t low_count;
};

/// What a device hands to the host for one frame. 0 for a scale not scored.
struct VifSums {
    VifScaleSums scale[kVifScales];
};
static_assert(sizeof(VifSums) == 128);

} // namespace vmaf
