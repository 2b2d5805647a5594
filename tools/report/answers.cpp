#include "report/answers.h"

#include <vector>

#include "report/summary.h"
#include "report/worst_frames.h"

namespace vmaf::tool {

SummaryKind choose_summary(const Options &options, bool terminal)
{
    if (options.summary != SummaryKind::automatic)
        return options.summary;
    return terminal && !options.quiet ? SummaryKind::brief : SummaryKind::none;
}

std::string summary_and_worst_frames(std::span<const EncodeScores> encodes, const Options &options, SummaryKind summary,
                                     const RunFacts &facts)
{
    const bool several = encodes.size() > 1;
    std::vector<SummaryRow> rows;
    std::string worst;
    for (const auto &[label, columns] : encodes) {
        for (SummaryRow &row :
             summary == SummaryKind::full ? full_summary(columns) : brief_summary(columns, options.selection))
            rows.push_back({several ? label + "  " + row.name : row.name, row.statistics});
        const ScoreColumn *metric = options.worst > 0 ? main_metric(columns, options.selection) : nullptr;
        if (metric)
            worst += (several ? label + ":\n" : "") +
                     worst_frames_table(metric->name, worst_frames(*metric, columns.frames, options.worst), facts.fps);
    }
    if (summary == SummaryKind::none)
        return worst;
    return summary_table(rows) + speed_line(facts.frames, facts.seconds) + worst;
}

} // namespace vmaf::tool
