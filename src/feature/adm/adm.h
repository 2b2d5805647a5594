#pragma once

#include <memory>

#include "feature/adm/adm_params.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kAdm;

std::unique_ptr<CpuExtractor> make_adm_cpu(const AdmParams &params, CpuTarget target);

} // namespace vmaf
