#include "session.h"

#include <unistd.h>

#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "cli/progress.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "report/answers.h"
#include "report/gates.h"
#include "report/printed_scores.h"
#include "report/score_columns.h"
#include "report/session_report.h"
#include "results.h"
#include "scoring/frame_loop.h"
#include "scoring/library.h"
#include "scoring/library_log.h"
#include "scoring/registration.h"
#include "scoring/scoring_context.h"
#include "scoring/scoring_models.h"
#include "scoring/signal_watcher.h"
#include "videos.h"

namespace vmaf::tool {
namespace {

std::string ended_before(const std::string &first, const std::string &other)
{
    return formatted("\"{}\" ended before \"{}\"", printable(first), printable(other));
}

/// Empty if both have as many frames as were asked for, or equally many.
std::string end_of_one(const Options &options, const FrameLoopResult &result)
{
    if (!result.ended_first)
        return {};
    return *result.ended_first == Side::ref ? ended_before(options.reference, options.distorted)
                                            : ended_before(options.distorted, options.reference);
}

/// Read everything there is to read, then let the library complete delayed work.
FrameLoopResult score_frames(const ScoringContext &context, const Options &options, Videos &videos,
                             const SignalWatcher &signals)
{
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    Progress progress(choose_progress(options.progress, options.quiet, terminal), expected_frames(options, videos));
    FrameLoopResult result = read_frames(context, options, *videos.ref, *videos.dis, signals, progress);
    if (result.frames == 0 && result.stop)
        throw ScoringStopped(*result.stop);
    if (result.frames == 0)
        throw Failure(kExitBadData, "there is no frame pair to score");
    if (result.ended_first && options.strict)
        result.stop.emplace(StopReason::truncated_input, kExitBadData,
                            formatted("{} (an error with --strict)", end_of_one(options, result)));
    progress.finishing();
    const int error = vmaf_read_pictures(context.get(), nullptr, nullptr, 0);
    if (error && !result.stop)
        result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem flushing context");
    if (result.stop)
        progress.stopped();
    else
        progress.finished();
    return result;
}

/// Once everything was read.
void warn_of_damage(const Videos &videos, Warnings &warnings, FrameLoopResult &result)
{
    try {
        for (const VideoReader *video : {videos.ref.get(), videos.dis.get()})
            if (const auto damage = video->damage())
                warnings.warn(*damage);
    } catch (const ScoringStopped &stop) {
        if (!result.stop)
            result.stop = stop;
    }
}

/// Result lines (spec cli 5). Pooling is also what puts the models' scores into the file. After an early stop a model
/// whose scores are missing has no line.
std::vector<std::string> pool_models(VmafContext *context, const std::vector<ScoringModel> &models,
                                     NumberFormat numbers, FrameLoopResult &result)
{
    std::vector<std::string> lines;
    const auto failed = [&result](const ScoringModel &model, int error) {
        if (error && !result.stop)
            result.stop.emplace(StopReason::engine_error, exit_code_of(error),
                                formatted("problem pooling scores of model: {}", model.spec().label()));
        return error != 0;
    };
    for (const ScoringModel &model : models) {
        double score = 0;
        if (!failed(model, model.pool(context, result.frames, score)))
            lines.push_back(formatted("{}: {}", model.spec().label(), numbers.text(score)));
    }
    for (const ScoringModel &model : models) {
        VmafModelCollectionScore score{};
        if (!model.is_collection() || failed(model, model.pool(context, result.frames, score)))
            continue;
        const auto &[bagging, stddev, ci] = score.bootstrap;
        lines.push_back(formatted("{}: {}, ci.p95: [{}, {}], stddev: {}", model.spec().label(), numbers.text(bagging),
                                  numbers.text(ci.p95.lo), numbers.text(ci.p95.hi), numbers.text(stddev)));
    }
    return lines;
}

void print_end_of_frames(const Options &options, const FrameLoopResult &result)
{
    if (result.stop)
        say("{}\n", result.stop->what());
    if (result.ended_first && !options.strict)
        say("\n{}.\n", end_of_one(options, result));
}

/// spec cli 10.4
void print_stop(const FrameLoopResult &result, const WrittenResults &written)
{
    std::string text;
    for (const std::string &place : written.partial)
        text += formatted("{}{}", text.empty() ? "; partial results in " : " and ", printable(place));
    for (const std::string &failure : written.failures)
        text += "; " + failure;
    say("stopped after {} frames ({}){}\n", result.frames, reason_text(result.stop->reason()), text);
}

/// An earlier error or interruption keeps its own exit code, whatever becomes of the files.
void finish_results(const Outputs &outputs, const ScoredRun &run)
{
    const WrittenResults written = write_results(outputs, run);
    if (run.result.stop)
        return print_stop(run.result, written);
    std::string lines;
    for (const std::string &failure : written.failures)
        lines += (lines.empty() ? "" : "\n") + failure;
    if (!lines.empty())
        throw Failure(kExitSetup, lines);
}

/// For a report.
std::vector<std::string> all_warnings(const Options &options, const FrameLoopResult &result, const Warnings &warnings)
{
    std::vector<std::string> texts = warnings.texts();
    if (result.ended_first)
        texts.push_back(end_of_one(options, result));
    return texts;
}

std::vector<ScoredModel> scored_models(const Options &options, const std::vector<ScoringModel> &models)
{
    std::vector<ScoredModel> scored;
    for (const ScoringModel &model : models)
        if (!options.no_prediction)
            scored.push_back({model.spec().name, model.is_collection()});
    return scored;
}

/// Scores are looked at where somebody wants to know more than result lines and file say.
/// @return the exit code.
int answer(VmafContext *context, const Options &options, std::span<const ScoredModel> models, const RunFacts &facts,
           const FrameLoopResult &result)
{
    const SummaryKind summary = choose_summary(options, ::isatty(STDERR_FILENO) != 0);
    const bool judge = !result.stop && !options.gates.empty();
    if (summary == SummaryKind::none && options.worst == 0 && !options.print && !judge)
        return 0;
    const ScoreColumns columns = score_columns(context);
    put(summary_and_worst_frames(columns, options, summary, facts));
    if (options.print)
        print(printed_scores(columns, models, options.precision));
    if (!judge)
        return 0;
    const std::vector<std::string> unmet = unmet_gates(options, columns);
    for (const std::string &line : unmet)
        say("{}\n", line);
    return unmet.empty() ? 0 : kExitUnmet;
}

/// spec cli 10.4, 10.5: the exit code is the stop's own, whatever gates demand and becomes of tables.
int answer_stopped(VmafContext *context, const Options &options, std::span<const ScoredModel> models,
                   const RunFacts &facts, const FrameLoopResult &result)
{
    try {
        answer(context, options, models, facts, result);
    } catch (const Failure &failure) {
        say("{}\n", failure.what());
    }
    return result.stop->exit_code();
}

/// spec cli 5
bool wants_result_lines(const Options &options)
{
    return !options.output || (::isatty(STDERR_FILENO) && !options.quiet);
}

} // namespace

int run_session(const Options &options, Warnings &warnings)
{
    LibraryLog log;
    SignalWatcher signals;
    Videos videos = open_videos(options, warnings);
    make_comparable(videos, options.selection.unequal_depths_allowed, warnings);
    leave_out_what_nobody_reads(videos, options.selection);
    const Outputs outputs = open_outputs(options, files_read(options, videos));
    const VideoFormat &format = videos.ref->format();
    const ScoringContext context = ScoringContext::open(options, format);
    const std::vector<ScoringModel> models =
        register_all(context.get(), options.selection, format.height_px, log, warnings);
    const std::vector<ScoredModel> scored = scored_models(options, models);
    check_gates(options, scored);
    signals.start_saving([outputs] { outputs.abandon(); });
    const auto start = std::chrono::steady_clock::now();
    warnings.frames_follow();
    FrameLoopResult result = score_frames(context, options, videos, signals);
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
    warn_of_damage(videos, warnings, result);
    std::vector<std::string> lines;
    if (!options.no_prediction)
        lines = pool_models(context.get(), models, options.precision, result);
    print_end_of_frames(options, result);
    if (wants_result_lines(options))
        for (const std::string &line : lines)
            say("{}\n", line);
    finish_results(outputs, {options, *videos.ref, *videos.dis, context, models, result, duration.count(),
                             all_warnings(options, result, warnings), signals.token()});
    const RunFacts facts{result.frames, duration.count(), frame_rate(videos)};
    if (result.stop)
        return answer_stopped(context.get(), options, scored, facts, result);
    return answer(context.get(), options, scored, facts, result);
}

} // namespace vmaf::tool
