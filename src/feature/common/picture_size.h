#pragma once

#include <cstddef>

namespace vmaf {

/// Size of a plane, or of a picture that is made from one.
struct PictureSize {
    unsigned width_px = 0;
    unsigned height_px = 0;

    constexpr bool operator==(const PictureSize &) const = default;

    constexpr std::size_t pixels() const { return std::size_t{width_px} * height_px; }
    /// Rounded up.
    constexpr PictureSize halved() const { return {(width_px + 1) / 2, (height_px + 1) / 2}; }
};

} // namespace vmaf
