#pragma once

#include <optional>

#include "failure.h"
#include "options.h"
#include "progress.h"
#include "scoring_context.h"
#include "signal_watcher.h"
#include "video_reader.h"

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
