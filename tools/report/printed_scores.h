#pragma once

#include <span>
#include <string>

#include "common/number_format.h"
#include "report/gates.h"
#include "scores/score_columns.h"

namespace vmaf::tool {

/// What --print writes (spec cli 10.2): a line "NAME VALUE" for each model, then each other column, then each aggregate. Columns are
/// mean-pooled.
std::string printed_scores(const ScoreColumns &columns, std::span<const ScoredModel> models, NumberFormat numbers);

} // namespace vmaf::tool
