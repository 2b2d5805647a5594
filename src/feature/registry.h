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

/// The name in score files of an output whose stored name is that (spec abi 5.5), or the name
/// itself.
std::string_view output_alias(std::string_view stored_name);

} // namespace vmaf
