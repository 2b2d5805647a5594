#pragma once

// Shared with device code: plain C++17.

namespace vmaf {

/// The planes of a reference and of a distorted picture.
template <class Plane> struct PairOf {
    Plane ref[3]{};
    Plane dis[3]{};
};

} // namespace vmaf
