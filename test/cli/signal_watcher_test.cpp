#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>

#include <unistd.h>

#include "scoring/signal_watcher.h"

namespace vmaf::tool {
namespace {

using namespace std::chrono_literals;

constexpr int kSaved = 7;

/// Signals that end a process here, too, although the tests may run in the background or under
/// nohup.
void take_signals()
{
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        std::signal(signal, SIG_DFL);
}

void send_to_itself(int signal)
{
    ::kill(::getpid(), signal);
}

/// A run that saves its results after the first signal, and gets another one.
void be_interrupted_twice()
{
    take_signals();
    SignalWatcher signals;
    signals.start_saving([] { static_cast<void>(::write(STDERR_FILENO, "abandoned", 9) == 9); });
    send_to_itself(SIGTERM);
    while (!signals.token().stop_requested())
        std::this_thread::yield();
    send_to_itself(SIGINT);
    for (;;)
        ::pause();
}

/// A run that saves its results and gets the same signal twice. It ends by itself a little later.
void get_twice(int signal, std::chrono::milliseconds between)
{
    take_signals();
    SignalWatcher signals;
    signals.start_saving([] { static_cast<void>(::write(STDERR_FILENO, "abandoned", 9) == 9); });
    send_to_itself(signal);
    while (!signals.token().stop_requested())
        std::this_thread::yield();
    std::this_thread::sleep_for(between);
    send_to_itself(signal);
    std::this_thread::sleep_for(20ms);
    std::_Exit(kSaved);
}

// coreutils' timeout signals the process and then its group.
TEST(SignalWatcherDeathTest, ARepeatWithinAMomentIsTheSameSignal)
{
    for (const int signal : {SIGTERM, SIGINT, SIGHUP})
        for (int between_ms = 0; between_ms < 16; between_ms += 3)
            EXPECT_EXIT(get_twice(signal, std::chrono::milliseconds(between_ms)), testing::ExitedWithCode(kSaved), "")
                << signal << " after " << between_ms;
}

TEST(SignalWatcherDeathTest, TheSameSignalLaterEndsAtOnce)
{
    EXPECT_EXIT(get_twice(SIGTERM, 300ms), testing::ExitedWithCode(128 + SIGTERM), "abandoned");
}

TEST(SignalWatcherDeathTest, ASecondSignalAbandonsWhatIsBeingWritten)
{
    EXPECT_EXIT(be_interrupted_twice(), testing::ExitedWithCode(128 + SIGTERM), "abandoned");
}

} // namespace
} // namespace vmaf::tool
