#pragma once

#include <optional>
#include <span>
#include <string>

#include "cli/options.h"
#include "common/format.h"
#include "report/gates.h"
#include "scores/score_columns.h"

/// Output of a run besides its result lines: on stderr, and with --print on stdout (spec cli 10.2).
namespace vmaf::tool {

/// How a run went, besides its scores.
struct RunFacts {
    unsigned frames;           ///< pairs that were read
    double seconds;            ///< from the first frame to the last score
    std::optional<double> fps; ///< frame rate of the videos
};

/// @param terminal stderr is one.
SummaryKind choose_summary(SummaryKind asked, bool quiet, bool terminal);

/// Scores of one distorted video.
struct EncodeScores {
    std::string label; ///< where there are several, printable
    const ScoreColumns &columns;
};

/// @param encodes one or more, with the same metrics. @param summary not automatic. @param worst so
/// many frames are listed.
std::string summary_and_worst_frames(std::span<const EncodeScores> encodes, const Selection &selection,
                                     SummaryKind summary, unsigned worst, const RunFacts &facts);

/// Output of --print (spec cli 10.2): a line "NAME VALUE" for each model, then each other column,
/// then each aggregate. Columns are mean-pooled. @param prefix of each line.
std::string printed_scores(const ScoreColumns &columns, std::span<const ScoredModel> models, NumberFormat numbers,
                           const std::string &prefix);

} // namespace vmaf::tool
