#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/result.h"
#include "engine/frame.h"
#include "engine/score_table.h"

namespace vmaf {

/// The frames that a score depends on: its own, and those that it waits for.
struct ScoreNeeds {
    unsigned index = 0;
    ScoreWait wait;

    bool frame(unsigned frame_index) const
    {
        return frame_index == index || (wait.for_earlier && frame_index <= std::uint64_t{index} + wait.frames_after);
    }
};

/// The frames of a session: slots for those in flight, which are still to bring scores, and why
/// others were lost. Thread-safe.
class FrameLedger {
  public:
    /// @param slot_count frames in flight at most.
    explicit FrameLedger(unsigned slot_count) { add_slots(slot_count); }

    /// Throws std::bad_alloc, and then nothing has changed.
    void add_slots(unsigned count);
    unsigned slot_count() const { return static_cast<unsigned>(frames_.size()); }
    Frame &frame(unsigned slot) { return *frames_[slot]; }

    /// A free slot, if there is one.
    std::optional<unsigned> take_slot();
    /// Waits for one.
    unsigned wait_for_slot();
    /// The frame drops its pictures.
    void give_back_slot(unsigned slot);

    /// A frame is in flight from here on. Throws std::bad_alloc.
    void started(unsigned index);
    /// Its scores are written, or it is lost: a failure says why. Logged by who failed.
    void ended(unsigned index, Status status);
    /// The end of a frame that has gone: likewise, and its slot is free. Any thread, a worker of
    /// another session too: it touches nothing of this one afterwards.
    void end_frame(unsigned slot, Status status);

    bool in_flight(unsigned index) const;
    /// Whether a frame in flight can still bring the score.
    bool may_still_come(const ScoreNeeds &needs) const;

    /// The result of `look` (a std::optional). It is called again after each frame that starts or
    /// ends, while a frame in flight can still produce the result.
    template <class Look> auto wait_for(const ScoreNeeds &needs, Look &&look)
    {
        for (;;) {
            const std::uint64_t seen = version();
            if (auto found = look())
                return found;
            if (!wait_for_change(seen, [&] { return is_expected(needs); }))
                return look();
        }
    }

    /// Calls `help`, which may bring frames to their end, and waits until none is in flight.
    template <class Help> void wait_until_all_ended(Help &&help)
    {
        std::uint64_t seen = 0;
        do {
            seen = version();
            help();
        } while (wait_for_change(seen, [this] { return !in_flight_.empty(); }));
    }

    /// The first failure of a frame that was accepted.
    Status first_failure() const;
    /// Why a score is missing: the failure of the first lost frame that it needs, -EINVAL if none
    /// was lost.
    Status why_missing(const ScoreNeeds &needs) const;
    /// Why the first of the scores low..high is missing.
    Status why_missing(unsigned low, unsigned high, ScoreWait wait) const;

    using Clock = std::chrono::steady_clock;
    /// Time from the first frame's start to the last one's end.
    struct Time {
        Clock::time_point first_start, last_end;
    };
    /// Empty before the first frame.
    std::optional<Time> time() const;
    /// Frames of that time count as this ledger's.
    void include(const Time &time);
    /// 0 before the first frame.
    double seconds() const;

  private:
    struct Lost {
        unsigned index;
        Status status;
    };

    std::uint64_t version() const;
    /// Waits for a change since version `seen`; false at once if there was none and `worth_waiting`
    /// (under the lock) says no.
    template <class WorthWaiting> bool wait_for_change(std::uint64_t seen, WorthWaiting &&worth_waiting)
    {
        std::unique_lock lock(mutex_);
        if (version_ == seen && !worth_waiting())
            return false;
        changed_.wait(lock, [&] { return version_ != seen; });
        return true;
    }
    bool is_expected(const ScoreNeeds &needs) const;

    std::vector<std::unique_ptr<Frame>> frames_; ///< grows before the first frame only

    mutable std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<unsigned> free_slots_;
    std::vector<unsigned> in_flight_;
    std::vector<Lost> lost_;
    std::optional<unsigned> highest_index_;
    std::uint64_t version_ = 0; ///< counts starts and ends
    std::optional<Time> time_;
};

} // namespace vmaf
