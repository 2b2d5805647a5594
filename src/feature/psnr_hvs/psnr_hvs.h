#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/psnr_hvs/psnr_hvs_params.h"

namespace vmaf {

extern const FeatureSpec kPsnrHvs;

std::unique_ptr<CpuExtractor> make_psnr_hvs_cpu(CpuTarget target);

} // namespace vmaf
