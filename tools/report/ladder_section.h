#pragma once

#include <span>
#include <string>

#include "report/html_parts.h"

/// Sections of a report of several encodes (spec cli 10.7).
namespace vmaf::tool {

/// A row for each encode: its file, and every score that was asked for.
/// @param models scores with all of their statistics. @param features scores with two of them.
std::string ladder_table(const Encodes &encodes, std::span<const std::string> models,
                         std::span<const std::string> features);

/// Bitrate against score: a plot that the page's script draws, and for readers without one a figure
/// for each metric. Empty where fewer than two bitrates are known.
std::string rate_section(const Encodes &encodes, std::span<const std::string> metrics);

} // namespace vmaf::tool
