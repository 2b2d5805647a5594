#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "input/video_format.h"

/// The shapes of pictures (spec comparison 2.5 and 7).
namespace vmaf::tool {

struct PixelAspect {
    std::int64_t num = 0, den = 1;

    bool is_known() const { return num > 0 && den > 0; }
    /// Width divided by height; that of square pixels if it is not known.
    double ratio() const { return is_known() ? static_cast<double>(num) / static_cast<double>(den) : 1; }
    bool operator==(const PixelAspect &other) const { return num * other.den == other.num * den; }
};

/// Aspect of the pixels of upright pictures.
PixelAspect pixel_aspect(const VideoTags &tags);

struct PictureShape {
    unsigned width_px, height_px;
    PixelAspect pixels;

    double display_width() const { return width_px * pixels.ratio(); }
    double display_aspect() const { return display_width() / height_px; }
};

/// Whether they are shown with aspects that differ by 1 % at most.
bool are_of_one_shape(const PictureShape &a, const PictureShape &b);

/// A picture that is scaled to another size.
struct ScaledPicture {
    PictureShape from, to;
    std::string_view side;       ///< "ref" or "dist"
    std::string_view other_side; ///< that has the size; empty: the user named it
};

/// The warning against scaling it, with the cure; empty: none. Pixels of unknown aspect are square,
/// or those of the other picture: whichever fits.
std::optional<std::string> doubt_about_aspect(const ScaledPicture &scaled);

} // namespace vmaf::tool
