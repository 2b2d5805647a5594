#include <unistd.h>

#include <algorithm>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "report/answers.h"
#include "run/run.h"

namespace vmaf::tool {

/// Scores are looked at where somebody wants to know more than result lines and file say.
int Run::answer_scores(bool judge)
{
    const AnswerOptions &asked = options.answers;
    const SummaryKind summary = choose_summary(asked.summary, options.quiet, ::isatty(STDERR_FILENO) != 0);
    if (summary == SummaryKind::none && asked.worst == 0 && !asked.print && !judge)
        return 0;
    std::vector<EncodeScores> scores;
    for (const Encode &encode : encodes)
        scores.push_back({printable(encode.path), encode.scores.get()});
    unsigned frames = 0;
    for (const Encode &encode : encodes)
        frames = std::max(frames, encode.result.frames);
    put(summary_and_worst_frames(scores, options.selection, summary, asked.worst,
                                 {frames, seconds, frame_rate(videos)}));
    for (std::size_t i = 0; i < encodes.size(); ++i)
        for (const std::string &note : notes_of_infinite_scores(scores[i].columns))
            say("note: {}{}\n", prefix_of(encodes[i]), note);
    if (asked.print) {
        std::string printed;
        for (std::size_t i = 0; i < encodes.size(); ++i)
            printed +=
                printed_scores(scores[i].columns, scored_models(), options.outputs.precision, prefix_of(encodes[i]));
        print(printed);
    }
    if (!judge)
        return 0;
    int exit_code = 0;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        for (const std::string &line : unmet_gates(asked.gates, options.selection, scores[i].columns)) {
            say("{}{}\n", prefix_of(encodes[i]), line);
            exit_code = kExitUnmet;
        }
    return exit_code;
}

/// spec cli 10.4, 10.5: the exit code of a stop is its own, whatever gates demand and becomes of
/// tables.
int Run::answer()
{
    const auto &stopped = stop();
    if (!stopped)
        return answer_scores(!options.answers.gates.empty());
    try {
        answer_scores(false);
    } catch (const Failure &failure) {
        say("{}\n", failure.what());
    }
    return stopped->exit_code();
}

} // namespace vmaf::tool
