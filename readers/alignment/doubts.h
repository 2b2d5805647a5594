#pragma once

#include <span>
#include <string>
#include <vector>

#include "alignment/small_luma.h"

/// Warnings about two videos from their small luma. Each is one line that names its cure.
namespace vmaf::tool {

/// Another lag fits better, or frames are missing or repeated (spec comparison 6).
/// @param windows in order of frame numbers
/// @param most_frames as of estimate_lag
std::vector<std::string> time_doubts(std::span<const LumaWindow> windows, const PairNames &names, unsigned most_frames);

/// What is said of a pair whose small luma is equal in every frame: no warning, since lossless
/// copies are compared on purpose. Empty: it is not.
std::string identity_note(std::span<const LumaWindow> windows, const PairNames &names);

/// Wrong range, exchanged videos, frozen or black stretches (spec comparison 8). Nothing of a pair
/// whose small luma is equal.
/// @param frame_rate frames per second; not positive: unknown.
std::vector<std::string> picture_doubts(std::span<const LumaWindow> windows, const PairNames &names, double frame_rate);

} // namespace vmaf::tool
