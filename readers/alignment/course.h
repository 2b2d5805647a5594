#pragma once

#include <vector>

#include "alignment/lag_costs.h"

namespace vmaf::tool {

/// How the lag goes on from frame to frame.
struct Course {
    std::vector<std::size_t> lags; ///< for each frame the index of its lag in LagCosts
    std::vector<bool> shows_none;  ///< it is like no reference frame
};

/// The cheapest course, in which the reference never goes back (Viterbi). One lag, if its changes
/// of lag gain little.
Course cheapest_course(LagCosts &costs);

} // namespace vmaf::tool
