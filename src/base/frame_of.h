#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

/// How many calls back a feature may look: a quarter of a second at 240 frames/s (spec cvvdp 3.3).
constexpr unsigned kMaxLookBack = 60;

/// The planes of a reference and of a distorted picture.
template <class Plane> struct PairOf {
    Plane ref[3]{};
    Plane dis[3]{};
};

/// What a feature reads to score one frame, in host memory or on a device. A plane that is not there, or that the feature does not read,
/// is empty.
template <class Plane> struct FrameOf : PairOf<Plane> {
    PairOf<Plane> earlier[kMaxLookBack]{}; ///< of the pairs that were read one ([0]), two, ... calls before
    unsigned frame_index = 0;
};

} // namespace vmaf
