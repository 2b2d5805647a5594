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

/// "NAME" or "NAME=OPTION=VALUE:...". Throws UsageError.
FeatureSpec parse_feature_spec(std::string_view text);

/// Also "NAME,NAME,...", of which the last may have options, and "name=NAME:OPTION=VALUE:...", as ffmpeg's filter has it.
std::vector<FeatureSpec> parse_feature_specs(std::string_view text);

} // namespace vmaf::tool
