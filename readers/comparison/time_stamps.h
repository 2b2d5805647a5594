#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "comparison/plan.h"

/// Frames of equal number that are shown at different times: one of the videos lost a frame (spec
/// comparison 2.6).
namespace vmaf::tool {

struct OutOfStep {
    std::size_t frame = 0; ///< the first one
    double ref_s = 0;      ///< when it is shown, in seconds after frame 0
    double dis_s = 0;
    Side late = Side::distorted; ///< the video that lacks a frame before it

    bool operator==(const OutOfStep &) const = default;
};

/// Empty: frames stay in step as far as both videos go. Videos of slightly different rates drift
/// apart slowly, which does not count.
/// @param ref, dis when each frame is shown, in seconds.
std::optional<OutOfStep> first_out_of_step(std::span<const double> ref, std::span<const double> dis);

/// One line that says so and names the cure.
std::string out_of_step_text(const OutOfStep &found, const VideoDescription &ref, const VideoDescription &dis);

} // namespace vmaf::tool
