#include "results.h"

#include <optional>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "output/score_text.h"
#include "report/html_report.h"

namespace vmaf::tool {
namespace {

std::string scores_of(const ScoredRun &run)
{
    std::optional<Incomplete> mark;
    if (run.result.stop)
        mark = Incomplete{run.result.stop->reason(), run.result.frames};
    return score_text(run.context.get(), run.options.output_format, run.options.precision, mark);
}

} // namespace

void Outputs::abandon() const
{
    for (const auto &output : {scores, report})
        if (output)
            output->abandon();
}

Outputs open_outputs(const Options &options, std::span<const struct stat> inputs)
{
    if (options.output && options.html && are_same_output(*options.output, *options.html))
        throw Failure(kExitSetup, formatted("{} is the score file and cannot be the report", printable(*options.html)));
    Outputs outputs;
    if (options.output)
        outputs.scores = open_output(*options.output, inputs);
    if (options.html)
        outputs.report = open_output(*options.html, inputs);
    return outputs;
}

WrittenResults write_results(const Outputs &outputs, const ScoredRun &run)
{
    WrittenResults written;
    const auto attempt = [&](const std::shared_ptr<OutputFile> &output, auto make_text) {
        if (!output)
            return;
        try {
            if (run.result.stop)
                written.partial.push_back(output->write_incomplete(make_text()));
            else
                output->write(make_text());
        } catch (const Failure &failure) {
            written.failures.push_back(failure.what());
        }
    };
    attempt(outputs.scores, [&] { return scores_of(run); });
    attempt(outputs.report, [&] { return html_report(session_report(run)); });
    return written;
}

} // namespace vmaf::tool
