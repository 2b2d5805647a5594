#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/video_format.h"

namespace vmaf::tool {

/// What keeps the two videos from being compared, a line each (spec cli 3.3).
std::vector<std::string> incompatibilities(const VideoFormat &ref, const VideoFormat &dis, bool unequal_depths_allowed);

/// Whether both are known, in frames per second, and another thing than rounding makes them differ.
bool rates_differ(std::optional<double> ref_fps, std::optional<double> dis_fps);

/// That frames of the two are of different times if they are compared by number; empty: not that we know.
/// @param ref_fps frames per second, if known.
std::optional<std::string> doubt_about_rates(std::optional<double> ref_fps, std::optional<double> dis_fps);

} // namespace vmaf::tool
