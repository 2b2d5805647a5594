#include "report/answers.h"

#include <vector>

#include "report/summary.h"
#include "report/worst_frames.h"

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
            rows.push_back({several ? label + "  " + row.name : row.name, row.statistics});
        const ScoreColumn *metric = worst > 0 ? main_metric(columns, selection) : nullptr;
        if (metric)
            tables += (several ? label + ":\n" : "") +
                      worst_frames_table(metric->name, worst_frames(*metric, columns.frames, worst), facts.fps);
    }
    if (summary == SummaryKind::none)
        return tables;
    return summary_table(rows) + speed_line(facts.frames, facts.seconds) + tables;
}

} // namespace vmaf::tool
