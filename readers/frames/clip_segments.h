#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "compared_videos.h"
#include "frames/segments.h"

namespace vmaf::tool {

/// What segments are scored and decoded on.
struct SegmentPlaces {
    std::size_t sessions; ///< that can score at the same time
    std::span<const std::shared_ptr<MediaGpu>>
        decoding_gpus;         ///< of these sessions; none: videos are decoded in software
    DecodersInFlight decoders; ///< one: frames of compressed videos before a segment are decoded, too
};

/// One distorted video and its reference cut into segments, each with readers of its own (spec device_pictures 5).
class ClipSegments {
  public:
    /// Decides whether the videos are cut, and says why they are not if there are several places.
    /// @param obstacle why frames must be scored one after the other; empty: they need not.
    ClipSegments(const ReadingOptions &options, const Videos &videos, const SegmentPlaces &places,
                 const std::string &obstacle);

    /// Else the videos are read as a whole.
    bool are_several() const { return !videos_.empty(); }
    /// Cuts the clip. Throws Failure. @param merged a session that gets all scores, with the features registered. @return how many there are.
    std::size_t cut(VmafContext *merged);
    /// Moves the readers to where the segments begin, after cut(). Throws Failure, SegmentsDoNotFit.
    void begin(const Videos &videos, bool reads_chroma);
    /// Further readers of the videos.
    std::span<const Videos> videos() const { return videos_; }

    /// See score_segments(). @param sessions one for each segment.
    FrameLoopResult score(const Videos &videos, std::span<const SessionPictures> sessions, VmafContext *merged,
                          const std::stop_token &stop, const FrameRead &frame_read) const;

  private:
    /// Frames that the readers still have to skip.
    struct Skips {
        unsigned ref, dis;
    };

    std::string reopen(const Videos &videos);
    unsigned go_to(const Segment &segment, unsigned skip, VideoReader &first_reader, VideoReader &reader) const;

    const ReadingOptions &options_;
    SegmentPlaces places_;
    std::uint64_t frames_ = 0;
    std::vector<Videos> videos_; ///< of all segments but the first
    std::vector<Segment> segments_;
    std::vector<Skips> skips_;
};

} // namespace vmaf::tool
