#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "compared_videos.h"
#include "frames/frame_loop.h"

/// One clip scored by several sessions at the same time, with the scores that one would give it
/// (spec device_pictures 6).
namespace vmaf::tool {

/// Fewer frames are not worth a session.
constexpr unsigned kLeastSegment = 250;

/// How many segments a clip of that length has on so many GPUs.
unsigned segment_count(std::uint64_t frames, std::size_t gpus);

/// Equal segments of a clip of about so many frames, as segment_count() says: each with the overlap
/// that the features need. The last one goes to the clip's end, wherever that is.
/// @param context with the features registered. Throws Failure.
std::vector<Segment> cut_clip(const ReadingOptions &options, std::uint64_t frames, unsigned count,
                              VmafContext *context);

/// A segment, its readers and its session.
struct SegmentScoring {
    Segment segment;
    FrameSource ref, dis;
    SessionPictures session;
};

/// Score all segments at the same time, until each has come to its end, and append them to
/// `merged`, which is then flushed. Its frames are those before the first one that could not be
/// scored: why not is in the result. Throws as read_frames() does.
/// @param frame_read called on several threads.
FrameLoopResult score_segments(std::span<const SegmentScoring> segments, VmafContext *merged,
                               const std::stop_token &stop, const FrameRead &frame_read);

/// Devices that score and decode segments.
struct SegmentPlaces {
    std::size_t sessions; ///< that can score at the same time
    std::span<const std::shared_ptr<MediaGpu>>
        decoding_gpus;         ///< GPUs that decode for these sessions; none: software decodes
    DecodersInFlight decoders; ///< one: frames of compressed videos before a segment are decoded, too
};

/// One distorted video and its reference cut into segments, each with readers of its own (spec
/// device_pictures 5).
class ClipSegments {
  public:
    /// Decides whether the videos are cut, and says why they are not if there are several places.
    /// @param obstacle why frames must be scored one after the other; empty: they need not.
    ClipSegments(const ReadingOptions &options, const Videos &videos, const SegmentPlaces &places,
                 const std::string &obstacle);

    /// Else the videos are read as a whole.
    bool are_several() const { return !videos_.empty(); }
    /// Cuts the clip. Throws Failure. @param merged a session that gets all scores, with the
    /// features registered. @return how many there are.
    std::size_t cut(VmafContext *merged);
    /// Moves the readers to where the segments begin, after cut(). Throws Failure,
    /// SegmentsDoNotFit.
    void begin(const Videos &videos);
    /// Further readers of the videos.
    std::span<const Videos> videos() const { return videos_; }

    /// See score_segments(). @param sessions one for each segment.
    FrameLoopResult score(const Videos &videos, std::span<const SessionPictures> sessions, VmafContext *merged,
                          const std::stop_token &stop, const FrameRead &frame_read) const;

  private:
    std::string reopen(const Videos &videos);
    unsigned go_to(const Segment &segment, unsigned skip, VideoReader &first_reader, VideoReader &reader) const;

    const ReadingOptions &options_;
    SegmentPlaces places_;
    std::uint64_t frames_ = 0;
    std::vector<Videos> videos_; ///< videos of all segments except the first
    std::vector<Segment> segments_;
    std::vector<FrameSkips> skips_; ///< that the readers still have before them
};

} // namespace vmaf::tool
