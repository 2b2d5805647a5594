#include "model/svr.h"

#include <cmath>

namespace vmaf {

double Svr::predict(std::span<const double> x) const
{
    double sum = 0;
    for (const double *row = rows.data(), *end = row + rows.size(); row != end; row += dimensions + 1) {
        double squared_distance = 0;
        for (std::size_t i = 0; i < dimensions; ++i) {
            const double difference = x[i] - row[i + 1];
            squared_distance = squared_distance + difference * difference;
        }
        sum = sum + row[0] * std::exp(-gamma * squared_distance);
    }
    return sum - rho;
}

} // namespace vmaf
