#pragma once

#include <span>
#include <string>

#include "comparison/pairing.h"
#include "comparison/plan.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// The record of a comparison, with all conversions (spec comparison 11): a JSON object.
/// @param ref in the form that is compared. @param warnings of the two.
std::string comparison_record(const VideoReader &ref, const VideoReader &dis, Display display,
                              std::span<const Decision> decisions, const Pairing &pairing,
                              std::span<const std::string> warnings);

} // namespace vmaf::tool
