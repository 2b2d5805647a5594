#include "frames/segments.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>
#include <stop_token>
#include <thread>
#include <utility>

#include "align_videos.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/threads.h"
#include "frames/session_sink.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

/// How far a segment's session came.
struct SegmentRun {
    FrameLoopResult result;
    std::exception_ptr failure;
    std::stop_source stop;
};

void score(const SegmentScoring &scoring, SegmentRun &run, const FrameRead &frame_read)
{
    try {
        SessionSink sink({scoring.ref.video.format()}, {{scoring.session, 0}});
        const FrameSources videos{{scoring.ref}, {{scoring.dis, 0}}};
        std::vector<FrameLoopResult> results =
            read_frames(scoring.segment, videos, sink, run.stop.get_token(), frame_read);
        sink.end_all(results);
        run.result = results.front();
    } catch (...) {
        run.failure = std::current_exception();
    }
}

/// Whether the next segment goes on where this one ends.
bool is_whole(const Segment &segment, const SegmentRun &run)
{
    return !run.failure && !run.result.stop && run.result.frames == segment.count;
}

/// How many frames were read from the segment's first own one on.
unsigned frames_from_its_first(const Segment &segment, const SegmentRun &run)
{
    return run.result.frames - std::min(run.result.frames, segment.before);
}

void run_all(std::span<const SegmentScoring> segments, std::vector<SegmentRun> &runs, const std::stop_token &stop,
             const FrameRead &frame_read)
{
    const auto stop_from = [&](std::size_t first) {
        for (std::size_t i = first; i < runs.size(); ++i)
            runs[i].stop.request_stop();
    };
    const std::stop_callback interrupted(stop, [&] { stop_from(0); });
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 0; i < segments.size(); ++i)
            threads.push_back(start_thread("to score a segment", [&, i] {
                score(segments[i], runs[i], frame_read);
                if (!is_whole(segments[i].segment, runs[i])) // what follows a gap is of no use
                    stop_from(i + 1);
            }));
    } catch (...) {
        stop_from(0);
        throw;
    }
}

/// Append the first frames that have scores, at most `count`. If frames were lost, try fewer and
/// fewer. @return how many.
unsigned append_most(VmafContext *merged, const SegmentScoring &scoring, unsigned count)
{
    unsigned appended = 0;
    for (unsigned step = count; step > 0; step = step > 1 ? (step + 1) / 2 : 0) {
        const unsigned skip = scoring.segment.before + appended;
        if (vmaf_append_segment(merged, scoring.session.get(), skip, step) == 0)
            appended += step;
        if (appended == count)
            break;
    }
    return appended;
}

/// All frames up to the first one that was not scored.
FrameLoopResult merge(std::span<const SegmentScoring> segments, std::span<const SegmentRun> runs, VmafContext *merged)
{
    std::size_t last = 0;
    while (last + 1 < segments.size() && is_whole(segments[last].segment, runs[last]))
        ++last;
    if (runs[last].failure)
        std::rethrow_exception(runs[last].failure);
    FrameLoopResult result = runs[last].result;
    result.frames = 0;
    result.side_with_bars = runs.front().result.side_with_bars;
    result.grey_side = runs.front().result.grey_side;
    result.detail_gain = runs.front().result.detail_gain;
    for (std::size_t i = 0; i <= last; ++i) {
        const Segment &segment = segments[i].segment;
        const unsigned count =
            i < last ? segment.count - segment.before - segment.after : frames_from_its_first(segment, runs[i]);
        const unsigned appended = append_most(merged, segments[i], count);
        result.frames += appended;
        if (appended == count)
            continue;
        if (!result.stop)
            result.stop.emplace(StopReason::engine_error, exit_code_of(-EIO), "problem merging segments");
        break;
    }
    if (result.frames > 0)
        flush(merged, result);
    return result;
}

} // namespace

unsigned segment_count(std::uint64_t frames, std::size_t gpus)
{
    return static_cast<unsigned>(std::clamp<std::uint64_t>(frames / kLeastSegment, 1, gpus));
}

