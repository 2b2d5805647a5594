#pragma once

#include <optional>

#include "cli/options.h"
#include "report/score_columns.h"

/// What a run tells on stderr besides its result lines (spec cli 10.2).
namespace vmaf::tool {

/// How a run went, besides its scores.
struct RunFacts {
    unsigned frames;           ///< pairs that were read
    double seconds;            ///< from the first frame to the last score
    std::optional<double> fps; ///< of the videos
};

/// @param terminal stderr is one.
SummaryKind choose_summary(const Options &options, bool terminal);

/// @param summary not automatic.
std::string summary_and_worst_frames(const ScoreColumns &columns, const Options &options, SummaryKind summary,
                                     const RunFacts &facts);

} // namespace vmaf::tool
