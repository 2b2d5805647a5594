#include "session.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <utility>
#include <vector>

#include "cli/progress.h"
#include "cli/suggestion.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "input/compatibility.h"
#include "input/media.h"
#include "input/open_video.h"
#include "report/answers.h"
#include "report/gates.h"
#include "report/printed_scores.h"
#include "report/score_columns.h"
#include "report/session_report.h"
#include "results.h"
#include "scoring/chroma_use.h"
#include "scoring/frame_loop.h"
#include "scoring/library.h"
#include "scoring/library_log.h"
#include "scoring/model_files.h"
#include "scoring/option_messages.h"
#include "scoring/reader_thread.h"
#include "scoring/scoring_context.h"
#include "scoring/scoring_models.h"
#include "scoring/signal_watcher.h"

namespace vmaf::tool {
namespace {

struct Videos {
    std::unique_ptr<VideoReader> ref;
    std::unique_ptr<VideoReader> dis;
};

std::unique_ptr<VideoReader> read_header(InputFile file, ContainerFormat format, const InputOptions &options,
                                         const char *side, Warnings &warnings)
{
    const std::string path = file.path();
    try {
        return open_video(std::move(file), format, options, warnings);
    } catch (const Failure &failure) {
        throw Failure(kExitSetup, formatted("{}\nproblem with {} file: {}", failure.what(), side, printable(path)));
    }
}

/// Both are opened before a header is read: one process may write both, in turn.
Videos open_videos(const Options &options, Warnings &warnings)
{
    const InputOptions &input = options.input;
    InputFile ref = open_input(options.reference, input);
    InputFile dis = open_input(options.distorted, input);
    Videos videos;
    videos.ref = read_header(std::move(ref), input.ref_format, input, "reference", warnings);
    videos.dis = read_header(std::move(dis), input.dis_format, input, "distorted", warnings);
    match_videos(videos.ref, videos.dis, input, warnings);
    return videos;
}

/// What must not be written over.
std::vector<struct stat> files_read(const Options &options, const Videos &videos)
{
    std::vector<struct stat> files{videos.ref->file().status(), videos.dis->file().status()};
    for (const ModelSpec &model : options.selection.models) {
        struct stat status {};
        if (model.version.empty() && ::stat(model.path.c_str(), &status) == 0)
            files.push_back(status);
    }
    return files;
}

/// Empty if they have the same size.
std::string sizes_and_cure(const VideoReader &ref, const VideoReader &dis)
{
    const VideoFormat &a = ref.format();
    const VideoFormat &b = dis.format();
    if (a.width_px == b.width_px && a.height_px == b.height_px)
        return {};
    return formatted("{} is {}x{}, {} is {}x{}: --scale ref scales the second to the first, --scale WxH both\n",
                     printable(ref.file().path()), a.width_px, a.height_px, printable(dis.file().path()), b.width_px,
                     b.height_px);
}

void make_comparable(Videos &videos, bool unequal_depths_allowed, Warnings &warnings)
{
    const auto problems = incompatibilities(videos.ref->format(), videos.dis->format(), unequal_depths_allowed);
    if (!problems.empty()) {
        std::string lines;
        for (const std::string &problem : problems)
            lines += problem + '\n';
        lines += sizes_and_cure(*videos.ref, *videos.dis);
        throw Failure(kExitSetup, formatted("{}videos are incompatible, {} problem{}.", lines, problems.size(),
                                            problems.size() == 1 ? "" : "s"));
    }
    if (const auto doubt = doubt_about_rates(videos.ref->frame_rate(), videos.dis->frame_rate()))
        warnings.warn(*doubt);
    const unsigned depth = std::max(videos.ref->format().depth, videos.dis->format().depth);
    videos.ref->raise_depth(depth);
    videos.dis->raise_depth(depth);
}

void leave_out_what_nobody_reads(Videos &videos, const Selection &selection)
{
    if (may_read_chroma(selection))
        return;
    videos.ref->leave_out_chroma();
    videos.dis->leave_out_chroma();
}

void use_feature(VmafContext *context, const FeatureSpec &feature, LibraryLog &log, Warnings &warnings)
{
    const Failure failure(kExitSetup, formatted("problem loading feature extractor: {}{}", printable(feature.name),
                                                suggested_feature(feature.name)));
    FeatureDictionary options;
    for (const auto &[key, value] : feature.options)
        if (options.set(key.c_str(), value.c_str()) != 0)
            throw failure;
    int error = 0;
    const auto messages = log.held([&] { error = vmaf_use_feature(context, feature.name.c_str(), options.get()); });
    if (error == 0)
        options.release();
    show_option_messages(messages, log, warnings);
    if (error)
        throw failure;
}

std::vector<ScoringModel> register_all(VmafContext *context, const Selection &selection, unsigned height_px,
                                       LibraryLog &log, Warnings &warnings)
{
    for (const ModelSpec &spec : selection.models)
        if (const auto doubt = doubt_about_height(spec, height_px))
            warnings.warn(*doubt);
    std::vector<ScoringModel> models;
    ModelFiles files;
    for (const ModelSpec &spec : selection.models)
        models.emplace_back(context, resolve_auto(spec, height_px), files, log, warnings);
    for (const FeatureSpec &feature : selection.features)
        use_feature(context, feature, log, warnings);
    return models;
}

std::optional<std::uint64_t> frames_left(const VideoReader &video, unsigned skip)
{
    const auto count = video.frame_count();
    if (!count)
        return std::nullopt;
    return *count > skip ? *count - skip : 0;
}

/// The least of what is known (spec cli 10.3).
std::optional<std::uint64_t> expected_frames(const Options &options, const Videos &videos)
{
    std::optional<std::uint64_t> total;
    if (options.frame_cnt > 0)
        total = options.frame_cnt;
    for (const auto left :
         {frames_left(*videos.ref, options.frame_skip_ref), frames_left(*videos.dis, options.frame_skip_dist)})
        if (left)
            total = total ? std::min(*total, *left) : *left;
    return total;
}

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

std::optional<double> frame_rate(const Videos &videos)
{
    return videos.ref->frame_rate() ? videos.ref->frame_rate() : videos.dis->frame_rate();
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
