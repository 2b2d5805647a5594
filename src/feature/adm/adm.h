#pragma once

#include <memory>

#include "feature/adm/adm_params.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kAdm;

/// What a backend computes. The options have passed Feature::check_format().
AdmParams adm_params(const OptionValues &options, const PictureFormat &format);

std::unique_ptr<CpuExtractor> make_adm_cpu(const AdmParams &params, CpuTarget target);

} // namespace vmaf
