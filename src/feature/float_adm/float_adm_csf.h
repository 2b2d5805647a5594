#pragma once

#include <array>

#include "feature/adm/adm_params.h"

namespace vmaf {

/// Options for the weights of spec float_features 3.8.
struct FloatAdmCsfOptions {
    int mode;
    double view_distance; ///< in display heights
    int display_height_px;
    double scale;          ///< of H and V, mode 1 only
    double diagonal_scale; ///< of D, mode 1 only
    /// What replaces the weight of H and V, and of D; by scale, negative: nothing.
    std::array<double, kAdmScales> straight_override;
    std::array<double, kAdmScales> diagonal_override;
};

/// f of every scale and band.
using FloatAdmCsf = std::array<std::array<float, kAdmBands>, kAdmScales>;

FloatAdmCsf float_adm_csf(const FloatAdmCsfOptions &options);

} // namespace vmaf
