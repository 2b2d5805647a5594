#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cli/options.h"
#include "cli/progress.h"
#include "input/video_reader.h"
#include "scoring/frame_loop.h"
#include "scoring/scoring_context.h"
#include "scoring/signal_watcher.h"

/// One clip scored by several sessions side by side, with the scores that one would give it (spec device_pictures 6).
namespace vmaf::tool {

/// Fewer frames are not worth a session.
constexpr unsigned kLeastSegment = 250;

/// How many segments a clip of that length has on so many GPUs.
unsigned segment_count(std::uint64_t frames, std::size_t gpus);

/// Equal segments of a clip of about so many frames, as segment_count() says: each with the overlap that the features need. The last one goes
/// to the clip's end, wherever that is.
/// @param context with the features registered.
std::vector<Stretch> cut_clip(const Options &options, std::uint64_t frames, unsigned count, VmafContext *context);

/// A segment, and what scores it.
struct SegmentScoring {
    Stretch stretch;
    FrameSource ref;
    Scoring encode;
};

/// Score all segments at the same time, until each has come to its end, and append them to `merged`, which is then flushed. Its frames are
/// those before the first one that could not be scored: why not is in the result. Throws Failure as read_frames() does.
FrameLoopResult score_segments(std::span<const SegmentScoring> segments, VmafContext *merged,
                               const SignalWatcher &signals, Progress &progress);

} // namespace vmaf::tool
