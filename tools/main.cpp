#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <new>
#include <string>

#include "cli/options.h"
#include "cli/usage.h"
#include "common/checked_io.h"
#include "common/console.h"
#include "common/failure.h"
#include "common/warnings.h"
#include "libvmaf/libvmaf.h"
#include "listing/backends.h"
#include "listing/gpus.h"
#include "listing/lists.h"
#include "scoring/scoring_models.h"
#include "session.h"

namespace vmaf::tool {
namespace {

/// A video opened where stdout or stderr was closed would be written to.
void occupy_standard_descriptors()
{
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
        if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF && ::open("/dev/null", O_RDONLY) != fd)
            throw Failure(kExitSetup, "could not open file: /dev/null");
}

int run(int argc, char **argv)
{
    occupy_standard_descriptors();
    for (const int signal : {SIGPIPE, SIGXFSZ}) // write errors like others
        std::signal(signal, SIG_IGN);
    const Options options = parse_options(argc, argv, is_builtin_model);
    switch (options.action) {
    case Action::print_help:
        print(usage_text());
        return 0;
    case Action::list_models:
        print(list_of_models());
        return 0;
    case Action::list_features:
        print(list_of_features());
        return 0;
    case Action::list_gpus:
        print(list_of_gpus());
        return 0;
    case Action::list_backends:
        print(list_of_backends());
        return 0;
    case Action::print_version:
        say("{}\n", vmaf_version());
        return 0;
    case Action::score:
        break;
    }
    if (::isatty(STDERR_FILENO) && !options.quiet)
        say("VMAF version {}\n", vmaf_version());
    for (const std::string &note : options.notes)
        say("note: {}\n", note);
    Warnings warnings(options.strict);
    for (const std::string &warning : options.warnings)
        warnings.warn(warning);
    return run_session(options, warnings);
}

} // namespace
} // namespace vmaf::tool

int main(int argc, char **argv)
{
    using namespace vmaf::tool;
    try {
        return run(argc, argv);
    } catch (const UsageError &error) {
        say("{} (try 'vmaf --help')\n", error.what());
        return error.exit_code();
    } catch (const Failure &failure) {
        say("{}\n", failure.what());
        return failure.exit_code();
    } catch (const std::bad_alloc &) {
        say("out of memory\n");
        return exit_code_of(-ENOMEM);
    } catch (const std::exception &error) {
        say("{}\n", error.what());
        return kExitSetup;
    }
}
