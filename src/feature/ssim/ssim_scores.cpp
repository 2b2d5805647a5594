#include "feature/ssim/ssim_scores.h"

#include <cmath>
#include <cstdint>
#include <limits>

namespace vmaf {
namespace {

double decibel_cap(const PictureFormat &format)
{
    const std::uint32_t peak = (1U << format.bpc) - 1;
    const std::uint32_t pixels = format.width * format.height;
    return std::ceil(10.0 * std::log10(static_cast<double>(peak * peak) / (0.5 / static_cast<double>(pixels))));
}

} // namespace

double SsimOptions::output(double score, const PictureFormat &format) const
{
    if (!enable_db)
        return score;
    const double decibel = -10.0 * std::log10(1 - score);
    const double cap = clip_db ? decibel_cap(format) : std::numeric_limits<double>::infinity();
    return decibel < cap ? decibel : cap;
}

SsimMeans::SsimMeans(const SsimSums &sums, PictureSize evaluated)
{
    const double positions =
        static_cast<double>((evaluated.width_px - kSsimMargin) * (evaluated.height_px - kSsimMargin));
    l = static_cast<float>(sums.l / positions);
    c = static_cast<float>(sums.c / positions);
    s = static_cast<float>(sums.s / positions);
    ssim = static_cast<float>(sums.q / positions);
}

} // namespace vmaf
