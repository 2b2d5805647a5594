#pragma once

#include "feature/adm/adm_params.h"

namespace vmaf {

/// Low pass and high pass of spec float_features 3.6.
constexpr float kFloatAdmLow[4] = {0.482962913144690F, 0.836516303737469F, 0.224143868041857F, -0.129409522550921F};
constexpr float kFloatAdmHigh[4] = {-0.129409522550921F, -0.224143868041857F, 0.836516303737469F, -0.482962913144690F};

/// spec float_features 3.7: the squared cosine of one degree.
constexpr float kFloatAdmCosSquared = 0x1.ffd814p-1F;

/// spec float_features 3.9: doubles with exactly these decimals.
constexpr double kFloatAdmNeighbourShare = 0.0333333351;
constexpr double kFloatAdmCentreShare = 0.0666666701;

/// What is computed for one frame: Q of spec float_features 3.9, by scale and band.
struct FloatAdmSums {
    float num[kAdmScales][kAdmBands];
    float aim[kAdmScales][kAdmBands];
    float den[kAdmScales][kAdmBands];
};
static_assert(sizeof(FloatAdmSums) == 144);

/// One scale of one picture size: band size, summation region (spec adm 3.2) and CSF weights (spec
/// float_features 3.8).
struct FloatAdmScale {
    unsigned width;
    unsigned height;
    unsigned left;
    unsigned top;
    unsigned right;  ///< one past the last column
    unsigned bottom; ///< one past the last row
    float weight[kAdmBands];

    double area() const { return static_cast<double>(bottom - top) * static_cast<double>(right - left); }
};

struct FloatAdmParams {
    FloatAdmScale scale[kAdmScales];
    double gain_limit;
    float p_norm;
    bool skip_scale0; ///< the sums of scale 0 stay 0
    bool bypass_mask; ///< every threshold is 0
};

} // namespace vmaf
