#pragma once

#include <span>
#include <string_view>

#include "feature/feature.h"

namespace vmaf {

/// Every feature of this build, in lookup order (spec abi 5.1).
std::span<const FeatureSpec *const> feature_registry();

/// By registered name, exact case; null if unknown.
const FeatureSpec *find_feature(std::string_view name);

/// The first feature that provides the output; null if none does.
const FeatureSpec *find_feature_providing(std::string_view output);

} // namespace vmaf
