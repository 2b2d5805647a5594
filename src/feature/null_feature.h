#pragma once

#include "feature/feature.h"

namespace vmaf {

/// `null`: accepts every picture and writes nothing (spec abi 5.1). Measures the engine alone.
extern const FeatureSpec kNull;

} // namespace vmaf
