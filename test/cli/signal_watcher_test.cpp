#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include <unistd.h>

#include "scoring/signal_watcher.h"

namespace vmaf::tool {
namespace {

void send_to_itself(int signal)
{
    ::kill(::getpid(), signal);
}

/// A run that saves its results after the first signal, and gets another.
void be_interrupted_twice()
{
    SignalWatcher signals;
    signals.start_saving([] { static_cast<void>(::write(STDERR_FILENO, "abandoned", 9) == 9); });
    send_to_itself(SIGTERM);
    while (!signals.token().stop_requested())
        std::this_thread::yield();
    send_to_itself(SIGINT);
    for (;;)
        ::pause();
}

TEST(SignalWatcherDeathTest, ASecondSignalAbandonsWhatIsBeingWritten)
{
    EXPECT_EXIT(be_interrupted_twice(), testing::ExitedWithCode(128 + SIGTERM), "abandoned");
}

} // namespace
} // namespace vmaf::tool
