#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/score_table.h"

namespace vmaf {

/// The scores of a table as the rows and columns of its score files (spec abi 6).
struct ScoreSnapshot {
    std::vector<unsigned> frames;             ///< numbers of the rows, ascending
    std::vector<std::string> metric_names;    ///< in output order; UTF-8
    std::vector<std::vector<double>> metrics; ///< one score a row, NaN where the frame has none
    std::vector<std::string> aggregate_names;
    std::vector<double> aggregates;
};

/// @param subsample rows are the multiples of it; 0 and 1: all
/// @param flush_call as for ScoreTable::ordered_columns()
ScoreSnapshot snapshot_of(const ScoreTable &table, unsigned subsample, std::uint64_t flush_call);

} // namespace vmaf
