#include "scoring/signal_watcher.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <system_error>

#include "common/threads.h"

namespace vmaf::tool {
namespace {

sigset_t watched_signals()
{
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction action {};
        if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler != SIG_IGN)
            sigaddset(&set, signal);
    }
    return set;
}

UniqueFd blocked_signals()
{
    const sigset_t set = watched_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    return UniqueFd(::signalfd(-1, &set, SFD_CLOEXEC));
}

} // namespace

SignalWatcher::SignalWatcher() : signals_(blocked_signals()), quit_(::eventfd(0, EFD_CLOEXEC))
{
    if (!signals_.valid() || !quit_.valid())
        throw std::system_error(errno, std::generic_category(), "signals cannot be watched");
    thread_ = start_thread("to watch signals", [this] { watch(); });
}

SignalWatcher::~SignalWatcher()
{
    const std::uint64_t one = 1;
    // An empty event counter takes a one.
    [[maybe_unused]] const ssize_t written = ::write(quit_.get(), &one, sizeof one);
}

void SignalWatcher::watch()
{
    pollfd fds[] = {{quit_.get(), POLLIN, 0}, {signals_.get(), POLLIN, 0}};
    for (;;) {
        if (::poll(fds, 2, -1) < 0)
            continue;
        if (fds[0].revents != 0)
            return;
        signalfd_siginfo info;
        if (::read(signals_.get(), &info, sizeof info) != sizeof info)
            continue;
        obey(static_cast<int>(info.ssi_signo));
    }
}

} // namespace vmaf::tool
