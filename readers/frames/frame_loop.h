#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "alignment/collect.h"
#include "common/failure.h"
#include "comparison/pairing.h"
#include "frames/library.h"
#include "frames/picture_source.h"
#include "frames/reader_thread.h"
#include "input/video_reader.h"
#include "reading_options.h"

namespace vmaf::tool {

enum class VideoSide { reference, distorted };

/// How far an encode was compared, and why not to its end.
struct FrameLoopResult {
    unsigned frames = 0; ///< given to the sink
    int error = 0;       ///< error of the sink for the frame after them; the stop says so
    std::optional<ScoringStopped> stop;
    std::optional<VideoSide> side_with_bars; ///< where the other one has a picture, as far as was seen
    std::optional<VideoSide> grey_side;      ///< where the other one has colour, as far as was seen
    double detail_gain = 0;                  ///< energy of the encode's detail over the reference's; 0: unknown
    std::optional<VideoSide> ended_first;    ///< empty: both have as many frames as were asked for, or equally many
};

/// A video that is read from a frame on.
struct FrameSource {
    VideoReader &video;
    unsigned skip;                 ///< frames that are dropped before
    LumaCollector *luma = nullptr; ///< takes its frames; null: nobody does
    ChromaUse chroma = ChromaUse::scored;
};

/// The frames of the reference that an encode's frames are compared with, numbered after the skips.
struct FrameOrder {
    unsigned delay = 0; ///< frames of the reference before that of the encode's frame 0
    /// Pairs to compare instead, ascending in both videos. A frame of the reference may occur
    /// several times. Frames without a pair are left out.
    std::span<const FramePair> pairs = {};
};

/// Sources of one loop.
struct FrameSources {
    struct Encode {
        FrameSource video;
        std::size_t form; ///< index of the reference's form to compare with
        FrameOrder order = {};
    };
    std::vector<FrameSource> reference; ///< in one or more forms
    std::vector<Encode> encodes;
};

/// Frames of the videos that one loop reads.
struct Segment {
    unsigned first = 0;  ///< first of the frames that are compared
    unsigned count = 0;  ///< 0: to the end
    unsigned before = 0; ///< its first frames that another segment has too, and that are not counted as progress
    unsigned after = 0;  ///< its last frames that another segment has too, if it has a count
};

/// Frames that the options ask for.
constexpr Segment whole_clip(const ReadingOptions &options)
{
    return {.count = options.count};
}

/// Receiver of frames.
class FrameSink {
  public:
    virtual ~FrameSink() = default;

    /// Source of pictures for the reference in that form.
    virtual const PictureSource &reference_pictures(std::size_t form) const = 0;
    /// Source of pictures for that encode.
    virtual const PictureSource &encode_pictures(std::size_t encode) const = 0;
    /// The next frame of some encodes. Pictures that are not taken stay where they are.
    /// @param reference each form; empty where no encode needs it, and where it is the picture of
    /// the call before. @param encodes empty for those that have ended or wait.
    /// @return a negative errno or 0 for each encode.
    virtual std::vector<int> take(std::span<Picture> reference, std::span<Picture> encodes, unsigned index) = 0;
    /// No frame of that encode follows. An error is the result's stop, unless it has one.
    virtual void end(std::size_t encode, FrameLoopResult &result) = 0;
};

/// Called after each of a segment's own frames, with the frames that were read so far.
using FrameRead = std::function<void(unsigned frames)>;

/// Give the sink every frame of the segment as its frames 0, 1, ..., counted for each encode by
/// itself. Each encode ends when it or the reference ends, and the others go on. A failure in the
/// middle of a video is the stop of the
/// encodes that need it. A stop request ("interrupted", kExitBadData) is that of all encodes. Other
/// exceptions of readers, and of `frame_read`, are thrown. The sink is told the end of each encode
/// that ends before another one; whoever calls this ends the others.
/// @param sources their first frames are those of the segment.
/// @return how far each encode came.
std::vector<FrameLoopResult> read_frames(const Segment &segment, const FrameSources &sources, FrameSink &sink,
                                         const std::stop_token &stop, const FrameRead &frame_read);

/// Let a session complete delayed work. An error is the result's stop, unless it has one.
void flush(VmafContext *context, FrameLoopResult &result);

} // namespace vmaf::tool
