#pragma once

#include <memory>

#include "feature/ciede/ciede_params.h"
#include "feature/feature.h"

namespace vmaf {

extern const FeatureSpec kCiede;

std::unique_ptr<CpuExtractor> make_ciede_cpu(const PictureFormat &format, CpuTarget target);

} // namespace vmaf
