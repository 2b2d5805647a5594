#include "scoring/signal_watcher.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <csignal>
#include <mutex>
#include <system_error>

namespace vmaf::tool {
namespace {

std::mutex g_mutex;
std::function<void()> g_obey; ///< empty: nobody watches

/// Handle Ctrl+C, Ctrl+Break, or a closed window. Windows calls this on a new thread.
BOOL WINAPI on_event(DWORD)
{
    const std::scoped_lock lock(g_mutex);
    if (g_obey)
        g_obey();
    return g_obey != nullptr;
}

} // namespace

SignalWatcher::SignalWatcher()
{
    const std::scoped_lock lock(g_mutex);
    g_obey = [this] { obey(SIGINT); };
    if (!SetConsoleCtrlHandler(on_event, TRUE))
        throw std::system_error(static_cast<int>(GetLastError()), std::system_category(), "signals cannot be watched");
}

SignalWatcher::~SignalWatcher()
{
    SetConsoleCtrlHandler(on_event, FALSE);
    const std::scoped_lock lock(g_mutex);
    g_obey = nullptr;
}

} // namespace vmaf::tool
