#pragma once

#include <span>
#include <string>
#include <vector>

#include "common/format.h"
#include "sampled_encodes.h"
#include "scores/score_columns.h"
#include "scoring/scoring_models.h"

/// A run that scores a sample of each encode's frames (spec comparison 10).
namespace vmaf::tool {

/// The sample as JSON.
std::string sample_record(const EncodeSample &sample, const ScoreColumns &columns);
/// A line for each model.
std::vector<std::string> sample_lines(const EncodeSample &sample, std::span<const ScoringModel> models,
                                      const ScoreColumns &columns, NumberFormat numbers, const std::string &prefix);

} // namespace vmaf::tool
