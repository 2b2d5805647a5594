#include "report/answers.h"

#include <algorithm>
#include <vector>

#include "common/format.h"
#include "report/summary.h"
#include "report/worst_frames.h"
#include "scores/statistics.h"

namespace vmaf::tool {
SummaryKind choose_summary(SummaryKind asked, bool quiet, bool terminal)
{
    if (asked != SummaryKind::automatic)
        return asked;
    return terminal && !quiet ? SummaryKind::brief : SummaryKind::none;
}

std::string summary_and_worst_frames(std::span<const EncodeScores> encodes, const Selection &selection,
                                     SummaryKind summary, unsigned worst, const RunFacts &facts)
{
    const bool several = encodes.size() > 1;
    std::vector<SummaryRow> rows;
    std::string tables;
    for (const auto &[label, columns] : encodes) {
        for (SummaryRow &row : summary == SummaryKind::full ? full_summary(columns) : brief_summary(columns, selection))
            rows.push_back({several ? label + "  " + row.name : row.name, row.statistics, row.better, row.interval});
        const ScoreColumn *metric = worst > 0 ? main_metric(columns, selection) : nullptr;
        if (metric)
            tables += (several ? label + ":\n" : "") +
                      worst_frames_table(metric->name, worst_frames(*metric, columns.frames, worst), facts.fps);
    }
    if (summary == SummaryKind::none)
        return tables;
    return summary_table(rows) + speed_line(facts.frames, facts.seconds) + tables;
}

std::string printed_scores(const ScoreColumns &columns, std::span<const ScoredModel> models, NumberFormat numbers,
                           const std::string &prefix)
{
    const auto line = [&](const std::string &name, double value) {
        return formatted("{}{} {}\n", prefix, printable(name), numbers.text(value));
    };
    std::string of_models, of_features;
    for (const ScoredModel &model : models)
        for (const ScoreColumn &column : columns.metrics)
            if (is_of_model(column.name, model))
                of_models += line(column.name, statistics_of(column.scores).mean);
    for (const ScoreColumn &column : columns.metrics)
        if (std::ranges::none_of(models, [&](const ScoredModel &model) { return is_of_model(column.name, model); }))
            of_features += line(column.name, statistics_of(column.scores).mean);
    for (const AggregateScore &aggregate : columns.aggregates)
        of_features += line(aggregate.name, aggregate.value);
    return of_models + of_features;
}

} // namespace vmaf::tool
