#pragma once

#include <array>

#include "feature/speed/speed_params.h"

namespace vmaf {

using SpeedVector = std::array<float, kSpeedDimension>;

/// Eigenvalues of a symmetric tridiagonal matrix by shifted rotations, not sorted (spec speed 3.6,
/// "Iteration"). `diagonal` holds them at the end; `subdiagonal`, one shorter, is destroyed.
/// @return false if the iteration was cut short.
bool iterate_to_eigenvalues(SpeedVector &diagonal, SpeedVector &subdiagonal);

} // namespace vmaf
