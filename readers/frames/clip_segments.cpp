#include "frames/clip_segments.h"

#include <limits>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"

namespace vmaf::tool {
namespace {

Videos reopened(const Videos &videos, const std::shared_ptr<MediaGpu> &gpu)
{
    Videos again;
    again.ref = videos.ref->reopened_on(gpu);
    again.dis.push_back(videos.dis.front()->reopened_on(gpu));
    return again;
}

} // namespace

ClipSegments::ClipSegments(const ReadingOptions &options, const Videos &videos, const SegmentPlaces &places,
                           const std::string &obstacle)
    : options_(options), places_(places)
{
    if (videos.dis.size() > 1 || places.sessions < 2)
        return;
    const std::string reason = obstacle.empty() ? reopen(videos) : obstacle;
    const std::size_t used = videos_.size() + 1;
    if (used < places.sessions)
        say("note: {} of {} GPUs {} used: {}\n", used, places.sessions, used == 1 ? "is" : "are", reason);
}

/// @return why there are fewer segments than places.
std::string ClipSegments::reopen(const Videos &videos)
{
    const auto frames = expected_frames(options_, videos);
    if (!frames)
        return "how many frames there are shows at the end only";
    frames_ = *frames;
    const unsigned count = segment_count(frames_, places_.sessions);
    try {
        for (unsigned segment = 1; segment < count; ++segment)
            videos_.push_back(
                reopened(videos, places_.decoding_gpus.empty() ? nullptr : places_.decoding_gpus[segment]));
    } catch (const Failure &failure) {
        videos_.clear();
        return failure.what();
    }
    return formatted("each should have {} frames", kLeastSegment);
}

/// Where a compressed video's packets tell its frames, decoding begins at a key frame. It does not at one where decoders would complain as of damage.
/// @param first_reader that of the video's first segment.
unsigned ClipSegments::go_to(const Segment &segment, unsigned skip, VideoReader &first_reader,
                             VideoReader &reader) const
{
    const unsigned begin = skip + segment.first;
    if (places_.decoders == DecodersInFlight::one || !first_reader.index_frames())
        return begin;
    const std::uint64_t end =
        segment.count > 0 ? std::uint64_t{begin} + segment.count : std::numeric_limits<std::uint64_t>::max();
    const SegmentStart found = first_reader.segment_start(begin, end);
    if (found.is_open)
        return begin;
    reader.start_at(found);
    return static_cast<unsigned>(found.dropped);
}

std::size_t ClipSegments::cut(VmafContext *merged)
{
    segments_ = cut_clip(options_, frames_, static_cast<unsigned>(videos_.size() + 1), merged);
    return segments_.size();
}

void ClipSegments::begin(const Videos &videos, bool reads_chroma)
{
    skips_ = {{options_.skip_ref, options_.skip_dist}};
    for (std::size_t i = 1; i < segments_.size(); ++i) {
        Videos &own = videos_[i - 1];
        skips_.push_back({go_to(segments_[i], options_.skip_ref, *videos.ref, *own.ref),
                          go_to(segments_[i], options_.skip_dist, *videos.dis.front(), *own.dis.front())});
        if (!places_.decoding_gpus.empty())
            lend_frames(own, places_.decoding_gpus[i], places_.decoders);
        if (!reads_chroma)
            leave_out_chroma(own);
    }
}

FrameLoopResult ClipSegments::score(const Videos &videos, std::span<const SessionPictures> sessions,
                                    VmafContext *merged, const std::stop_token &stop, const FrameRead &frame_read) const
{
    std::vector<SegmentScoring> scorings;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Videos &own = i == 0 ? videos : videos_[i - 1];
        scorings.push_back({segments_[i], {*own.ref, skips_[i].ref}, {*own.dis.front(), skips_[i].dis}, sessions[i]});
    }
    return score_segments(scorings, merged, stop, frame_read);
}

} // namespace vmaf::tool
