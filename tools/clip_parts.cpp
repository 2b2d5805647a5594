#include "clip_parts.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "scoring/registration.h"

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

ClipParts::ClipParts(const Options &options, const Videos &videos, const PartPlaces &places)
    : options_(options), places_(places)
{
    const std::size_t gpus = places.gpus.size();
    if (videos.dis.size() > 1 || gpus < 2)
        return;
    const std::string obstacle = cut(videos);
    const std::size_t used = videos_.size() + 1;
    if (used < gpus)
        say("note: {} of {} GPUs {} used: {}\n", used, gpus, used == 1 ? "is" : "are", obstacle);
}

/// @return why there are fewer parts than GPUs.
std::string ClipParts::cut(const Videos &videos)
{
    const auto frames = expected_frames(options_, videos);
    if (!frames)
        return "how many frames there are shows at the end only";
    if (options_.selection.writes_heatmaps())
        return "heatmaps are written one after the other";
    frames_ = *frames;
    const unsigned count = segment_count(frames_, places_.gpus.size());
    try {
        for (unsigned part = 1; part < count; ++part)
            videos_.push_back(reopened(videos, places_.decoding_gpus.empty() ? nullptr : places_.decoding_gpus[part]));
    } catch (const Failure &failure) {
        videos_.clear();
        return failure.what();
    }
    return formatted("each should have {} frames", kLeastSegment);
}

/// Where a compressed video's packets tell its frames, decoding begins at a key frame: at none where decoders would complain as of damage.
/// @param first_part a reader of the same video.
unsigned ClipParts::go_to(const Stretch &stretch, unsigned skip, VideoReader &first_part, VideoReader &part) const
{
    const unsigned begin = skip + stretch.first;
    if (places_.decoders == DecodersInFlight::one || !first_part.index_frames())
        return begin;
    const std::uint64_t end =
        stretch.count > 0 ? std::uint64_t{begin} + stretch.count : std::numeric_limits<std::uint64_t>::max();
    const FrameStretch found = first_part.stretch(begin, end);
    if (found.is_open)
        return begin;
    part.start_at(found);
    return static_cast<unsigned>(found.dropped);
}

void ClipParts::open(const Videos &videos, const ScoringContext &merged, ModelFiles &files, LibraryLog &log,
                     Warnings &warnings)
{
    stretches_ = cut_clip(options_, frames_, static_cast<unsigned>(videos_.size() + 1), merged.get());
    const VideoFormat &format = videos.ref->format();
    contexts_ = ScoringContext::open(options_, format, stretches_.size(), places_.gpus);
    for (const ScoringContext &context : contexts_)
        register_all(context.get(), options_.selection, format.height_px, videos.ref->frame_rate(), files, log,
                     warnings);
    skips_ = {{options_.frame_skip_ref, options_.frame_skip_dist}};
    for (std::size_t i = 1; i < stretches_.size(); ++i) {
        Videos &part = videos_[i - 1];
        skips_.push_back({go_to(stretches_[i], options_.frame_skip_ref, *videos.ref, *part.ref),
                          go_to(stretches_[i], options_.frame_skip_dist, *videos.dis.front(), *part.dis.front())});
        if (!places_.decoding_gpus.empty())
            lend_frames(part, places_.decoding_gpus[i], places_.decoders);
        leave_out_what_nobody_reads(part, options_.selection);
    }
}

FrameLoopResult ClipParts::score(const Videos &videos, const ScoringContext &merged, const SignalWatcher &signals,
                                 Progress &progress) const
{
    std::vector<SegmentScoring> segments;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
        const Videos &part = i == 0 ? videos : videos_[i - 1];
        segments.push_back(
            {stretches_[i], {*part.ref, skips_[i].ref}, {contexts_[i], {*part.dis.front(), skips_[i].dis}}});
    }
    return score_segments(segments, merged.get(), signals, progress);
}

} // namespace vmaf::tool
