#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/float_psnr/float_psnr_params.h"

namespace vmaf {

extern const FeatureSpec kFloatPsnr;

std::unique_ptr<CpuExtractor> make_float_psnr_cpu(CpuTarget target);

} // namespace vmaf
