#pragma once

#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/presets.h"
#include "frames/frame_loop.h"
#include "report/report_data.h"
#include "report/worst_pictures.h"
#include "scores/score_columns.h"
#include "scoring/scoring_models.h"
#include "scoring/session_options.h"

namespace vmaf::tool {

/// A run that has ended, its models pooled.
struct ScoredRun {
    const Selection &selection;
    ScoredSide ref, dis;
    const Pairing &pairing; ///< what was compared, or what --align check has seen
    VmafContext *context;
    const GpuSelection &gpu;
    std::size_t gpu_count; ///< that scored it and the other runs; 0: the CPU did
    const LazyScoreColumns &scores;
    std::span<const ScoringModel> models;
    const FrameLoopResult &result;
    double wall_seconds;
    std::vector<std::string> warnings;
    std::string comparison; ///< the record of what was decided (spec comparison 11); empty: nothing
    std::string sample;     ///< the record of which frames were scored; empty: all
    std::stop_token stop;   ///< gives up what can be done without
};

/// What the report tells besides pictures of one run, or of several that scored encodes of one
/// reference side by side, with the same options. Throws Failure.
ReportData session_data(std::span<const ScoredRun> runs);
/// Data of the runs' report, with pictures. Throws Failure.
/// @param pictures worst frames of each encode that are shown; empty: as many as fit (spec cli
/// 10.7).
ReportData session_report(std::span<const ScoredRun> runs, std::optional<unsigned> pictures);

} // namespace vmaf::tool
