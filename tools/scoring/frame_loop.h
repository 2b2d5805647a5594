#pragma once

#include <cstddef>
#include <optional>
#include <span>

#include "cli/options.h"
#include "cli/progress.h"
#include "common/failure.h"
#include "input/video_reader.h"
#include "scoring/scoring_context.h"
#include "scoring/signal_watcher.h"

namespace vmaf::tool {

/// Of videos in the order reference, distorted ones: one that ended, and one that has more frames.
struct EarlyEnd {
    std::size_t ended;
    std::size_t longer;
};

/// How far videos were read, and why not to their end.
struct FrameLoopResult {
    unsigned frames = 0; ///< of each video, given to the library
    std::optional<ScoringStopped> stop;
    std::optional<EarlyEnd> ended_first; ///< empty: all have as many frames as were asked for, or equally many
};

/// A distorted video, and what scores it.
struct Scoring {
    const ScoringContext &context;
    VideoReader &video;
};

/// Give the library every frame that the options ask for, of the reference and each distorted video, until one of them ends. Throws
/// Failure if the first is refused as invalid.
FrameLoopResult read_frames(const Options &options, VideoReader &ref, std::span<const Scoring> encodes,
                            const SignalWatcher &signals, Progress &progress);

} // namespace vmaf::tool
