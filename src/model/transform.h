#pragma once

#include <optional>
#include <vector>

namespace vmaf {

struct Knot {
    double x;
    double y;
};

/// The optional map from the regression's score to the reported one: polynomial, then knots, then
/// bounds by the score that went in.
struct ScoreTransform {
    bool enabled = false;
    std::optional<double> p0;
    std::optional<double> p1;
    std::optional<double> p2;
    std::vector<Knot> knots; ///< x rises strictly, y does not fall
    bool out_lte_in = false;
    bool out_gte_in = false;

    /// spec models 4, step 6; whether it is enabled is the caller's matter.
    double apply(double score) const;
};

struct ClipRange {
    double min;
    double max;

    /// spec models 4, step 7: NaN passes.
    double apply(double score) const;
};

} // namespace vmaf
