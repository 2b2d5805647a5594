#pragma once

#include <vector>

#include "base/plane_view.h"
#include "feature/float_adm/float_adm_params.h"
#include "feature/float_ansnr/float_ansnr_params.h"
#include "feature/float_vif/float_vif_params.h"

/// The float features as the specification writes them: whole planes, one operation at a time. The
/// CPU backends are compared with them.
namespace vmaf::test {

struct FloatImage {
    int width, height;
    std::vector<float> values;

    FloatImage(int w, int h) : width(w), height(h), values(static_cast<std::size_t>(w) * static_cast<std::size_t>(h)) {}
    float &at(int x, int y) { return values[static_cast<std::size_t>(y * width + x)]; }
    float at(int x, int y) const { return values[static_cast<std::size_t>(y * width + x)]; }
};

/// Samples minus 128 (spec float_features 2).
FloatImage float_image(const PlaneView &plane);

/// Vertical, then horizontal pass with a mirrored border (spec float_features 3.2, motion 7).
FloatImage low_passed(const FloatImage &image, const std::vector<float> &taps);

/// Adds rows from left to right, then the rows from the top.
float ordered_sum(const FloatImage &terms);

FloatVifSums float_vif_oracle(const PlaneView &ref, const PlaneView &dis, double kernel_scale, double sigma_nsq,
                              double gain_limit);

/// `params` as the feature makes them.
FloatAdmSums float_adm_oracle(const PlaneView &ref, const PlaneView &dis, const FloatAdmParams &params);

FloatAnsnrSums float_ansnr_oracle(const PlaneView &ref, const PlaneView &dis);

} // namespace vmaf::test
