#include "engine/score_snapshot.h"

#include <limits>
#include <string_view>

#include "base/utf8.h"
#include "engine/output_rows.h"
#include "feature/registry.h"

namespace vmaf {
namespace {

/// The column's name in score files.
std::string output_name(std::string_view stored_name)
{
    std::string name;
    for (std::string_view left = output_alias(stored_name); !left.empty();) {
        const Utf8Character character = cut_character(left);
        name += character.code ? character.bytes : kReplacementCharacter;
    }
    return name;
}

} // namespace

ScoreSnapshot snapshot_of(const ScoreTable &table, unsigned subsample, std::uint64_t flush_call)
{
    ScoreSnapshot snapshot;
    const OutputColumns columns = table.ordered_columns(flush_call);
    for (const ScoreColumn *column : columns)
        snapshot.metric_names.push_back(output_name(column->stored_name()));
    snapshot.metrics.resize(columns.size());
    for (OutputRows rows(columns, subsample); rows.next();) {
        snapshot.frames.push_back(rows.index());
        for (std::vector<double> &scores : snapshot.metrics)
            scores.push_back(std::numeric_limits<double>::quiet_NaN());
        for (const OutputRows::Cell &cell : rows.cells())
            snapshot.metrics[cell.column].back() = cell.value;
    }
    for (const auto &[name, value] : table.aggregates()) {
        snapshot.aggregate_names.push_back(output_name(name));
        snapshot.aggregates.push_back(value);
    }
    return snapshot;
}

} // namespace vmaf
