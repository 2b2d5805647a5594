#include "report/summary.h"

#include <algorithm>
#include <cmath>

#include "base/utf8.h"
#include "common/format.h"
#include "library/lists.h"

namespace vmaf::tool {
namespace {

SummaryRow row_of(const ScoreColumn &column)
{
    return {column.name, statistics_of(column.scores), column.better, column.interval};
}

void append_aggregates(std::vector<SummaryRow> &rows, const ScoreColumns &columns)
{
    for (const AggregateScore &aggregate : columns.aggregates) {
        Statistics statistics;
        const bool is_there = !std::isnan(aggregate.value);
        (is_there ? statistics.scored : statistics.missing) = 1;
        if (is_there)
            statistics.mean = aggregate.value;
        rows.push_back({aggregate.name, statistics, VMAF_DIRECTION_NONE});
    }
}

std::string cell_of(double value)
{
    return std::isnan(value) ? "-" : formatted("{:.4f}", value);
}

/// Characters, of one column each.
std::size_t width_of(std::string_view text)
{
    std::size_t characters = 0;
    for (; !text.empty(); ++characters)
        cut_character(text);
    return characters;
}

} // namespace

std::vector<SummaryRow> brief_summary(const ScoreColumns &columns, const Selection &selection)
{
    std::vector<SummaryRow> rows;
    for (const ModelSpec &model : selection.models)
        if (const ScoreColumn *column = columns.metric(model.name))
            rows.push_back(row_of(*column));
    for (const ScoreColumn &column : columns.metrics)
        if (std::ranges::any_of(selection.features,
                                [&](const FeatureSpec &feature) { return may_write(feature.name, column.name); }))
            rows.push_back(row_of(column));
    append_aggregates(rows, columns);
    return rows;
}

std::vector<SummaryRow> full_summary(const ScoreColumns &columns)
{
    std::vector<SummaryRow> rows;
    for (const ScoreColumn &column : columns.metrics)
        rows.push_back(row_of(column));
    append_aggregates(rows, columns);
    return rows;
}

std::string summary_table(std::span<const SummaryRow> rows)
{
    if (rows.empty())
        return {};
    const bool some_missing =
        std::ranges::any_of(rows, [](const SummaryRow &row) { return row.statistics.missing > 0; });
    const bool is_sample = std::ranges::any_of(rows, [](const SummaryRow &row) { return row.interval.has_value(); });
    std::vector<std::vector<std::string>> lines(1, {""});
    for (const TableStatistic &statistic : kTableStatistics)
        lines[0].push_back(statistic.heading);
    if (some_missing)
        lines[0].push_back("nan");
    if (is_sample)
        lines[0].insert(lines[0].end(), {"95 % from", "to"});
    for (const SummaryRow &row : rows) {
        std::vector<std::string> cells{printable(row.name)};
        for (const TableStatistic &statistic : kTableStatistics)
            cells.push_back(cell_of(statistic.of(row.statistics, row.better)));
        if (some_missing)
            cells.push_back(formatted("{}", row.statistics.missing));
        if (is_sample) {
            cells.push_back(cell_of(row.interval ? row.interval->low : Statistics::kNone));
            cells.push_back(cell_of(row.interval ? row.interval->high : Statistics::kNone));
        }
        lines.push_back(std::move(cells));
    }
    return text_table(lines);
}

std::string speed_line(unsigned frames, double seconds)
{
    const double fps = seconds > 0 ? frames / seconds : 0;
    return formatted("{} in {:.2f} s, {:.2f} fps\n", counted(frames, "frame"), seconds, fps);
}

const ScoreColumn *main_metric(const ScoreColumns &columns, const Selection &selection)
{
    if (!selection.models.empty())
        if (const ScoreColumn *column = columns.metric(selection.models.front().name))
            return column;
    for (const ScoreColumn &column : columns.metrics)
        if (!selection.features.empty() && may_write(selection.features.front().name, column.name))
            return &column;
    return columns.metrics.empty() ? nullptr : &columns.metrics.front();
}

std::string text_table(std::span<const std::vector<std::string>> lines)
{
    std::vector<std::size_t> widths;
    for (const auto &cells : lines) {
        widths.resize(cells.size());
        for (std::size_t i = 0; i < cells.size(); ++i)
            widths[i] = std::max(widths[i], width_of(cells[i]));
    }
    std::string text;
    for (const auto &cells : lines) {
        for (std::size_t i = 0; i < cells.size(); ++i) {
            const std::string padding(widths[i] - width_of(cells[i]), ' ');
            text += i == 0 ? cells[i] + padding : "  " + padding + cells[i];
        }
        text += '\n';
    }
    return text;
}

} // namespace vmaf::tool
