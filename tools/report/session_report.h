#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/options.h"
#include "input/video_reader.h"
#include "report/report_data.h"
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
    std::span<const ScoringModel> models;
    const FrameLoopResult &result;
    double wall_seconds;
    std::vector<std::string> warnings;
    std::stop_token stop; ///< gives up what can be done without
};

/// What its report tells besides pictures. Throws Failure.
ReportData session_data(const ScoredRun &run);
/// What its report tells. Throws Failure.
ReportData session_report(const ScoredRun &run);

} // namespace vmaf::tool
