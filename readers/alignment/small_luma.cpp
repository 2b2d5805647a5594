#include "alignment/small_luma.h"

#include <algorithm>
#include <cmath>

namespace vmaf::tool {

SmallGrid small_grid(unsigned width_px, unsigned height_px)
{
    constexpr double kSamples = 3600;
    constexpr double kMost = 160;
    const double w = width_px, h = height_px;
    if (w == 0 || h == 0)
        return {};
    const double scale = std::min({1.0, std::sqrt(kSamples / (w * h)), kMost / w, kMost / h});
    const auto size = [&](double px) { return static_cast<unsigned>(std::max(1.0, std::round(px * scale))); };
    return {size(w), size(h)};
}

} // namespace vmaf::tool
