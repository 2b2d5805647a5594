#include "comparison/display_size.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace vmaf::tool {

unsigned lines_of(Display display)
{
    return display == Display::uhd || display == Display::uhd_tv ? 2160 : 1080;
}

unsigned lines_of(const VideoFormat &format)
{
    return std::min(format.width_px, format.height_px);
}

VideoFormat fitted(VideoFormat format, const PixelAspect &pixels, Display display)
{
    const std::int64_t lines = lines_of(display);
    const std::int64_t columns = lines * 16 / 9;
    const std::int64_t width = format.width_px * (pixels.is_known() ? pixels.num : 1);
    const std::int64_t height = format.height_px * (pixels.is_known() ? pixels.den : 1);
    const auto [most_wide, most_high] = width < height ? std::pair(lines, columns) : std::pair(columns, lines);
    const auto nearest_even = [](std::int64_t num, std::int64_t den) {
        return static_cast<unsigned>(std::max<std::int64_t>(2, (num + den) / (2 * den) * 2));
    };
    const bool is_as_wide = width * most_high >= height * most_wide;
    format.width_px = is_as_wide ? static_cast<unsigned>(most_wide) : nearest_even(most_high * width, height);
    format.height_px = is_as_wide ? nearest_even(most_wide * height, width) : static_cast<unsigned>(most_high);
    return format;
}

} // namespace vmaf::tool
