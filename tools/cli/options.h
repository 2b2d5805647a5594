#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/presets.h"
#include "cli/specs.h"
#include "common/format.h"
#include "libvmaf/libvmaf.h"
#include "reading_options.h"
#include "report/map_picture.h"
#include "scoring/session_options.h"

namespace vmaf::tool {

enum class Action {
    score,
    report,
    self_test,
    list_models,
    list_features,
    list_gpus,
    list_backends,
    complete_bash,
    complete_zsh,
    complete_fish,
    print_manual,
    print_help,
    print_version,
};
enum class SummaryKind { automatic, none, brief, full };
enum class ProgressKind { automatic, bar, plain, none };

/// Destination and format of scores.
struct OutputOptions {
    std::optional<std::string>
        path; ///< score file; "-": standard output; with several videos a pattern (score_files.h)
    VmafOutputFormat format = VMAF_OUTPUT_FORMAT_XML;
    bool details = false;             ///< the score file has more than scores
    std::optional<std::string> html;  ///< where the report goes; "-": standard output
    std::vector<std::string> saved;   ///< score files to report; empty: scores are made
    std::optional<unsigned> pictures; ///< worst frames that the report shows; empty: as many as fit
    std::optional<std::string> maps;  ///< folder of the pictures of maps
    std::optional<MapPixels> map_pixels;
    NumberFormat precision; ///< also for printed scores
};

/// Output besides files and result lines.
struct AnswerOptions {
    std::vector<GateSpec> gates;
    bool print = false; ///< pooled scores go to standard output
    SummaryKind summary = SummaryKind::automatic;
    unsigned worst = 0; ///< number of worst frames to list
};

/// The command line as plain values, checked and complete (spec cli 2).
struct Options {
    Action action = Action::score;
    ReadingOptions reading;
    Selection selection;
    bool compare_only = false; ///< print how videos are brought together, and score nothing
    bool no_prediction = false;
    SessionOptions sessions;
    OutputOptions outputs;
    AnswerOptions answers;
    bool quiet = false;
    ProgressKind progress = ProgressKind::automatic;
    std::vector<std::string> notes;    ///< what was decided in the user's place, a line each
    std::vector<std::string> warnings; ///< what was accepted and is hardly meant, a line each
};

/// @param is_builtin says whether the library has a model of that version. Throws UsageError.
Options parse_options(int argc, const char *const *argv, const IsBuiltinModel &is_builtin);

} // namespace vmaf::tool
