#include "model/svr.h"

#include <cmath>

namespace vmaf {
namespace {

double squared_distance(std::span<const double> x, const double *values)
{
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = x[i] - values[i];
        sum = sum + difference * difference;
    }
    return sum;
}

/// Squared distance to a support vector that is 0 where it has no value. Moves `next` past the
/// values that it has.
double squared_distance(std::span<const double> x, std::uint64_t present, const double *&next)
{
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double difference = x[i] - ((present >> i & 1) != 0 ? *next++ : 0.0);
        sum = sum + difference * difference;
    }
    return sum;
}

} // namespace

double Svr::predict(std::span<const double> x) const
{
    const std::span<const double> inputs = x.first(dimensions);
    double sum = 0;
    const double *next = rows.data(), *const end = next + rows.size();
    for (std::size_t row = 0; next != end; ++row) {
        const double coefficient = *next++;
        double distance = 0;
        if (present.empty()) {
            distance = squared_distance(inputs, next);
            next += dimensions;
        } else {
            distance = squared_distance(inputs, present[row], next);
        }
        sum = sum + coefficient * std::exp(-gamma * distance);
    }
    return sum - rho;
}

} // namespace vmaf
