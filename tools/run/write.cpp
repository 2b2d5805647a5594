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

/// Result lines (spec cli 5). Pooling is also what puts the models' scores into the file. After an
/// early stop a model whose scores are missing has no line.
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

/// Facts that all encodes share are printed once.
void print_ends_of_frames(const ReadingOptions &options, std::span<const Encode> encodes)
{
    std::vector<std::string> said;
    const auto say_once = [&](std::string text) {
        if (std::ranges::find(said, text) != said.end())
            return;
        put(printable_lines(text));
        said.push_back(std::move(text));
    };
    for (const Encode &encode : encodes) {
        if (encode.result.stop)
            say_once(formatted("{}\n", encode.result.stop->what()));
        if (encode.result.ended_first && !options.strict)
            say_once(formatted("\n{}.\n", end_of_one(options.reference, encode.path, *encode.result.ended_first)));
    }
}

/// Result of writing the files.
struct WrittenResults {
    std::vector<std::string> partial;  ///< where the scores of each run are if it is incomplete; else empty
    std::string partial_report;        ///< where the report is if it is incomplete; else empty
    std::vector<std::string> failures; ///< a line for each that could not be written
};

std::string scores_of(const ScoredRun &run, const OutputOptions &options)
{
    std::string text = score_text(run.context, options.format, options.precision);
    if (!run.ref.pairs.empty())
        text = with_frame_pairs(text, options.format, run.scores.frames());
    if (!run.sample.empty())
        text = add_record(std::move(text), options.format, "sample", run.sample);
    if (!run.comparison.empty())
        text = add_record(std::move(text), options.format, "comparison", run.comparison);
    if (options.details)
        text = add_record(std::move(text), options.format, "details", details_json(session_data({&run, 1})));
    if (!run.result.stop)
        return text;
    return mark_incomplete(std::move(text), options.format, {run.result.stop->reason(), run.result.frames});
}

/// Write all results. If one fails, the others are still written.
WrittenResults write_results(const Outputs &outputs, const OutputOptions &options, std::span<const ScoredRun> runs)
{
    WrittenResults written;
    const auto attempt = [&](OutputFile &output, bool is_incomplete, auto make_text) -> std::string {
        try {
            if (is_incomplete)
                return output.write_incomplete(make_text());
            output.write(make_text());
        } catch (const Failure &failure) {
            written.failures.push_back(failure.what());
        }
        return {};
    };
    const auto is_incomplete = [](const ScoredRun &run) { return run.result.stop.has_value(); };
    written.partial.resize(runs.size());
    for (std::size_t i = 0; i < outputs.scores.size(); ++i)
        written.partial[i] =
            attempt(*outputs.scores[i], is_incomplete(runs[i]), [&] { return scores_of(runs[i], options); });
    if (outputs.report)
        written.partial_report = attempt(*outputs.report, std::ranges::any_of(runs, is_incomplete),
                                         [&] { return html_report(session_report(runs, options.pictures)); });
    return written;
}

bool stopped_alike(const FrameLoopResult &a, const FrameLoopResult &b)
{
    return a.stop && b.stop && a.frames == b.frames && a.stop->reason() == b.stop->reason();
}

std::string joined(std::span<const std::string> items, const char *separator)
{
    std::string text;
    for (const std::string &item : items)
        text += formatted("{}{}", text.empty() ? "" : separator, item);
    return text;
}

/// A line for encodes that stopped alike (spec cli 10.4). It names them if there are others.
void print_stops(std::span<const Encode> encodes, WrittenResults written)
{
    std::vector<bool> is_told(encodes.size());
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        const FrameLoopResult &result = encodes[i].result;
        if (!result.stop || is_told[i])
            continue;
        std::vector<std::string> names, places;
        for (std::size_t j = i; j < encodes.size(); ++j)
            if (stopped_alike(result, encodes[j].result)) {
                is_told[j] = true;
                names.push_back(printable(encodes[j].path));
                if (!written.partial[j].empty())
                    places.push_back(printable(written.partial[j]));
            }
        if (const std::string report = std::exchange(written.partial_report, {}); !report.empty())
            places.push_back(printable(report));
        std::string text = places.empty() ? "" : "; partial results in " + joined(places, " and ");
        for (const std::string &failure : std::exchange(written.failures, {}))
            text += "; " + failure;
        say("{}stopped after {} frames ({}){}\n", names.size() == encodes.size() ? "" : joined(names, ", ") + ": ",
            result.frames, reason_text(result.stop->reason()), text);
    }
}

/// All warnings of an encode, for its report.
std::vector<std::string> all_warnings(const Run &run, const Encode &encode)
{
    std::vector<std::string> texts = encode.compared.warnings->texts();
    if (encode.result.ended_first)
        texts.push_back(end_of_one(run.options.reading.reference, encode.path, *encode.result.ended_first));
    return texts;
}

std::vector<ScoredRun> scored_runs(const Run &run)
{
    const ReadingOptions &reading = run.options.reading;
    const auto &contexts = run.segment_contexts.empty() ? run.contexts : run.segment_contexts;
    std::vector<ScoredRun> runs;
    for (const Encode &encode : run.encodes) {
        const std::vector<std::string> warnings = all_warnings(run, encode);
        const auto [skip_ref, skip_dis] = skips_of(reading, encode.compared);
        runs.push_back({run.options.selection,
                        {encode.reference, skip_ref, encode.scores.frames().pairs},
                        {*encode.compared.video, skip_dis},
                        encode.compared.known_pairing(),
                        encode.context.get(),
                        run.options.sessions.gpu,
                        ScoringContext::gpu_count(contexts),
                        encode.scores,
                        encode.models,
                        encode.result,
                        run.seconds,
                        warnings,
                        encode.compared.has_record() ? record_of(run.videos, encode.compared, warnings) : "",
                        encode.sample ? sample_record(*encode.sample, encode.scores.get()) : "",
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
    for (const Encode &encode : encodes)
        if (encode.sample && !options.no_prediction)
            std::ranges::move(sample_lines(*encode.sample, encode.models, encode.scores.get(),
                                           options.outputs.precision, prefix_of(encode)),
                              std::back_inserter(lines));
    print_ends_of_frames(options.reading, encodes);
    if (wants_result_lines(options))
        for (const std::string &line : lines)
            say("{}\n", line);
    WrittenResults written = write_results(outputs, options.outputs, scored_runs(*this));
    if (std::ranges::any_of(encodes, [](const Encode &encode) { return encode.result.stop.has_value(); }))
        return print_stops(encodes, std::move(written));
    if (!written.failures.empty())
        throw Failure(kExitSetup, joined(written.failures, "\n"));
}

} // namespace vmaf::tool
