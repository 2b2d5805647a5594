#include "report/rate_plot.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/format.h"
#include "report/axis.h"
#include "report/html_text.h"

namespace vmaf::tool {
namespace {

constexpr double kWidth = 560;
constexpr double kHeight = 300;
constexpr double kLeft = 46;
constexpr double kRight = 30;
constexpr double kTop = 16;
constexpr double kBottom = 42;

Axis rate_axis(std::span<const RatePoint> points)
{
    const auto [least, most] = std::ranges::minmax_element(points, {}, &RatePoint::bits_per_second);
    Axis axis{least->bits_per_second, most->bits_per_second, kLeft, kWidth - kRight};
    axis.is_logarithmic = axis.high > 4 * axis.low;
    if (axis.is_logarithmic) {
        axis.low /= 1.15;
        axis.high *= 1.15;
    } else {
        const double air = std::max((axis.high - axis.low) * 0.06, axis.high * 0.01);
        axis.low = std::max(0.0, axis.low - air);
        axis.high += air;
    }
    return axis;
}

Axis score_axis(std::span<const RatePoint> points)
{
    const auto [least, most] = std::ranges::minmax_element(points, {}, &RatePoint::score);
    const double air = std::max((most->score - least->score) * 0.1, std::max(std::abs(most->score) * 0.005, 1e-6));
    return {least->score - air, most->score + air, kHeight - kBottom, kTop};
}

std::string grid(const Axis &rates, const Axis &scores)
{
    std::string svg;
    for (const double score : marks(scores, 5)) {
        const double y = scores.place(score);
        svg += formatted(
            R"(<path class="grid" d="M{0:.1f} {1:.1f}H{2:.1f}"/><text x="{3:.1f}" y="{4:.1f}" text-anchor="end">{5:g}</text>)",
            kLeft, y, kWidth - kRight, kLeft - 7, y + 4, score);
    }
    for (const double rate : marks(rates, 5)) {
        const double x = rates.place(rate);
        svg += formatted(
            R"(<path class="grid" d="M{0:.1f} {1:.1f}V{2:.1f}"/><text x="{0:.1f}" y="{3:.1f}" text-anchor="middle">{4}</text>)",
            x, kTop, kHeight - kBottom, kHeight - kBottom + 17, bitrate_text(rate));
    }
    return svg;
}

} // namespace

std::string bitrate_text(double bits_per_second)
{
    const bool is_mega = bits_per_second >= 1e6;
    return formatted("{:.3g} {}", bits_per_second / (is_mega ? 1e6 : 1e3), is_mega ? "Mbit/s" : "kbit/s");
}

std::string rate_plot(const std::string &title, std::span<const RatePoint> points)
{
    const Axis rates = rate_axis(points);
    const Axis scores = score_axis(points);
    std::vector<RatePoint> sorted(points.begin(), points.end());
    std::ranges::stable_sort(sorted, {}, &RatePoint::bits_per_second);
    std::string path, dots;
    for (const RatePoint &point : sorted) {
        const double x = rates.place(point.bits_per_second);
        const double y = scores.place(point.score);
        path += formatted("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x, y);
        dots += formatted(R"(<circle class="f{}" cx="{:.1f}" cy="{:.1f}" r="6"><title>{}: {}, {:.4f}</title></circle>)",
                          point.encode % kColours, x, y, escaped(point.label), bitrate_text(point.bits_per_second),
                          point.score);
        dots += formatted(R"(<text class="value" x="{:.1f}" y="{:.1f}" text-anchor="middle">{:.2f}</text>)", x, y - 11,
                          point.score);
    }
    return formatted(
        R"(<svg class="rate" viewBox="0 0 {} {}" role="img" aria-label="{}">{}<path class="path" d="{}"/>{}</svg>)",
        kWidth, kHeight, escaped(title), grid(rates, scores), path, dots);
}

} // namespace vmaf::tool
