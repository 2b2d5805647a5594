#pragma once

#include <span>

/// The trained numbers of the built-in models. Each regression exists once, whichever models share it.

namespace vmaf {

/// y = slope * x + intercept.
struct Rescaling {
    double slope;
    double intercept;
};

struct BuiltinRegression {
    Rescaling score;
    std::span<const Rescaling> features;
    double gamma;
    double rho;
    std::span<const double> rows; ///< as Svr::rows
};

extern const BuiltinRegression kRegressionV061;
extern const BuiltinRegression kRegression4kV061;
extern const BuiltinRegression kRegressionV1016;
/// [0] is the main model, the others the bootstrap.
extern const BuiltinRegression kRegressionsBV063[21];

} // namespace vmaf
