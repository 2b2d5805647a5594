#include "alignment/small_luma.h"

#include <algorithm>
#include <cmath>
#include <numeric>

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

std::uint32_t squared_difference(std::span<const std::uint8_t> a, std::span<const std::uint8_t> b)
{
    std::uint32_t sum = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
        sum += static_cast<std::uint32_t>((a[k] - b[k]) * (a[k] - b[k]));
    return sum;
}

double psnr_db(const SmallLuma &ref, const SmallLuma &dis, std::span<const int> ref_frame)
{
    constexpr double kMostDb = 100;
    double sum = 0, count = 0;
    for (std::size_t j = 0; j < ref_frame.size(); ++j) {
        const long i = long{ref_frame[j]} - static_cast<long>(ref.first_frame);
        if (i < 0 || i >= static_cast<long>(ref.frames()))
            continue;
        sum += squared_difference(ref.frame(static_cast<std::size_t>(i)), dis.frame(j));
        count += static_cast<double>(dis.frame_size());
    }
    if (count == 0)
        return 0;
    return sum == 0 ? kMostDb : std::min(kMostDb, 10 * std::log10(255. * 255. * count / sum));
}

double psnr_db(const SmallLuma &ref, const SmallLuma &dis, int lag)
{
    std::vector<int> ref_frame(dis.frames());
    std::iota(ref_frame.begin(), ref_frame.end(), static_cast<int>(dis.first_frame) - lag);
    return psnr_db(ref, dis, ref_frame);
}

} // namespace vmaf::tool
