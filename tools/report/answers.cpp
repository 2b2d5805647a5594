#include "report/answers.h"

#include "report/summary.h"
#include "report/worst_frames.h"

namespace vmaf::tool {

SummaryKind choose_summary(const Options &options, bool terminal)
{
    if (options.summary != SummaryKind::automatic)
        return options.summary;
    return terminal && !options.quiet ? SummaryKind::brief : SummaryKind::none;
}

std::string summary_and_worst_frames(const ScoreColumns &columns, const Options &options, SummaryKind summary,
                                     const RunFacts &facts)
{
    std::string text;
    if (summary != SummaryKind::none) {
        text += summary_table(summary == SummaryKind::full ? full_summary(columns)
                                                           : brief_summary(columns, options.selection));
        text += speed_line(facts.frames, facts.seconds);
    }
    const ScoreColumn *metric = options.worst > 0 ? main_metric(columns, options.selection) : nullptr;
    if (metric)
        text += worst_frames_table(metric->name, worst_frames(*metric, columns.frames, options.worst), facts.fps);
    return text;
}

} // namespace vmaf::tool
