#include "scoring/signal_watcher.h"

#include <cstdlib>

namespace vmaf::tool {

void SignalWatcher::obey(int signal)
{
    const bool again = stop_.stop_requested();
    if (!again)
        signal_ = signal;
    else
        abandon_();
    if (again || !saving_)
        std::_Exit(exit_code());
    stop_.request_stop();
}

} // namespace vmaf::tool
