#include <unistd.h>

#include <cerrno>
#include <exception>
#include <new>
#include <string>

#include "cli/option_table.h"
#include "cli/options.h"
#include "common/checked_io.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/platform.h"
#include "common/threads.h"
#include "library/lists.h"
#include "libvmaf/libvmaf.h"
#include "listing/lists.h"
#include "manual/completions.h"
#include "manual/manual_page.h"
#include "run/report_saved.h"
#include "run/run.h"
#include "scoring/scoring_models.h"
#include "selftest/self_test.h"

namespace vmaf::tool {
namespace {

/// Text of the actions that print one.
std::string text_of(Action action)
{
    switch (action) {
    case Action::list_models:
        return list_of_models();
    case Action::list_features:
        return list_of_features();
    case Action::list_gpus:
        return list_of_gpus();
    case Action::list_backends:
        return list_of_backends();
    case Action::complete_bash:
        return bash_completion();
    case Action::complete_zsh:
        return zsh_completion();
    case Action::complete_fish:
        return fish_completion();
    case Action::print_manual:
        return manual_page();
    case Action::print_help:
        return usage_text();
    case Action::print_version:
    case Action::score:
    case Action::report:
    case Action::self_test:
        break;
    }
    return {};
}

int run_command(int argc, char **argv)
{
    prepare_process(argc, argv);
    const Options options =
        parse_options(argc, argv, [](const std::string &version) { return find_model_info(version) != nullptr; });
    if (options.action == Action::print_version) {
        say("{}\n", vmaf_version());
        return 0;
    }
    if (options.action == Action::report) {
        report_saved(options.outputs);
        return 0;
    }
    if (options.action == Action::self_test)
        return self_test(options.sessions.gpu);
    if (options.action != Action::score) {
        print(text_of(options.action));
        return 0;
    }
    if (::isatty(STDERR_FILENO) && !options.quiet)
        say("VMAF version {}\n", vmaf_version());
    for (const std::string &note : options.notes)
        say("note: {}\n", note);
    Warnings warnings(options.reading.strict);
    for (const std::string &warning : options.warnings)
        warnings.warn(warning);
    return run(options, warnings);
}

} // namespace
} // namespace vmaf::tool

int main(int argc, char **argv)
{
    using namespace vmaf::tool;
    try {
        return run_command(argc, argv);
    } catch (const UsageError &error) {
        say("{} (try 'vmaf --help')\n", error.what());
        return error.exit_code();
    } catch (const Failure &failure) {
        say("{}\n", failure.what());
        return failure.exit_code();
    } catch (const std::bad_alloc &) {
        say("out of memory; {}\n", kCureOfLimits);
        return exit_code_of(-ENOMEM);
    } catch (const std::exception &error) {
        say("{}\n", error.what());
        return kExitSetup;
    }
}
