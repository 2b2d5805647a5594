#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>

#include "common/failure.h"
#include "frames/library.h"
#include "frames/picture_source.h"
#include "input/video_reader.h"
#include "reading_options.h"

namespace vmaf::tool {

/// Of videos in the order reference, distorted ones: one that ended, and one that has more frames.
struct EarlyEnd {
    std::size_t ended;
    std::size_t longer;
};

/// How far videos were read, and why not to their end.
struct FrameLoopResult {
    unsigned frames = 0; ///< of each video, given to the sink
    int error = 0;       ///< of the sink, which refused the frame after them; the stop says so
    std::optional<ScoringStopped> stop;
    std::optional<EarlyEnd> ended_first; ///< empty: all have as many frames as were asked for, or equally many
};

/// A video that is read from a frame on.
struct FrameSource {
    VideoReader &video;
    unsigned skip; ///< frames that are dropped before
};

/// Frames of the videos that one loop reads.
struct Segment {
    unsigned first = 0;  ///< of the frames that are compared
    unsigned count = 0;  ///< 0: to the end
    unsigned before = 0; ///< its first frames that another segment has too, and that are not counted as progress
    unsigned after = 0;  ///< likewise its last frames, if it has a count
};

/// What the options ask for.
constexpr Segment whole_clip(const ReadingOptions &options)
{
    return {.count = options.count};
}

/// What frames are given to.
class FrameSink {
  public:
    virtual ~FrameSink() = default;

    /// Where pictures of a video come from: 0 is the reference, the others are the distorted videos.
    virtual const PictureSource &pictures(std::size_t video) const = 0;
    /// The next frame of each video, the reference's first. Pictures that are not taken stay in `frames`. A negative errno, or 0.
    [[nodiscard]] virtual int take(std::span<Picture> frames, unsigned index) = 0;
};

/// Called after each of a segment's own frames, with the frames that were given to the sink so far.
using FrameRead = std::function<void(unsigned frames)>;

/// Give the sink every frame of the segment until one video ends: as its frames 0, 1, ... . A failure in the middle of a video, and a
/// stop request ("interrupted", kExitBadData), are the result's stop. Other exceptions of readers, and of `frame_read`, are thrown.
/// @param videos the reference first; their first frames are those of the segment.
FrameLoopResult read_frames(const Segment &segment, std::span<const FrameSource> videos, FrameSink &sink,
                            const std::stop_token &stop, const FrameRead &frame_read);

/// Let a session complete delayed work. An error is the result's stop, unless it has one.
void flush(VmafContext *context, FrameLoopResult &result);

} // namespace vmaf::tool
