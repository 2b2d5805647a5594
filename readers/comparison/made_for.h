#pragma once

#include <optional>
#include <span>
#include <string>

#include "comparison/plan.h"

namespace vmaf::tool {

/// The message that models and features are made for SDR but both videos are HDR, with the feature
/// to use instead (spec comparison 4). Empty: they fit.
/// @param models versions; those that are not built in may be made for anything.
std::optional<Decision> made_for_sdr(const VideoTags &ref, const VideoTags &dis, std::span<const std::string> models,
                                     std::span<const std::string> features);

} // namespace vmaf::tool
