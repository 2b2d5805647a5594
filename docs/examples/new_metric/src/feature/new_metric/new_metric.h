#pragma once

#include <memory>

#include "feature/feature.h"
#include "feature/new_metric/new_metric_params.h"

namespace vmaf {

extern const FeatureSpec kNewMetric;

std::unique_ptr<CpuExtractor> make_new_metric_cpu();

} // namespace vmaf
