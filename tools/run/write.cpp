#include <unistd.h>

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "output/score_text.h"
#include "report/html_report.h"
#include "report/report_json.h"
#include "report/session_report.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

/// Result lines (spec cli 5). Pooling is also what puts the models' scores into the file. After an early stop a model
/// whose scores are missing has no line.
/// @param prefix of each line.
std::vector<std::string> pool_models(Encode &encode, NumberFormat numbers, const std::string &prefix)
{
    VmafContext *const context = encode.context.get();
    FrameLoopResult &result = encode.result;
    std::vector<std::string> lines;
    const auto failed = [&result](const ScoringModel &model, int error) {
        if (error && !result.stop)
            result.stop.emplace(StopReason::engine_error, exit_code_of(error),
                                formatted("problem pooling scores of model: {}", model.spec().label()));
        return error != 0;
    };
    for (const ScoringModel &model : encode.models) {
        double score = 0;
        if (!failed(model, model.pool(context, result.frames, score)))
            lines.push_back(formatted("{}{}: {}", prefix, model.spec().label(), numbers.text(score)));
    }
    for (const ScoringModel &model : encode.models) {
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

void print_end_of_frames(const ReadingOptions &options, const FrameLoopResult &result)
{
    if (result.stop)
        say("{}\n", result.stop->what());
    if (result.ended_first && !options.strict)
        say("\n{}.\n", end_of_one(options, *result.ended_first));
}

/// What became of the files.
struct WrittenResults {
    std::vector<std::string> partial;  ///< where those of incomplete runs are
    std::vector<std::string> failures; ///< a line for each that could not be written
};

std::string scores_of(const ScoredRun &run, const OutputOptions &options)
{
    std::string text = score_text(run.context, options.format, options.precision);
    if (options.details)
        text = add_details(std::move(text), options.format, details_json(session_data({&run, 1})));
    if (!run.result.stop)
        return text;
    return mark_incomplete(std::move(text), options.format, {run.result.stop->reason(), run.result.frames});
}

/// All of them are tried, whatever becomes of the others.
WrittenResults write_results(const Outputs &outputs, const OutputOptions &options, std::span<const ScoredRun> runs)
{
    WrittenResults written;
    const auto attempt = [&](OutputFile &output, bool is_incomplete, auto make_text) {
        try {
            if (is_incomplete)
                written.partial.push_back(output.write_incomplete(make_text()));
            else
                output.write(make_text());
        } catch (const Failure &failure) {
            written.failures.push_back(failure.what());
        }
    };
    const auto is_incomplete = [](const ScoredRun &run) { return run.result.stop.has_value(); };
    for (std::size_t i = 0; i < outputs.scores.size(); ++i)
        attempt(*outputs.scores[i], is_incomplete(runs[i]), [&] { return scores_of(runs[i], options); });
    if (outputs.report)
        attempt(*outputs.report, std::ranges::any_of(runs, is_incomplete),
                [&] { return html_report(session_report(runs)); });
    return written;
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

/// For a report.
std::vector<std::string> all_warnings(const Run &run, const FrameLoopResult &result)
{
    std::vector<std::string> texts = run.warnings.texts();
    if (result.ended_first)
        texts.push_back(end_of_one(run.options.reading, *result.ended_first));
    return texts;
}

std::vector<ScoredRun> scored_runs(const Run &run)
{
    const ReadingOptions &reading = run.options.reading;
    const auto &contexts = run.segments->are_several() ? run.segment_contexts : run.contexts;
    std::vector<ScoredRun> runs;
    for (std::size_t i = 0; i < run.encodes.size(); ++i) {
        const Encode &encode = run.encodes[i];
        runs.push_back({run.options.selection,
                        {*run.videos.ref, reading.skip_ref},
                        {*run.videos.dis[i], reading.skip_dist},
                        encode.context.get(),
                        run.options.sessions.gpu,
                        ScoringContext::gpu_count(contexts),
                        encode.scores,
                        encode.models,
                        encode.result,
                        run.seconds,
                        all_warnings(run, encode.result),
                        run.signals.token()});
    }
    return runs;
}

/// spec cli 5
bool wants_result_lines(const Options &options)
{
    return !options.outputs.path || (::isatty(STDERR_FILENO) && !options.quiet);
}

} // namespace

void Outputs::abandon() const
{
    for (const auto &output : scores)
        output->abandon();
    if (report)
        report->abandon();
}

/// An earlier error or interruption keeps its own exit code, whatever becomes of the files.
void Run::write()
{
    std::vector<std::string> lines;
    for (Encode &encode : encodes)
        if (!options.no_prediction)
            std::ranges::move(pool_models(encode, options.outputs.precision, prefix_of(encode)),
                              std::back_inserter(lines));
    print_end_of_frames(options.reading, result());
    if (wants_result_lines(options))
        for (const std::string &line : lines)
            say("{}\n", line);
    const WrittenResults written = write_results(outputs, options.outputs, scored_runs(*this));
    if (result().stop)
        return print_stop(result(), written);
    std::string failures;
    for (const std::string &failure : written.failures)
        failures += (failures.empty() ? "" : "\n") + failure;
    if (!failures.empty())
        throw Failure(kExitSetup, failures);
}

} // namespace vmaf::tool
