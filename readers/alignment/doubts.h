#pragma once

#include <span>
#include <string>
#include <vector>

#include "alignment/small_luma.h"
#include "comparison/pairing.h"

/// Warnings about two videos from their small luma. Each is one line that names its cure.
namespace vmaf::tool {

struct TimeDoubts {
    std::vector<std::string> warnings = {};
    Pairing seen = {}; ///< frames that show others than those of equal number; no pairs without a warning
};
/// Another lag fits better, or frames are missing or repeated (spec comparison 6).
/// @param windows in order of frame numbers
/// @param most_frames as of estimate_lag
TimeDoubts time_doubts(std::span<const LumaWindow> windows, const PairNames &names, unsigned most_frames);

/// "dis.mp4 lacks 2 frames of ref.mp4 (the first is 45) and repeats 1 frame (the first is its frame
/// 60)". One of the lists has frames.
std::string edits_text(const std::vector<unsigned> &dropped, const std::vector<unsigned> &repeated,
                       const PairNames &names);

struct PictureDoubts {
    /// Lines about a wrong range, exchanged videos, frozen or black stretches (spec comparison 8).
    std::vector<std::string> warnings = {};
    /// Instead, if small luma is equal in every frame: no warning, since lossless copies are
    /// compared on purpose. Else empty.
    std::string note = {};
};
/// @param frame_rate frames per second; not positive: unknown.
PictureDoubts picture_doubts(std::span<const LumaWindow> windows, const PairNames &names, double frame_rate);

} // namespace vmaf::tool
