#include "comparison/aspects.h"

#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "input/crop.h"

namespace vmaf::tool {
namespace {

constexpr double kOneShape = 0.01;
constexpr unsigned kMacroblockPx = 16;

bool are_close(double aspect, double other)
{
    return std::abs(aspect / other - 1) <= kOneShape;
}

double stored_aspect(const PictureShape &shape)
{
    return static_cast<double>(shape.width_px) / shape.height_px;
}

/// Sizes are whole numbers, and often even ones.
bool is_rounding(const PictureShape &from, double aspect)
{
    return std::abs(from.width_px - from.height_px * aspect) <= 1 ||
           std::abs(from.height_px - from.width_px / aspect) <= 1;
}

bool keeps_aspect(const PictureShape &from, const PictureShape &to)
{
    if (from.pixels.is_known() && to.pixels.is_known())
        return are_of_one_shape(from, to);
    return are_of_one_shape(from, to) || are_close(stored_aspect(from), stored_aspect(to)) ||
           is_rounding(from, stored_aspect(to));
}

unsigned padded(unsigned pixels)
{
    return (pixels + kMacroblockPx - 1) / kMacroblockPx * kMacroblockPx;
}

/// Whether `whole` is `picture` with padding, which decoders deliver if the stream has no crop.
bool is_padded(const PictureShape &whole, const PictureShape &picture)
{
    const bool has_more = whole.width_px > picture.width_px || whole.height_px > picture.height_px;
    return has_more && (whole.width_px == picture.width_px || whole.width_px == padded(picture.width_px)) &&
           (whole.height_px == picture.height_px || whole.height_px == padded(picture.height_px));
}

/// Pictures with bars have the shape of a screen.
bool is_of_a_screen(const PictureShape &shape)
{
    constexpr double kScreens[] = {16.0 / 9, 4.0 / 3, 9.0 / 16, 3.0 / 4};
    const auto fits = [&](double screen) { return are_close(shape.display_aspect(), screen); };
    return std::ranges::any_of(kScreens, fits);
}

/// Cure for a picture that is scaled to the size of another.
std::string cure_for(const ScaledPicture &scaled)
{
    const bool from = is_of_a_screen(scaled.from), to = is_of_a_screen(scaled.to);
    if (from == to)
        return "--crop auto?";
    return formatted("--crop_{} auto?", from ? scaled.side : scaled.other_side);
}

/// The size that was named, but with the height that keeps the aspect.
std::string size_for(const ScaledPicture &scaled)
{
    const double height = scaled.to.width_px / scaled.from.display_aspect();
    return formatted("--scale {}x{:.0f}", scaled.to.width_px, 2 * std::round(height / 2));
}

std::string padding_text(const PictureShape &picture, std::string_view side)
{
    return formatted("has rows or columns that only fill it up to a multiple of {}: --crop_{} {}?", kMacroblockPx, side,
                     crop_text({0, 0, picture.width_px, picture.height_px}));
}

} // namespace

/// Sideways, if the picture is turned.
PixelAspect pixel_aspect(const VideoTags &tags)
{
    if (tags.orientation.quarter_turns % 2 != 0)
        return {tags.pixel_aspect_den, tags.pixel_aspect_num};
    return {tags.pixel_aspect_num, tags.pixel_aspect_den};
}

bool are_of_one_shape(const PictureShape &a, const PictureShape &b)
{
    return are_close(a.display_aspect(), b.display_aspect());
}

std::optional<std::string> doubt_about_aspect(const ScaledPicture &scaled)
{
    const auto &[from, to, side, other_side] = scaled;
    if (from.width_px == to.width_px && from.height_px == to.height_px)
        return std::nullopt;
    const std::string what =
        formatted("{}x{} scaled to {}x{}", from.width_px, from.height_px, to.width_px, to.height_px);
    if (!other_side.empty() && is_padded(from, to))
        return formatted("{}: the first {}", what, padding_text(to, side));
    if (!other_side.empty() && is_padded(to, from))
        return formatted("{}: the second {}", what, padding_text(from, other_side));
    if (keeps_aspect(from, to))
        return std::nullopt;
    return formatted("{} changes the aspect: {}", what, other_side.empty() ? size_for(scaled) : cure_for(scaled));
}

} // namespace vmaf::tool
