#pragma once

#include <optional>
#include <string>

#include "comparison/plan.h"

/// Frame rates of two videos, and what to do where they differ (spec comparison 2.6).
namespace vmaf::tool {

/// Whether both are known, in frames per second, and another thing than rounding makes them differ.
bool rates_differ(std::optional<double> ref_fps, std::optional<double> dis_fps);

/// "25"; "27.31 (variable frame rate)". @param video its rate is known.
std::string rate_text(const VideoDescription &video);

/// An ffmpeg command that gives a video that constant rate.
std::string converting_command(const VideoDescription &video, double fps);

/// An ffmpeg command that gives one of the two the other one's rate: to the variable one, else to
/// the one with more frames. Both rates are known.
std::string converting_command(const VideoDescription &ref, const VideoDescription &dis);

} // namespace vmaf::tool
