#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frames/frame_loop.h"

/// One clip scored by several sessions at the same time, with the scores that one would give it (spec device_pictures 6).
namespace vmaf::tool {

/// Fewer frames are not worth a session.
constexpr unsigned kLeastSegment = 250;

/// How many segments a clip of that length has on so many GPUs.
unsigned segment_count(std::uint64_t frames, std::size_t gpus);

/// Equal segments of a clip of about so many frames, as segment_count() says: each with the overlap that the features need. The last one goes
/// to the clip's end, wherever that is.
/// @param context with the features registered. Throws Failure.
std::vector<Segment> cut_clip(const ReadingOptions &options, std::uint64_t frames, unsigned count,
                              VmafContext *context);

/// A segment, its readers and its session.
struct SegmentScoring {
    Segment segment;
    FrameSource ref, dis;
    SessionPictures session;
};

/// Score all segments at the same time, until each has come to its end, and append them to `merged`, which is then flushed. Its frames are
/// those before the first one that could not be scored: why not is in the result. Throws as read_frames() does.
/// @param frame_read called on several threads.
FrameLoopResult score_segments(std::span<const SegmentScoring> segments, VmafContext *merged,
                               const std::stop_token &stop, const FrameRead &frame_read);

} // namespace vmaf::tool
