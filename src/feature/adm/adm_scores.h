#pragma once

#include "feature/adm/adm_csf.h"
#include "feature/adm/adm_params.h"

namespace vmaf {

/// Geometry, weights and shifts of one picture size (spec adm 3.2, 3.4, 3.6, 3.7). Gain limit,
/// depth and skips are left 0.
AdmParams adm_params(unsigned width_px, unsigned height_px, const AdmCsf &csf);

/// num_s, den_s and aim_s of spec adm 3.8.
struct AdmScaleScores {
    float num;
    float den;
    float aim;
};

/// Norms of a scale's bands before noise is added (spec adm 3.8).
struct AdmNorms {
    float num[kAdmBands];
    float den[kAdmBands];
};
AdmNorms adm_norms(const AdmSums &sums, unsigned scale, const AdmScale &geometry, const AdmCsf &csf);

AdmScaleScores adm_scale_scores(const AdmSums &sums, unsigned scale, const AdmScale &geometry, const AdmCsf &csf,
                                double noise_weight);

} // namespace vmaf
