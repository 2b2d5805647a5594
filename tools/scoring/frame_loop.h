#pragma once

#include <optional>

#include "cli/options.h"
#include "cli/progress.h"
#include "common/failure.h"
#include "input/video_reader.h"
#include "scoring/scoring_context.h"
#include "scoring/signal_watcher.h"

namespace vmaf::tool {

enum class Side { ref, dis };

/// How far two videos were read, and why not to their end.
struct FrameLoopResult {
    unsigned frames = 0; ///< pairs given to the library
    std::optional<ScoringStopped> stop;
    std::optional<Side> ended_first; ///< empty: both have as many frames as were asked for, or equally many
};

/// Give the library every frame pair that the options ask for. Throws Failure if the first pair is refused as invalid.
FrameLoopResult read_frames(const ScoringContext &context, const Options &options, VideoReader &ref, VideoReader &dis,
                            const SignalWatcher &signals, Progress &progress);

} // namespace vmaf::tool
