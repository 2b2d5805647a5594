#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/vif/vif_params.h"

namespace vmaf {

extern const FeatureSpec kVif;

struct VifOptions {
    double gain_limit;
    bool skip_scale0;
};

VifOptions vif_options(const OptionValues &options);

/// The picture is at least 8 x 8.
std::unique_ptr<CpuExtractor> make_vif_cpu(const VifOptions &options, const PictureFormat &format, CpuTarget target);

} // namespace vmaf
