#include "scores/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vmaf::tool {
namespace {

/// Linear between the two neighbours of place share * (n - 1).
double quantile(const std::vector<double> &sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const double below = std::floor(place);
    const double low = sorted[static_cast<std::size_t>(below)];
    const double high = sorted[static_cast<std::size_t>(std::ceil(place))];
    return low + (high - low) * (place - below);
}

} // namespace

Statistics statistics_of(std::span<const double> scores)
{
    std::vector<double> finite;
    finite.reserve(scores.size());
    std::ranges::copy_if(scores, std::back_inserter(finite), [](double score) { return std::isfinite(score); });

    Statistics result;
    result.scored = finite.size();
    result.missing = scores.size() - finite.size();
    if (finite.empty())
        return result;
    const auto n = static_cast<double>(finite.size());
    double sum = 0;
    double inverse_sum = 0;
    for (const double score : finite) {
        sum += score;
        inverse_sum += 1 / (score + 1);
    }
    result.mean = sum / n;
    result.harmonic_mean = n / inverse_sum - 1;
    double squares = 0;
    for (const double score : finite)
        squares += (score - result.mean) * (score - result.mean);
    result.stddev = std::sqrt(squares / n);

    std::ranges::sort(finite);
    result.min = finite.front();
    result.p1 = quantile(finite, 0.01);
    result.p5 = quantile(finite, 0.05);
    result.median = quantile(finite, 0.5);
    result.max = finite.back();
    return result;
}

} // namespace vmaf::tool
