#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/float_adm/float_adm_params.h"

namespace vmaf {

extern const FeatureSpec kFloatAdm;

FloatAdmParams float_adm_params(const OptionValues &values, const PictureFormat &format);

std::unique_ptr<CpuExtractor> make_float_adm_cpu(const FloatAdmParams &params, CpuTarget target);

} // namespace vmaf
