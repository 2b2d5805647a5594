#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <span>

#include "cli/progress.h"
#include "common/failure.h"
#include "common/format.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

/// Why there is no more.
void judge(const Run &run, FrameLoopResult &result)
{
    if (result.stop && result.stop->reason() == StopReason::interrupted)
        result.stop = ScoringStopped(StopReason::interrupted, run.signals.exit_code(), result.stop->what());
    if (result.frames == 0 && !result.stop)
        result.stop.emplace(StopReason::truncated_input, kExitBadData, "there is no frame pair to score");
}

/// Print warnings that need the whole video. Call it after everything was read.
void warn_of_what_was_read(Run &run, std::size_t encode, FrameLoopResult &result)
{
    try {
        warn_of_damage(run.videos, encode);
        warn_of_interlaced_frames(run.videos, encode);
        for (const Videos &videos : run.segments->videos()) {
            warn_of_damage(videos, encode);
            warn_of_interlaced_frames(videos, encode);
        }
        warn_of_lost_frames(run.videos, encode, run.options.reading);
        warn_of_doubts(run.videos, encode, result.frames);
        warn_of_bars(run.videos, encode, result, run.options.reading);
        warn_of_grey(run.videos, encode, result, run.options.reading);
        warn_of_exchange(run.videos, encode, result);
    } catch (const ScoringStopped &stop) {
        if (!result.stop)
            result.stop = stop;
    }
    // A lag is why one video ends first, and says how to mend it.
    const ReadingOptions &reading = run.options.reading;
    if (!result.stop && result.ended_first && reading.strict)
        result.stop.emplace(StopReason::truncated_input, kExitBadData,
                            formatted("{} (an error with --strict)",
                                      end_of_one(reading.reference, run.encodes[encode].path, *result.ended_first)));
}

} // namespace

/// How far each encode came; all sessions are flushed.
std::vector<FrameLoopResult> Run::read_all(Progress &progress)
{
    const std::stop_token stop = signals.token();
    const FrameRead frame_read = [&progress](unsigned) { progress.frame_read(); };
    std::vector<FrameLoopResult> results;
    if (!samples.empty()) {
        results = read_sample(frame_read);
        progress.finishing();
    } else if (segments->are_several()) {
        results = {segments->score(videos, pictures_of(segment_contexts), contexts.front().get(), stop, frame_read)};
        progress.finishing();
    } else {
        SessionSink sink = sink_of(videos, pictures_of(contexts));
        results = read_frames(whole_clip(options.reading), sources_of(videos, options.reading), sink, stop, frame_read);
        progress.finishing();
        sink.end_all(results);
    }
    return results;
}

/// Read everything there is to read, then let the library complete delayed work.
std::vector<FrameLoopResult> Run::score_frames()
{
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    Progress progress(choose_progress(options.progress, options.quiet, terminal),
                      options.reading.sample ? expected_frames(samples, *options.reading.sample)
                                             : expected_frames(options.reading, videos));
    std::vector<FrameLoopResult> results = read_all(progress);
    for (FrameLoopResult &result : results)
        judge(*this, result);
    if (std::ranges::all_of(results, [](const FrameLoopResult &result) { return result.frames == 0; }))
        throw ScoringStopped(*results.front().stop);
    if (std::ranges::any_of(results, [](const FrameLoopResult &result) { return result.stop.has_value(); }))
        progress.stopped();
    else
        progress.finished();
    return results;
}

/// Says why an encode has no frame, and leaves it out: the others have results.
void Run::leave_out_empty_encodes()
{
    std::vector<Encode> kept;
    std::vector<std::shared_ptr<OutputFile>> kept_scores;
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        Encode &encode = encodes[i];
        if (encode.result.frames == 0) {
            say("{}{}\n", prefix_of(encode), encode.result.stop->what());
            failed = failed ? failed : encode.result.stop;
            continue;
        }
        kept.push_back(std::move(encode));
        if (!outputs.scores.empty())
            kept_scores.push_back(outputs.scores[i]);
    }
    encodes = std::move(kept);
    outputs.scores = std::move(kept_scores);
}

void Run::score()
{
    signals.start_saving([outputs = outputs] { outputs.abandon(); });
    const auto start = std::chrono::steady_clock::now();
    warnings.frames_follow();
    std::vector<FrameLoopResult> results = score_frames();
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    for (const Videos &others : segments->videos())
        add_watched_frames(videos, others);
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        warn_of_what_was_read(*this, i, results[i]);
        encodes[i].result = results[i];
        if (!samples.empty())
            encodes[i].take_sample(samples[i]);
    }
    leave_out_empty_encodes();
}

} // namespace vmaf::tool
