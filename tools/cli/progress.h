#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "cli/options.h"

/// Text of the progress line, and the times at which it is drawn (spec cli 10.3).
namespace vmaf::tool {

struct ProgressState {
    std::uint64_t frames = 0;
    std::optional<std::uint64_t> total;
    double fps = 0;
    std::chrono::duration<double> elapsed{};
    bool finishing = false; ///< all frames are read, delayed work is being completed

    /// The remaining time, by the average speed of the whole run.
    std::optional<std::chrono::seconds> eta() const;
};

/// A line of at most `columns`. If there is no room, the bar is left out first, then the
/// percentage.
std::string bar_line(const ProgressState &state, std::size_t columns);
std::string plain_line(const ProgressState &state);

/// Frames per second of wall time over the last 2 s.
class FrameRate {
  public:
    using Time = std::chrono::steady_clock::time_point;

    explicit FrameRate(Time start) : samples_{{start, 0}} {}
    double update(Time now, std::uint64_t frames);

  private:
    struct Sample {
        Time time;
        std::uint64_t frames;
    };
    std::deque<Sample> samples_; ///< the first is the newest that is 2 s old, or the start
};

/// Progress on stderr while frames are scored. Thread-safe.
class Progress {
  public:
    /// @param kind bar, plain or none.
    Progress(ProgressKind kind, std::optional<std::uint64_t> total);
    /// Ends the bar's line, so that messages start on their own.
    ~Progress();
    Progress(const Progress &) = delete;

    void frame_read();
    void finishing();
    /// The bar's last state: all frames there are were read, whatever number was expected.
    void finished();
    /// Ends the display if scoring ended early.
    void stopped();

  private:
    using Clock = std::chrono::steady_clock;

    void sample(Clock::time_point now);
    void draw();
    void show_whole_run();

    ProgressKind kind_;
    std::mutex mutex_; ///< guards the members below
    Clock::time_point start_;
    Clock::time_point next_sample_;
    Clock::time_point next_plain_line_;
    FrameRate rate_;
    ProgressState state_;
    bool line_open_ = false;
};

/// The meaning of "auto" here: a bar needs a terminal.
ProgressKind choose_progress(ProgressKind asked, bool quiet, bool terminal);

} // namespace vmaf::tool
