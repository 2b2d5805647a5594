#include "model/collection.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstddef>

namespace vmaf {
namespace {

constexpr double kSlopeStep = 0.01;

double mean_of(std::span<const double> values)
{
    double sum = 0;
    for (const double value : values)
        sum = sum + value;
    return sum / static_cast<double>(values.size());
}

double population_deviation(std::span<const double> values, double mean)
{
    double sum = 0;
    for (const double value : values)
        sum = sum + (value - mean) * (value - mean);
    return std::sqrt(sum / static_cast<double>(values.size()));
}

double percentile(std::span<const double> sorted, double percent)
{
    const double position = percent * static_cast<double>(sorted.size() - 1) / 100.;
    const double low = std::floor(position);
    const double high = std::ceil(position);
    const double low_value = sorted[static_cast<std::size_t>(low)];
    if (low == high)
        return low_value;
    return low_value * (high - position) + sorted[static_cast<std::size_t>(high)] * (position - low);
}

} // namespace

BootstrapScore bootstrap(const ModelCollection &collection, std::span<const double> raw_scores)
{
    const Model &first = collection.members.front();
    std::vector<double> sorted(raw_scores.begin(), raw_scores.end());
    // The total order, because client-made scores may hold NaN.
    std::sort(sorted.begin(), sorted.end(), [](double a, double b) { return std::strong_order(a, b) < 0; });
    const double mean = mean_of(raw_scores);
    const double slope =
        (first.transformed_and_clipped(mean + kSlopeStep) - first.transformed_and_clipped(mean - kSlopeStep)) /
        (2.0 * kSlopeStep);
    return {first.transformed_and_clipped(mean), population_deviation(raw_scores, mean) * slope,
            first.transformed_and_clipped(percentile(sorted, 2.5)),
            first.transformed_and_clipped(percentile(sorted, 97.5))};
}

} // namespace vmaf
