#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <stop_token>
#include <thread>
#include <utility>

#include "common/checked_io.h"

namespace vmaf::tool {

/// SIGINT, SIGTERM and SIGHUP (spec cli 10.4): while there is nothing to save the first one ends
/// the process, whatever it waits for; later the first is a stop request and the second ends the
/// process. The same signal again within kRepeat is the first one: coreutils' timeout signals the
/// process and then its group. To be made before other threads, so that they do not take the
/// signals. Signals that are ignored stay so.
class SignalWatcher {
  public:
    SignalWatcher();
    ~SignalWatcher();

    /// From now on there are results to save: the next signal only requests a stop.
    /// @param abandon called by another thread before a second signal ends the process.
    void start_saving(std::function<void()> abandon)
    {
        abandon_ = std::move(abandon);
        saving_ = true;
    }
    std::stop_token token() const { return stop_.get_token(); }
    /// 128 + the first signal. Valid once a stop was requested.
    int exit_code() const { return 128 + signal_.load(); }

  private:
    using Clock = std::chrono::steady_clock;
    static constexpr std::chrono::milliseconds kRepeat{100};

    void watch();
    void obey(int signal);

    std::function<void()> abandon_;
    std::atomic<bool> saving_ = false;
    std::atomic<int> signal_ = 0;
    Clock::time_point stopped_; ///< when the first signal came
    std::stop_source stop_;
    UniqueFd signals_;
    UniqueFd quit_;
    std::jthread thread_; ///< the last member: it uses the others
};

} // namespace vmaf::tool
