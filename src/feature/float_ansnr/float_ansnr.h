#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/float_ansnr/float_ansnr_params.h"

namespace vmaf {

extern const FeatureSpec kFloatAnsnr;

std::unique_ptr<CpuExtractor> make_float_ansnr_cpu(const PictureFormat &format, CpuTarget target);

} // namespace vmaf
