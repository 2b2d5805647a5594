#include "results.h"

#include <algorithm>
#include <utility>

#include "cli/score_files.h"
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
    for (const auto &output : scores)
        output->abandon();
    if (report)
        report->abandon();
}

Outputs open_outputs(const Options &options, std::span<const FileStatus> inputs)
{
    Outputs outputs;
    for (const std::string &path : score_files(options)) {
        if (options.html && are_same_output(path, *options.html))
            throw Failure(kExitSetup,
                          formatted("{} is the score file and cannot be the report", printable(*options.html)));
        outputs.scores.push_back(open_output(path, inputs));
    }
    if (options.html)
        outputs.report = open_output(*options.html, inputs);
    return outputs;
}

WrittenResults write_results(const Outputs &outputs, std::span<const ScoredRun> runs)
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
        attempt(*outputs.scores[i], is_incomplete(runs[i]), [&] { return scores_of(runs[i]); });
    if (outputs.report)
        attempt(*outputs.report, std::ranges::any_of(runs, is_incomplete),
                [&] { return html_report(session_report(runs)); });
    return written;
}

} // namespace vmaf::tool
