#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace vmaf::tool {

struct RatePoint {
    std::size_t encode; ///< its number, hence its colour
    std::string label;
    double bits_per_second;
    double score;
};

/// Bitrate as people write it: "1.25 Mbit/s".
std::string bitrate_text(double bits_per_second);

/// Bitrate against pooled score as an SVG element, lines from point to point in the order of
/// bitrates.
/// @param points two or more.
std::string rate_plot(const std::string &title, std::span<const RatePoint> points);

} // namespace vmaf::tool
