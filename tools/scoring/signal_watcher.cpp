#include "scoring/signal_watcher.h"

#include <cstdlib>

namespace vmaf::tool {

void SignalWatcher::obey(int signal)
{
    const auto now = Clock::now();
    const bool again = stop_.stop_requested();
    if (again && signal == signal_ && now - stopped_ < kRepeat)
        return;
    if (again) {
        abandon_();
    } else {
        signal_ = signal;
        stopped_ = now;
    }
    if (again || !saving_)
        std::_Exit(exit_code());
    stop_.request_stop();
}

} // namespace vmaf::tool
