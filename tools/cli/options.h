#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/gate_spec.h"
#include "cli/gpu_selection.h"
#include "cli/presets.h"
#include "common/number_format.h"
#include "input/input_options.h"
#include "libvmaf/libvmaf.h"

namespace vmaf::tool {

enum class Action {
    score,
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

/// The command line as plain values, checked and complete (spec cli 2).
struct Options {
    Action action = Action::score;
    std::string reference;
    std::vector<std::string> distorted; ///< one or more, all against the reference
    InputOptions input;
    unsigned frame_cnt = 0; ///< 0: no limit
    unsigned frame_skip_ref = 0;
    unsigned frame_skip_dist = 0;
    unsigned subsample = 0;
    bool strict = false; ///< warnings are errors
    Selection selection;
    bool no_prediction = false;
    std::vector<GateSpec> gates;
    std::optional<std::string> output; ///< "-": standard output; of several videos a pattern (score_files.h)
    VmafOutputFormat output_format = VMAF_OUTPUT_FORMAT_XML;
    bool log_details = false; ///< the score file has more than scores
    NumberFormat precision;
    bool print = false; ///< pooled scores go to standard output
    SummaryKind summary = SummaryKind::automatic;
    unsigned worst = 0;              ///< so many frames are listed
    std::optional<std::string> html; ///< where the report goes; "-": standard output
    bool quiet = false;
    ProgressKind progress = ProgressKind::automatic;
    std::optional<unsigned> threads; ///< empty: as many as there are cores
    unsigned cpumask = 0;
    unsigned gpumask = 0; ///< for the library; -1 also turns gpu off
    GpuSelection gpu;
    std::vector<std::string> notes;    ///< what was decided in the user's place, a line each
    std::vector<std::string> warnings; ///< what was accepted and is hardly meant, a line each
};

/// @param is_builtin says whether the library has a model of that version. Throws UsageError.
Options parse_options(int argc, const char *const *argv, const IsBuiltinModel &is_builtin);

} // namespace vmaf::tool
