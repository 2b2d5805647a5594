#pragma once

#include <memory>

#include "feature/common/prescale.h"
#include "feature/feature.h"
#include "feature/float_vif/float_vif_params.h"

namespace vmaf {

extern const FeatureSpec kFloatVif;

struct FloatVifOptions {
    double gain_limit;
    double kernel_scale; ///< one of spec float_features 3.2's list
    PrescaleMethod prescale_method;
    PictureSize prescaled; ///< of the pictures that are measured
    double sigma_nsq;
    bool skip_scale0;
};

/// Parses options for a format that check_format() has passed.
FloatVifOptions float_vif_options(const OptionValues &options, const PictureFormat &format);
/// spec float_features 3.2: shorter from scale to scale.
std::vector<float> float_vif_taps(unsigned scale, double kernel_scale);
FloatVifNoise float_vif_noise(const FloatVifOptions &options);

/// @param options the prescaled pictures are at least 8 x 8.
std::unique_ptr<CpuExtractor> make_float_vif_cpu(const FloatVifOptions &options, const PictureFormat &format,
                                                 CpuTarget target);

} // namespace vmaf
