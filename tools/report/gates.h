#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/presets.h"
#include "cli/specs.h"
#include "common/console.h"
#include "scores/score_columns.h"

/// The gates of --fail_under and --fail_over (spec cli 10.5).
namespace vmaf::tool {

/// A model of the session, as gates see it.
struct ScoredModel {
    std::string name;
    bool is_collection; ///< which has columns of its members and bounds too
};

/// Its score or one of its bounds.
bool is_of_model(std::string_view column, const ScoredModel &model);

/// Before the first frame: refuses a metric that cannot come out of this run, and warns of a gate
/// that passes bad videos. Throws Failure.
void check_gates(std::span<const GateSpec> gates, const Selection &selection, std::span<const ScoredModel> models,
                 Warnings &warnings);

/// A line for each gate that is not met; one without a value is not. Throws Failure if there is no
/// such metric.
std::vector<std::string> unmet_gates(std::span<const GateSpec> gates, const Selection &selection,
                                     const ScoreColumns &columns);

} // namespace vmaf::tool
