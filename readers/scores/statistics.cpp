#include "scores/statistics.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace vmaf::tool {
namespace {

/// Linear between the two neighbours of place share * (n - 1). No line leads to an infinite one:
/// then the nearer one counts.
double quantile(const std::vector<double> &sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const double below = std::floor(place);
    const double low = sorted[static_cast<std::size_t>(below)];
    const double high = sorted[static_cast<std::size_t>(std::ceil(place))];
    const double part = place - below;
    if (std::isfinite(low) && std::isfinite(high))
        return low + (high - low) * part;
    return part < 0.5 ? low : part > 0.5 ? high : (low + high) / 2;
}

} // namespace

Statistics statistics_of(std::span<const double> scores)
{
    std::vector<double> there;
    there.reserve(scores.size());
    std::ranges::copy_if(scores, std::back_inserter(there), [](double score) { return !std::isnan(score); });

    Statistics result;
    result.scored = there.size();
    result.missing = scores.size() - there.size();
    if (there.empty())
        return result;
    const auto n = static_cast<double>(there.size());
    double sum = 0;
    double inverse_sum = -0.0; // stays negative if all scores are -infinity
    for (const double score : there) {
        sum += score;
        inverse_sum += 1 / (score + 1);
    }
    result.mean = sum / n;
    result.harmonic_mean = n / inverse_sum - 1;
    double squares = 0;
    for (const double score : there)
        squares += (score - result.mean) * (score - result.mean);
    result.stddev = std::sqrt(squares / n);

    std::ranges::sort(there);
    result.min = there.front();
    result.p1 = quantile(there, 0.01);
    result.p5 = quantile(there, 0.05);
    result.median = quantile(there, 0.5);
    result.p95 = quantile(there, 0.95);
    result.p99 = quantile(there, 0.99);
    result.max = there.back();
    return result;
}

const StatisticName *find_statistic(std::string_view name)
{
    const auto *found = std::ranges::find(kStatisticNames, name,
                                          [](const StatisticName &known) { return std::string_view(known.name); });
    return found == kStatisticNames.end() ? nullptr : &*found;
}

} // namespace vmaf::tool
