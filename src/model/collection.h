#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace vmaf {

/// Models of one kind trained on resampled data; together they give a score with a confidence
/// interval.
struct ModelCollection {
    std::string name; ///< of the collection; its members are called NAME_0001, NAME_0002, ...
    std::vector<Model> members;
};

struct BootstrapScore {
    double bagging;
    double stddev;
    double ci_p95_lo;
    double ci_p95_hi;
};

/// The collection's score of one frame (spec models 5).
/// @param raw_scores predict_raw() of each member, in order.
BootstrapScore bootstrap(const ModelCollection &collection, std::span<const double> raw_scores);

} // namespace vmaf
