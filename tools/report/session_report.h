#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/options.h"
#include "input/video_reader.h"
#include "report/report_data.h"
#include "scores/score_columns.h"
#include "scoring/frame_loop.h"
#include "scoring/scoring_context.h"
#include "scoring/scoring_models.h"

namespace vmaf::tool {

/// A run that has ended, its models pooled.
struct ScoredRun {
    const Options &options;
    const VideoReader &ref;
    const VideoReader &dis;
    const ScoringContext &context;
    std::size_t gpu_count; ///< that scored it and the other runs; 0: the CPU did
    const LazyScoreColumns &scores;
    std::span<const ScoringModel> models;
    const FrameLoopResult &result;
    double wall_seconds;
    std::vector<std::string> warnings;
    std::stop_token stop; ///< gives up what can be done without
};

/// What the report tells besides pictures of one run, or of several that scored encodes of one reference side by side, with the
/// same options. Throws Failure.
ReportData session_data(std::span<const ScoredRun> runs);
/// The same with pictures. Throws Failure.
ReportData session_report(std::span<const ScoredRun> runs);

} // namespace vmaf::tool
