#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace vmaf {

/// Support vectors that were read from a file.
struct SvrRows {
    std::vector<double> rows;           ///< as Svr::rows
    std::vector<std::uint64_t> present; ///< as Svr::present
};

/// Support vector regression with a radial basis function kernel (nu-SVR or epsilon-SVR: same
/// arithmetic).
struct Svr {
    double gamma = 0;
    double rho = 0;
    std::size_t dimensions = 0; ///< 1 to 64
    /// Support vectors, one after the other: the coefficient, then the values that are present.
    std::span<const double> rows;
    /// A mask for each support vector. Bit i set: value i is present; else it is 0. Empty: every
    /// value is present. A file of short lines, which say nothing of most values, must not become
    /// many times as large in memory.
    std::span<const std::uint64_t> present;
    std::shared_ptr<const SvrRows> storage; ///< holds `rows` and `present` unless they are static data

    /// spec models 4, step 4.
    double predict(std::span<const double> x) const;
};

} // namespace vmaf
