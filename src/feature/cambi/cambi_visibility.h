#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "feature/cambi/cambi_params.h"

namespace vmaf {

/// Whether that name is one of an EOTF (spec cambi 2: `bt1886`, `pq`).
bool is_cambi_eotf(std::string_view name);

/// spec cambi 3.5: which contrast steps are visible at which sample value.
struct CambiVisibility {
    int steps;                                 ///< N
    std::array<int, kCambiMaxSteps + 1> tvi{}; ///< [d]: the largest value at which step d is visible
    int lowest_visible;                        ///< vl

    /// The smallest d that counts at that value; N + 1 if none does. All d from there to N count.
    int first_step(int value) const;
};

CambiVisibility cambi_visibility(std::string_view eotf, int steps, double tvi_threshold, double luminance_threshold);

/// spec cambi 3.5: r(n) for n = 0..kCambiMaxCount; r(0) is 0.
std::vector<float> cambi_reciprocals();

} // namespace vmaf
