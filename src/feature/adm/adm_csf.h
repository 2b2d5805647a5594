#pragma once

#include <cstdint>
#include <optional>

#include "feature/adm/adm_params.h"

namespace vmaf {

enum class AdmCsfMode { watson, barten, blend_a, blend_b };

/// Viewing conditions and scaling of the contrast sensitivity function.
struct AdmCsfOptions {
    AdmCsfMode mode;
    double view_distance; ///< in display heights
    int display_height_px;
    double scale;          ///< of H and V, Barten only
    double diagonal_scale; ///< of D, Barten only
};

/// Weights of spec adm 3.4.
struct AdmCsf {
    float factor[kAdmScales][kAdmBands];
    std::uint32_t weight[kAdmScales][kAdmBands]; ///< integer; 16 bits at scale 0
};

/// Empty: the blends have no weights for these viewing conditions.
std::optional<AdmCsf> adm_csf(const AdmCsfOptions &options);

} // namespace vmaf
