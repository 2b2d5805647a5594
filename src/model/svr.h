#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

namespace vmaf {

/// Support vector regression with a radial basis function kernel (nu-SVR or epsilon-SVR: same arithmetic).
struct Svr {
    double gamma = 0;
    double rho = 0;
    std::size_t dimensions = 0;
    /// Of each support vector its coefficient, then its `dimensions` values; one after the other.
    std::span<const double> rows;
    std::shared_ptr<const std::vector<double>> storage; ///< holds `rows` unless they are static data

    /// spec models 4, step 4.
    double predict(std::span<const double> x) const;
};

} // namespace vmaf
