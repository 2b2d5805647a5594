#pragma once

#include <memory>
#include <string>

#include "feature/feature.h"
#include "feature/speed/speed_params.h"

namespace vmaf {

extern const FeatureSpec kSpeedChroma;
extern const FeatureSpec kSpeedTemporal;

/// Options of both features; the last two belong to one each.
struct SpeedOptions {
    double kernel_scale;
    double prescale;
    std::string prescale_method;
    double sigma_nn;
    double nn_floor;
    double max_val;
    int weight_var_mode = 0;
    bool use_ref_diff = false;
};

SpeedOptions speed_chroma_options(const OptionValues &given);
SpeedOptions speed_temporal_options(const OptionValues &given);

std::unique_ptr<CpuExtractor> make_speed_chroma_cpu(const PictureFormat &format, const SpeedOptions &options,
                                                    CpuTarget target);
std::unique_ptr<CpuExtractor> make_speed_temporal_cpu(const PictureFormat &format, const SpeedOptions &options,
                                                      CpuTarget target);

} // namespace vmaf
