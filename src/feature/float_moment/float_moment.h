#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/float_moment/float_moment_params.h"

namespace vmaf {

extern const FeatureSpec kFloatMoment;

std::unique_ptr<CpuExtractor> make_float_moment_cpu(CpuTarget target);

} // namespace vmaf
