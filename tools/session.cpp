#include "session.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cli/progress.h"
#include "clip_parts.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "frames/library.h"
#include "input/media.h"
#include "listing/gpus.h"
#include "report/answers.h"
#include "report/gates.h"
#include "report/printed_scores.h"
#include "report/session_report.h"
#include "results.h"
#include "scores/score_columns.h"
#include "scoring/frame_loop.h"
#include "scoring/library_log.h"
#include "scoring/registration.h"
#include "scoring/scoring_context.h"
#include "scoring/scoring_models.h"
#include "scoring/signal_watcher.h"
#include "videos.h"

namespace vmaf::tool {
namespace {

/// One distorted video, what scores it, and how far that came.
struct Encode {
    const std::string &path; ///< as given
    const VideoReader &video;
    const ScoringContext &context;
    LazyScoreColumns scores; ///< once it has come to its end and models are pooled
    std::vector<ScoringModel> models;
    FrameLoopResult result{};
};

/// Empty if all have as many frames as were asked for, or equally many.
std::string end_of_one(const Options &options, const FrameLoopResult &result)
{
    if (!result.ended_first)
        return {};
    const auto path = [&](std::size_t video) { return video == 0 ? options.reference : options.distorted[video - 1]; };
    return formatted("\"{}\" ended before \"{}\"", printable(path(result.ended_first->ended)),
                     printable(path(result.ended_first->longer)));
}

/// Read everything there is to read, then let the library complete delayed work.
FrameLoopResult score_frames(std::span<const ScoringContext> contexts, const Options &options, const Videos &videos,
                             const ClipParts &parts, const SignalWatcher &signals)
{
    const bool terminal = ::isatty(STDERR_FILENO) != 0;
    Progress progress(choose_progress(options.progress, options.quiet, terminal), expected_frames(options, videos));
    std::vector<Scoring> encodes;
    for (std::size_t i = 0; i < contexts.size(); ++i)
        encodes.push_back({contexts[i], {*videos.dis[i], options.frame_skip_dist}});
    FrameLoopResult result = parts.are_several()
                                 ? parts.score(videos, contexts.front(), signals, progress)
                                 : read_frames(whole_clip(options), {*videos.ref, options.frame_skip_ref}, encodes,
                                               signals, signals.token(), progress);
    if (result.frames == 0 && result.stop)
        throw ScoringStopped(*result.stop);
    if (result.frames == 0)
        throw Failure(kExitBadData, "there is no frame pair to score");
    if (result.ended_first && options.strict)
        result.stop.emplace(StopReason::truncated_input, kExitBadData,
                            formatted("{} (an error with --strict)", end_of_one(options, result)));
    progress.finishing();
    for (const ScoringContext &context : contexts)
        if (!parts.are_several())
            flush(context.get(), result);
    if (result.stop)
        progress.stopped();
    else
        progress.finished();
    return result;
}

/// Once everything was read.
void warn_of_damage(const Videos &videos, const ClipParts &parts, Warnings &warnings, FrameLoopResult &result)
{
    std::vector<const VideoReader *> readers;
    const auto add = [&readers](const Videos &part) {
        readers.push_back(part.ref.get());
        for (const auto &dis : part.dis)
            readers.push_back(dis.get());
    };
    add(videos);
    std::ranges::for_each(parts.videos(), add);
    try {
        for (const VideoReader *video : readers)
            if (const auto damage = video->damage())
                warnings.warn(*damage);
    } catch (const ScoringStopped &stop) {
        if (!result.stop)
            result.stop = stop;
    }
}

/// Result lines (spec cli 5). Pooling is also what puts the models' scores into the file. After an early stop a model
/// whose scores are missing has no line.
/// @param prefix of each line.
std::vector<std::string> pool_models(Encode &encode, NumberFormat numbers, const std::string &prefix)
{
    VmafContext *const context = encode.context.get();
    const std::vector<ScoringModel> &models = encode.models;
    FrameLoopResult &result = encode.result;
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
            lines.push_back(formatted("{}{}: {}", prefix, model.spec().label(), numbers.text(score)));
    }
    for (const ScoringModel &model : models) {
        VmafModelCollectionScore score{};
        if (!model.is_collection() || failed(model, model.pool(context, result.frames, score)))
            continue;
        const auto &[bagging, stddev, ci] = score.bootstrap;
        lines.push_back(formatted("{}{}: {}, ci.p95: [{}, {}], stddev: {}", prefix, model.spec().label(),
                                  numbers.text(bagging), numbers.text(ci.p95.lo), numbers.text(ci.p95.hi),
                                  numbers.text(stddev)));
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

/// The first run that did not come to its end; null: all did.
const FrameLoopResult *stopped_run(std::span<const ScoredRun> runs)
{
    for (const ScoredRun &run : runs)
        if (run.result.stop)
            return &run.result;
    return nullptr;
}

/// An earlier error or interruption keeps its own exit code, whatever becomes of the files.
void finish_results(const Outputs &outputs, std::span<const ScoredRun> runs)
{
    const WrittenResults written = write_results(outputs, runs);
    if (const FrameLoopResult *stopped = stopped_run(runs))
        return print_stop(*stopped, written);
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

/// What lines about that distorted video begin with, where there are several.
std::string prefix_of(const Options &options, const Encode &encode)
{
    return options.distorted.size() > 1 ? formatted("{}: ", printable(encode.path)) : "";
}

/// Scores are looked at where somebody wants to know more than result lines and file say.
/// @return the exit code.
int answer(const Options &options, std::span<const Encode> encodes, bool judge, const RunFacts &facts)
{
    const SummaryKind summary = choose_summary(options, ::isatty(STDERR_FILENO) != 0);
    if (summary == SummaryKind::none && options.worst == 0 && !options.print && !judge)
        return 0;
    std::vector<EncodeScores> scores;
    for (const Encode &encode : encodes)
        scores.push_back({printable(encode.path), encode.scores.get()});
    put(summary_and_worst_frames(scores, options, summary, facts));
    if (options.print)
        print(
            printed_scores(scores.front().columns, scored_models(options, encodes.front().models), options.precision));
    if (!judge)
        return 0;
    int exit_code = 0;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        for (const std::string &line : unmet_gates(options, scores[i].columns)) {
            say("{}{}\n", prefix_of(options, encodes[i]), line);
            exit_code = kExitUnmet;
        }
    return exit_code;
}

/// spec cli 10.4, 10.5: the exit code is the stop's own, whatever gates demand and becomes of tables.
int answer_stopped(const Options &options, std::span<const Encode> encodes, const RunFacts &facts,
                   const ScoringStopped &stop)
{
    try {
        answer(options, encodes, false, facts);
    } catch (const Failure &failure) {
        say("{}\n", failure.what());
    }
    return stop.exit_code();
}

/// spec cli 5
bool wants_result_lines(const Options &options)
{
    return !options.output || (::isatty(STDERR_FILENO) && !options.quiet);
}

/// Before anybody uses the driver.
void choose_gpu(const Options &options)
{
    const GpuSelection &gpu = options.gpu;
    if (gpu.wants_several() && !count_in_pci_order())
        throw Failure(kExitSetup, "the order of GPUs cannot be set");
    if (gpu.use != GpuUse::none && gpu.device && !show_only_device(*gpu.device))
        throw Failure(kExitSetup, formatted("there is no GPU {}: CUDA_VISIBLE_DEVICES shows fewer", *gpu.device));
}

/// The GPUs that score, in their order: one of them alone is the only one that the driver shows. Empty: videos are decoded in software, as
/// those of a ladder are for several GPUs. @param decoders one: several GPUs have turned out not to share a video.
std::vector<std::shared_ptr<MediaGpu>> gpus_to_decode(const Options &options, DecodersInFlight decoders)
{
    if (!options.gpu.wants_several()) {
        const auto gpu = gpu_to_decode(options);
        return gpu ? std::vector{gpu} : std::vector<std::shared_ptr<MediaGpu>>();
    }
    const bool is_demanded = options.input.decoding == Decoding::cuda;
    if (options.input.decoding == Decoding::software || options.distorted.size() > 1)
        return {};
    if (decoders == DecodersInFlight::one && is_demanded)
        throw Failure(kExitSetup, "several GPUs cannot decode these videos: --gpu names one that can");
    if (decoders == DecodersInFlight::one)
        return {};
    std::vector<unsigned> devices = options.gpu.devices;
    if (options.gpu.all)
        for (unsigned device = 0; device < count_of_gpus(); ++device)
            devices.push_back(device);
    std::vector<std::shared_ptr<MediaGpu>> gpus;
    gpus.reserve(devices.size());
    for (const unsigned device : devices)
        gpus.push_back(make_media_gpu(device, is_demanded));
    return gpus;
}

bool is_one_decoded_on_gpu(const Videos &videos)
{
    return is_decoded_on_gpu(*videos.ref) ||
           std::ranges::any_of(videos.dis, [](const auto &dis) { return is_decoded_on_gpu(*dis); });
}

/// Each distorted video with its context, models and features registered.
std::vector<Encode> register_encodes(const Options &options, const Videos &videos,
                                     std::span<const ScoringContext> contexts, ModelFiles &files, LibraryLog &log,
                                     Warnings &warnings)
{
    std::vector<Encode> encodes;
    for (std::size_t i = 0; i < contexts.size(); ++i)
        encodes.push_back({options.distorted[i], *videos.dis[i], contexts[i], LazyScoreColumns(contexts[i].get()),
                           register_all(contexts[i].get(), options.selection, videos.ref->format().height_px,
                                        videos.ref->frame_rate(), files, log, warnings)});
    return encodes;
}

/// One for each distorted video.
std::vector<ScoringContext> open_contexts(const Options &options, const Videos &videos, const ClipParts &parts,
                                          std::span<const Gpu> gpus)
{
    if (!parts.are_several())
        return ScoringContext::open(options, videos.ref->format(), videos.dis.size(), gpus);
    std::vector<ScoringContext> merged;
    merged.push_back(ScoringContext::open_for_merging(options));
    return merged;
}

/// The first that did not come to its end, or the first.
const FrameLoopResult &telling_result(std::span<const Encode> encodes)
{
    for (const Encode &encode : encodes)
        if (encode.result.stop)
            return encode.result;
    return encodes.front().result;
}

int run_once(const Options &options, Warnings &warnings, DecodersInFlight decoders)
{
    LibraryLog log;
    SignalWatcher signals;
    choose_gpu(options);
    const std::vector<std::shared_ptr<MediaGpu>> decoding_gpus = gpus_to_decode(options, decoders);
    Videos videos = open_videos(options, decoding_gpus.empty() ? nullptr : decoding_gpus.front(), warnings);
    make_comparable(videos, options.selection.unequal_depths_allowed, warnings);
    const Outputs outputs = open_outputs(options, files_read(options, videos));
    std::vector<std::shared_ptr<MediaGpu>> side_by_side;
    if (decoding_gpus.size() > 1 && is_one_decoded_on_gpu(videos))
        side_by_side = decoding_gpus;
    const bool all_are_open = open_media_gpus(side_by_side);
    const std::vector<Gpu> gpus = open_gpus(options.gpu);
    if (!all_are_open || (!side_by_side.empty() && gpus.size() != side_by_side.size()))
        throw PartsDoNotFit{"not all GPUs can be used for that"};
    ClipParts parts(options, videos, {gpus, side_by_side, decoders});
    const std::vector<ScoringContext> contexts = open_contexts(options, videos, parts, gpus);
    if (!decoding_gpus.empty() && (parts.are_several() || contexts.front().uses_gpu()))
        lend_frames(videos, decoding_gpus.front(), decoders);
    leave_out_what_nobody_reads(videos, options.selection);
    ModelFiles model_files;
    std::vector<Encode> encodes = register_encodes(options, videos, contexts, model_files, log, warnings);
    if (parts.are_several())
        parts.open(videos, contexts.front(), model_files, log, warnings);
    check_gates(options, scored_models(options, encodes.front().models));
    signals.start_saving([outputs] { outputs.abandon(); });
    const auto start = std::chrono::steady_clock::now();
    warnings.frames_follow();
    FrameLoopResult read = score_frames(contexts, options, videos, parts, signals);
    const std::chrono::duration<double> duration = std::chrono::steady_clock::now() - start;
    warn_of_damage(videos, parts, warnings, read);
    std::vector<std::string> lines;
    for (Encode &encode : encodes) {
        encode.result = read;
        if (!options.no_prediction)
            for (std::string &line : pool_models(encode, options.precision, prefix_of(options, encode)))
                lines.push_back(std::move(line));
    }
    const FrameLoopResult &result = telling_result(encodes);
    print_end_of_frames(options, result);
    if (wants_result_lines(options))
        for (const std::string &line : lines)
            say("{}\n", line);
    const std::size_t gpu_count = parts.are_several() ? parts.gpu_count() : ScoringContext::gpu_count(contexts);
    std::vector<ScoredRun> runs;
    runs.reserve(encodes.size());
    for (const Encode &encode : encodes)
        runs.push_back({options, *videos.ref, encode.video, encode.context, gpu_count, encode.scores, encode.models,
                        encode.result, duration.count(), all_warnings(options, encode.result, warnings),
                        signals.token()});
    finish_results(outputs, runs);
    const RunFacts facts{result.frames, duration.count(), frame_rate(videos)};
    return result.stop ? answer_stopped(options, encodes, facts, *result.stop)
                       : answer(options, encodes, !options.gates.empty(), facts);
}

} // namespace

int run_session(const Options &options, Warnings &warnings)
{
    try {
        return run_once(options, warnings, DecodersInFlight::several);
    } catch (const PartsDoNotFit &reason) {
        say("a video cannot be decoded in parts ({}): videos are decoded as a whole\n", reason.why);
        return run_once(options, warnings, DecodersInFlight::one);
    }
}

} // namespace vmaf::tool
