#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vmaf::tool {

/// One --feature argument (spec cli 4.2).
struct FeatureSpec {
    std::string name; ///< the extractor's registered name
    std::vector<std::pair<std::string, std::string>> options;
};

/// Throws UsageError.
FeatureSpec parse_feature_spec(std::string_view text);

} // namespace vmaf::tool
