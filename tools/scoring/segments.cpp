#include "scoring/segments.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <limits>
#include <stop_token>
#include <thread>

#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

/// How far a segment's session came.
struct SegmentRun {
    FrameLoopResult result;
    std::exception_ptr failure;
    std::stop_source stop;
};

void score(const SegmentScoring &segment, const SignalWatcher &signals, SegmentRun &run, Progress &progress)
{
    try {
        run.result =
            read_frames(segment.stretch, segment.ref, {&segment.encode, 1}, signals, run.stop.get_token(), progress);
        if (run.result.frames > 0)
            flush(segment.encode.context.get(), run.result);
    } catch (...) {
        run.failure = std::current_exception();
    }
}

/// Whether the next segment goes on where this one ends.
bool is_whole(const SegmentScoring &segment, const SegmentRun &run)
{
    return !run.failure && !run.result.stop && run.result.frames == segment.stretch.count;
}

/// Frames of its own that were read, with those behind it.
unsigned frames_from_its_first(const SegmentScoring &segment, const SegmentRun &run)
{
    return run.result.frames - std::min(run.result.frames, segment.stretch.before);
}

void run_all(std::span<const SegmentScoring> segments, std::vector<SegmentRun> &runs, const SignalWatcher &signals,
             Progress &progress)
{
    const auto stop_from = [&](std::size_t first) {
        for (std::size_t i = first; i < runs.size(); ++i)
            runs[i].stop.request_stop();
    };
    const std::stop_callback interrupted(signals.token(), [&] { stop_from(0); });
    std::vector<std::jthread> threads;
    try {
        for (std::size_t i = 0; i < segments.size(); ++i)
            threads.emplace_back([&, i] {
                score(segments[i], signals, runs[i], progress);
                if (!is_whole(segments[i], runs[i])) // what lies behind a gap is of no use
                    stop_from(i + 1);
            });
    } catch (...) {
        stop_from(0);
        throw;
    }
}

/// As many of its first frames as have scores, at most `count`: piece by piece where frames were lost. @return how many.
unsigned append_most(VmafContext *merged, const SegmentScoring &segment, unsigned count)
{
    unsigned appended = 0;
    for (unsigned piece = count; piece > 0; piece = piece > 1 ? (piece + 1) / 2 : 0) {
        const unsigned skip = segment.stretch.before + appended;
        if (vmaf_append_segment(merged, segment.encode.context.get(), skip, piece) == 0)
            appended += piece;
        if (appended == count)
            break;
    }
    return appended;
}

/// All frames up to the first one that was not scored.
FrameLoopResult merge(std::span<const SegmentScoring> segments, std::span<const SegmentRun> runs, VmafContext *merged)
{
    std::size_t last = 0;
    while (last + 1 < segments.size() && is_whole(segments[last], runs[last]))
        ++last;
    if (runs[last].failure)
        std::rethrow_exception(runs[last].failure);
    FrameLoopResult result = runs[last].result;
    result.frames = 0;
    for (std::size_t i = 0; i <= last; ++i) {
        const Stretch &stretch = segments[i].stretch;
        const unsigned count =
            i < last ? stretch.count - stretch.before - stretch.behind : frames_from_its_first(segments[i], runs[i]);
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

std::vector<Stretch> cut_clip(const Options &options, std::uint64_t frames, unsigned count, VmafContext *context)
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
    std::vector<Stretch> stretches;
    std::uint64_t first = 0;
    for (const std::uint64_t end : ends) {
        const auto overlap = static_cast<unsigned>(std::min<std::uint64_t>(first, before));
        stretches.push_back({static_cast<unsigned>(first) - overlap,
                             overlap + static_cast<unsigned>(end - first) + after, overlap, after});
        first = end;
    }
    const auto overlap = static_cast<unsigned>(std::min<std::uint64_t>(first, before));
    const unsigned low = static_cast<unsigned>(first) - overlap;
    stretches.push_back({low, options.frame_cnt > 0 ? options.frame_cnt - low : 0, overlap, 0});
    return stretches;
}

FrameLoopResult score_segments(std::span<const SegmentScoring> segments, VmafContext *merged,
                               const SignalWatcher &signals, Progress &progress)
{
    std::vector<SegmentRun> runs(segments.size());
    run_all(segments, runs, signals, progress);
    return merge(segments, runs, merged);
}

} // namespace vmaf::tool
