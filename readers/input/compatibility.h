#pragma once

#include <string>
#include <vector>

#include "input/video_format.h"

namespace vmaf::tool {

/// Reasons why the two videos cannot be compared, a line each (spec cli 3.3).
std::vector<std::string> incompatibilities(const VideoFormat &ref, const VideoFormat &dis);

} // namespace vmaf::tool
