#pragma once

#include <array>
#include <memory>
#include <vector>

#include "feature/butteraugli/butteraugli_params.h"
#include "feature/common/light.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kButteraugli;

/// spec butteraugli 2: the options' values.
struct ButteraugliOptions {
    explicit ButteraugliOptions(const OptionValues &values);

    int yuv_matrix;
    double intensity_target;
    double hf_asymmetry;
    LightSignal light;
};

ButteraugliTuning butteraugli_tuning(const ButteraugliOptions &options);

/// spec butteraugli 3.2: a blur's weights at distance 0 to its reach, which sum to 1.
struct ButteraugliTaps {
    float taps[kButteraugliMostReach + 1];
};
ButteraugliTaps butteraugli_taps(ButteraugliBlur blur);
/// What a blur with samples outside counted 0 is multiplied by, at each place of a line.
std::vector<float> butteraugli_norms(ButteraugliBlur blur, unsigned size_px);

/// The picture is at least 8 x 8. @param map gets the difference at each pixel, row by row; null:
/// nobody wants it.
std::unique_ptr<CpuExtractor> make_butteraugli_cpu(const PictureFormat &format, const ButteraugliOptions &options,
                                                   CpuTarget target, float *map = nullptr);

/// spec butteraugli 3.10: 3norm, max, 2norm of a picture of that size.
std::array<double, 3> butteraugli_scores(const ButteraugliSums &sums, unsigned width_px, unsigned height_px);

} // namespace vmaf
