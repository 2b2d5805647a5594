#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <stop_token>

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

/// A video that is read from a frame on.
struct FrameSource {
    VideoReader &video;
    unsigned skip; ///< frames that are dropped before
};

/// A distorted video, and what scores it.
struct Scoring {
    const ScoringContext &context;
    FrameSource source;
};

/// Frames of the videos that one loop reads.
struct Stretch {
    unsigned first = 0;  ///< of the frames that are compared
    unsigned count = 0;  ///< 0: to the end
    unsigned before = 0; ///< so many of them are another stretch's too, and not counted as progress
    unsigned behind = 0; ///< likewise at its end, of a count
};

/// What the options ask for.
Stretch whole_clip(const Options &options);

/// Let a session complete delayed work. An error is the result's stop, unless it has one.
void flush(VmafContext *context, FrameLoopResult &result);

/// Give the library every frame of the stretch, of the reference and each distorted video, until one of them ends, as its frames 0, 1, ... .
/// Those of one GPU share the reference (vmaf_read_pictures_shared()). Throws Failure if the clip's first frame is refused as invalid.
/// @param ref, encodes whose first frames are those of the stretch. @param stop who else than signals may end it.
FrameLoopResult read_frames(const Stretch &stretch, const FrameSource &ref, std::span<const Scoring> encodes,
                            const SignalWatcher &signals, const std::stop_token &stop, Progress &progress);

} // namespace vmaf::tool
