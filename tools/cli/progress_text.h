#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

/// What the progress line says (spec cli 10.3); when and where it is drawn is progress.h's business.
namespace vmaf::tool {

struct ProgressState {
    std::uint64_t frames = 0;
    std::optional<std::uint64_t> total;
    double fps = 0;
    std::chrono::duration<double> elapsed{};
    bool finishing = false; ///< all frames are read, delayed work is being completed

    /// From the average of the whole run.
    std::optional<std::chrono::seconds> eta() const;
};

/// Not wider than `columns`: the bar goes first, then the percentage.
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

} // namespace vmaf::tool
