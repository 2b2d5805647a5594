#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/output.h"
#include "engine/pooling.h"
#include "engine/score_table.h"

namespace vmaf {

/// The session's scores together with the frames whose scores are still being computed: a reader of a score waits for exactly
/// the frames that can still bring it. Thread-safe.
class ScoreBoard {
  public:
    /// @param in_flight_limit frames between frame_started() and frame_done() at a time.
    explicit ScoreBoard(unsigned in_flight_limit) { in_flight_.reserve(in_flight_limit); }

    /// The number of the client's next call that may write columns.
    std::uint64_t next_call();

    /// The table under the lock.
    template <class Use> auto with_table(Use &&use)
    {
        const std::lock_guard lock(mutex_);
        return use(table_);
    }
    /// As with_table, and waiting readers look again.
    template <class Write> auto write_table(Write &&write)
    {
        const std::lock_guard lock(mutex_);
        last_write_ = std::chrono::steady_clock::now();
        struct Wake {
            std::condition_variable &changed;
            ~Wake() { changed.notify_all(); }
        } const wake{changed_};
        return write(table_);
    }

    /// Whether scores of frame `index` may depend on `frame`: a delayed one is determined by frames up to index + 2 (spec motion 4).
    static bool determines(unsigned frame, unsigned index) { return frame <= std::uint64_t{index} + 2; }

    void frame_started(unsigned index);
    void frame_done(unsigned index);
    bool in_flight(unsigned index) const;
    void wait_all_done();

    /// One frame's score, if it is there.
    std::optional<double> score(std::string_view stored_name, unsigned index);
    /// Whether a frame in flight can still bring scores of that index.
    bool may_still_come(unsigned index) const;
    /// One frame's score; waits while a frame in flight may still bring it.
    std::optional<double> wait_score(std::string_view stored_name, unsigned index);
    /// Pools one column; waits for all frames in flight.
    Result<double> pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high,
                          unsigned subsample);
    /// The score file; waits for all frames in flight. `info` lacks only what the board knows.
    std::string formatted(OutputInfo info, OutputFormat format);

    void mark_flushed();

  private:
    std::optional<double> find_score(std::string_view stored_name, unsigned index) const;
    bool is_expected(unsigned index) const;

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    ScoreTable table_;
    std::vector<unsigned> in_flight_;
    std::uint64_t calls_ = 0;
    std::uint64_t flush_call_ = kFlushCall;
    std::optional<unsigned> highest_index_;
    std::optional<std::chrono::steady_clock::time_point> first_frame_;
    std::chrono::steady_clock::time_point last_write_;
};

} // namespace vmaf
