#pragma once

#include <array>
#include <cstdint>

namespace vmaf {

/// Score of one plane pair (spec speed 3.8).
struct SpeedPlaneScore {
    float score;
    std::uint32_t bad; ///< 1: a plane of the pair is singular
};
static_assert(sizeof(SpeedPlaneScore) == 8);

/// What a device hands to the host for one frame.
struct SpeedChromaSums {
    std::array<SpeedPlaneScore, 2> plane; ///< u, v
};
struct SpeedTemporalSums {
    SpeedPlaneScore luma;
};

/// Blocks are kSpeedBlock x kSpeedBlock samples, so vectors have kSpeedDimension elements.
constexpr unsigned kSpeedBlock = 5;
constexpr unsigned kSpeedDimension = kSpeedBlock * kSpeedBlock;
/// Eigenvalues, and elements that a linear system is divided by, count as 0 below this (spec speed
/// 3.7).
constexpr double kSpeedSingular = 1e-6;
/// The eigenvalues' iteration (spec speed 3.6): what is smaller than this share of its neighbours
/// is 0; and the most steps.
constexpr double kSpeedNegligible = 1e-6;
constexpr unsigned kSpeedMaxSteps = 500;
/// One sample of this many in each direction is left after the low pass (spec speed 3.3).
constexpr unsigned kSpeedStep = 16;

} // namespace vmaf