std::vector<Segment> cut_clip(const ReadingOptions &options, std::uint64_t frames, unsigned count, VmafContext *context)
{
    unsigned before = 0, after = 0;
    if (const int error = vmaf_segment_overlap(context, &before, &after))
        throw Failure(exit_code_of(error), "problem finding the frames that segments have in common");
    frames = std::min<std::uint64_t>(frames, std::numeric_limits<unsigned>::max());
    const std::uint64_t step = std::max(options.subsample, 1U); // a segment begins where frames are scored
    std::vector<std::uint64_t> ends;                            // but for the last
    for (unsigned i = 1; i < count; ++i)
        if (const std::uint64_t end = frames * i / count / step * step; end > (ends.empty() ? 0 : ends.back()))
            ends.push_back(end);
    std::vector<Segment> segments;
    std::uint64_t first = 0;
    for (const std::uint64_t end : ends) {
        const auto overlap = static_cast<unsigned>(std::min<std::uint64_t>(first, before));
        segments.push_back({static_cast<unsigned>(first) - overlap,
                            overlap + static_cast<unsigned>(end - first) + after, overlap, after});
        first = end;
    }
    const auto overlap = static_cast<unsigned>(std::min<std::uint64_t>(first, before));
    const unsigned low = static_cast<unsigned>(first) - overlap;
    segments.push_back({low, options.count > 0 ? options.count - low : 0, overlap, 0});
    return segments;
}

FrameLoopResult score_segments(std::span<const SegmentScoring> segments, VmafContext *merged,
                               const std::stop_token &stop, const FrameRead &frame_read)
{
    std::vector<SegmentRun> runs(segments.size());
    run_all(segments, runs, stop, frame_read);
    return merge(segments, runs, merged);
}

ClipSegments::ClipSegments(const ReadingOptions &options, const Videos &videos, const SegmentPlaces &places,
                           const std::string &obstacle)
    : options_(options), places_(places)
{
    if (videos.encodes.size() > 1 || places.sessions < 2)
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
        return "the number of frames is known only at the end";
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

/// If the packets of a compressed video tell its frames, decoding begins at a key frame.
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
    reader.start_at(found);
    return static_cast<unsigned>(found.dropped);
}

std::size_t ClipSegments::cut(VmafContext *merged)
{
    segments_ = cut_clip(options_, frames_, static_cast<unsigned>(videos_.size() + 1), merged);
    return segments_.size();
}

void ClipSegments::begin(const Videos &videos)
{
    const FrameSkips skips = skips_of(options_, videos.encodes.front());
    skips_ = {skips};
    for (std::size_t i = 1; i < segments_.size(); ++i) {
        Videos &own = videos_[i - 1];
        skips_.push_back({go_to(segments_[i], skips.ref, *videos.reference.front(), *own.reference.front()),
                          go_to(segments_[i], skips.dis, *videos.encodes.front().video, *own.encodes.front().video)});
        if (!places_.decoding_gpus.empty())
            lend_frames(own, places_.decoding_gpus[i], places_.decoders);
        own.reads_chroma = videos.reads_chroma;
        watch_frames(own, options_);
    }
}

FrameLoopResult ClipSegments::score(const Videos &videos, std::span<const SessionPictures> sessions,
                                    VmafContext *merged, const std::stop_token &stop, const FrameRead &frame_read) const
{
    std::vector<SegmentScoring> scorings;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
        const Videos &own = i == 0 ? videos : videos_[i - 1];
        scorings.push_back(
            {segments_[i],
             {*own.reference.front(), skips_[i].ref, own.watched_reference(0), own.chroma_use()},
             {*own.encodes.front().video, skips_[i].dis, own.encodes.front().luma.get(), own.chroma_use()},
             sessions[i]});
    }
    return score_segments(scorings, merged, stop, frame_read);
}

} // namespace vmaf::tool
