#include "results.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"
#include "output/incomplete_mark.h"
#include "output/log_details.h"
#include "output/score_text.h"
#include "report/html_report.h"
#include "report/report_json.h"

namespace vmaf::tool {
namespace {

std::string scores_of(const ScoredRun &run)
{
    const Options &options = run.options;
    std::string text = score_text(run.context.get(), options.output_format, options.precision);
    if (options.log_details)
        text = add_details(std::move(text), options.output_format, details_json(session_data({&run, 1})));
    if (!run.result.stop)
        return text;
    return mark_incomplete(std::move(text), options.output_format, {run.result.stop->reason(), run.result.frames});
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
    attempt(outputs.report, [&] { return html_report(session_report({&run, 1})); });
    return written;
}

} // namespace vmaf::tool
