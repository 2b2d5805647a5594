#include <unistd.h>

#include <chrono>

#include "cli/progress.h"
#include "common/failure.h"
#include "common/format.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

FrameLoopResult read_all(const Run &run, Progress &progress)
{
    const std::stop_token stop = run.signals.token();
    const FrameRead frame_read = [&progress](unsigned) { progress.frame_read(); };
    FrameLoopResult result;
    if (run.segments->are_several()) {
        result = run.segments->score(run.videos, pictures_of(run.segment_contexts), run.contexts.front().get(), stop,
                                     frame_read);
    } else {
        SessionSink sink(run.videos.ref->format(), pictures_of(run.contexts));
        result = read_frames(whole_clip(run.options.reading), sources_of(run.videos, run.options.reading), sink, stop,
                             frame_read);
    }
    if (stop.stop_requested() && result.stop && result.stop->reason() == StopReason::interrupted)
        result.stop = ScoringStopped(StopReason::interrupted, run.signals.exit_code(), result.stop->what());
    return result;
}

/// Read everything there is to read, then let the library complete delayed work.
FrameLoopResult score_frames(const Run &run)
{
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    const Options &options = run.options;
    Progress progress(choose_progress(options.progress, options.quiet, terminal),
                      expected_frames(options.reading, run.videos));
    FrameLoopResult result = read_all(run, progress);
    if (result.frames == 0 && result.stop)
        throw ScoringStopped(*result.stop);
    if (result.frames == 0)
        throw Failure(kExitBadData, "there is no frame pair to score");
    if (result.ended_first && options.reading.strict)
        result.stop.emplace(StopReason::truncated_input, kExitBadData,
                            formatted("{} (an error with --strict)", end_of_one(options.reading, *result.ended_first)));
    progress.finishing();
    if (!run.segments->are_several())
        for (const ScoringContext &context : run.contexts)
            flush(context.get(), result);
    if (result.stop)
        progress.stopped();
    else
        progress.finished();
    return result;
}

/// Once everything was read.
void warn_of_damage(const Run &run, FrameLoopResult &result)
{
    try {
        warn_of_damage(run.videos, run.warnings);
        for (const Videos &videos : run.segments->videos())
            warn_of_damage(videos, run.warnings);
    } catch (const ScoringStopped &stop) {
        if (!result.stop)
            result.stop = stop;
    }
}

} // namespace

void Run::score()
{
    signals.start_saving([outputs = outputs] { outputs.abandon(); });
    const auto start = std::chrono::steady_clock::now();
    warnings.frames_follow();
    FrameLoopResult result = score_frames(*this);
    seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    warn_of_damage(*this, result);
    for (Encode &encode : encodes)
        encode.result = result;
}

} // namespace vmaf::tool
