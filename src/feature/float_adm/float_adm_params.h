#pragma once

#include "feature/adm/adm_params.h"

namespace vmaf {

/// What is computed for one frame: Q of spec float_features 3.9, by scale and band.
struct FloatAdmSums {
    float num[kAdmScales][kAdmBands];
    float aim[kAdmScales][kAdmBands];
    float den[kAdmScales][kAdmBands];
};
static_assert(sizeof(FloatAdmSums) == 144);

/// One scale of one picture size: band size, summation region (spec adm 3.2) and CSF weights (spec float_features 3.8).
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
