#include "clip_parts.h"

#include <algorithm>
#include <string>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "scoring/registration.h"

namespace vmaf::tool {
namespace {

Videos reopened(const Videos &videos, const Selection &selection)
{
    Videos again;
    again.ref = videos.ref->reopened();
    again.dis.push_back(videos.dis.front()->reopened());
    leave_out_what_nobody_reads(again, selection);
    return again;
}

} // namespace

ClipParts::ClipParts(const Options &options, const Videos &videos, std::span<const Gpu> gpus)
    : options_(options), gpus_(gpus)
{
    if (videos.dis.size() > 1 || gpus.size() < 2)
        return;
    const std::string obstacle = cut(videos);
    const std::size_t used = videos_.size() + 1;
    if (used < gpus.size())
        say("note: {} of {} GPUs {} used: {}\n", used, gpus.size(), used == 1 ? "is" : "are", obstacle);
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
    const unsigned count = segment_count(frames_, gpus_.size());
    try {
        while (videos_.size() + 1 < count)
            videos_.push_back(reopened(videos, options_.selection));
    } catch (const Failure &failure) {
        videos_.clear();
        return failure.what();
    }
    return formatted("each should have {} frames", kLeastSegment);
}

void ClipParts::open(const Videos &videos, const ScoringContext &merged, ModelFiles &files, LibraryLog &log,
                     Warnings &warnings)
{
    stretches_ = cut_clip(options_, frames_, static_cast<unsigned>(videos_.size() + 1), merged.get());
    const VideoFormat &format = videos.ref->format();
    contexts_ = ScoringContext::open(options_, format, stretches_.size(), gpus_);
    for (const ScoringContext &context : contexts_)
        register_all(context.get(), options_.selection, format.height_px, videos.ref->frame_rate(), files, log,
                     warnings);
}

FrameLoopResult ClipParts::score(const Videos &videos, const ScoringContext &merged, const SignalWatcher &signals,
                                 Progress &progress) const
{
    std::vector<SegmentScoring> segments;
    for (std::size_t i = 0; i < contexts_.size(); ++i) {
        const Videos &part = i == 0 ? videos : videos_[i - 1];
        segments.push_back({stretches_[i], *part.ref, {contexts_[i], *part.dis.front()}});
    }
    return score_segments(options_, segments, merged.get(), signals, progress);
}

} // namespace vmaf::tool
