#include "engine/frame_ledger.h"

#include <algorithm>

#include "base/log.h"

namespace vmaf {

void FrameLedger::add_slots(unsigned count)
{
    std::vector<std::unique_ptr<Frame>> added(count);
    for (std::unique_ptr<Frame> &frame : added)
        frame = std::make_unique<Frame>();
    const std::size_t total = frames_.size() + count;
    frames_.reserve(total);
    const std::lock_guard lock(mutex_);
    free_slots_.reserve(total);
    in_flight_.reserve(total);
    lost_.reserve(total);
    for (std::unique_ptr<Frame> &frame : added) {
        free_slots_.push_back(static_cast<unsigned>(frames_.size()));
        frames_.push_back(std::move(frame));
    }
}

std::optional<unsigned> FrameLedger::take_slot()
{
    const std::lock_guard lock(mutex_);
    if (free_slots_.empty())
        return std::nullopt;
    const unsigned slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
}

unsigned FrameLedger::wait_for_slot()
{
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return !free_slots_.empty(); });
    const unsigned slot = free_slots_.back();
    free_slots_.pop_back();
    return slot;
}

void FrameLedger::give_back_slot(unsigned slot)
{
    Frame &frame = *frames_[slot];
    frame.drop_pictures();
    frame.host_copies.clear();
    {
        const std::lock_guard lock(mutex_);
        free_slots_.push_back(slot);
    }
    changed_.notify_all();
}

void FrameLedger::started(unsigned index)
{
    {
        const std::lock_guard lock(mutex_);
        // Every frame in flight may be lost, and then there must be room to note it.
        if (const std::size_t most = lost_.size() + in_flight_.size() + 1; most > lost_.capacity())
            lost_.reserve(2 * most);
        in_flight_.push_back(index);
        highest_index_ = std::max(highest_index_.value_or(0), index);
        if (!time_) {
            const Clock::time_point now = Clock::now();
            time_ = Time{now, now};
        }
        ++version_;
    }
    changed_.notify_all(); // who waits for a score may have to help this frame along
}

void FrameLedger::ended(unsigned index, Status status)
{
    const std::lock_guard lock(mutex_);
    in_flight_.erase(std::find(in_flight_.begin(), in_flight_.end(), index));
    if (!status.ok())
        lost_.push_back({index, status});
    time_->last_end = Clock::now();
    ++version_;
    changed_.notify_all(); // under the lock: without it, the session may be gone
}

void FrameLedger::end_frame(unsigned slot, Status status)
{
    const unsigned index = frame(slot).index;
    if (!status.ok())
        log(LogLevel::debug, "frame %u is lost (%d)", index, status.code());
    give_back_slot(slot);
    ended(index, status);
}

bool FrameLedger::in_flight(unsigned index) const
{
    const std::lock_guard lock(mutex_);
    return std::find(in_flight_.begin(), in_flight_.end(), index) != in_flight_.end();
}

bool FrameLedger::is_expected(const ScoreNeeds &needs) const
{
    return highest_index_ && needs.index <= *highest_index_ &&
           std::any_of(in_flight_.begin(), in_flight_.end(), [&](unsigned frame) { return needs.frame(frame); });
}

bool FrameLedger::may_still_come(const ScoreNeeds &needs) const
{
    const std::lock_guard lock(mutex_);
    return is_expected(needs);
}

std::uint64_t FrameLedger::version() const
{
    const std::lock_guard lock(mutex_);
    return version_;
}

Status FrameLedger::first_failure() const
{
    const std::lock_guard lock(mutex_);
    return lost_.empty() ? Status() : lost_.front().status;
}

Status FrameLedger::why_missing(const ScoreNeeds &needs) const
{
    return why_missing(needs.index, needs.index, needs.wait);
}

Status FrameLedger::why_missing(unsigned low, unsigned high, ScoreWait wait) const
{
    const std::lock_guard lock(mutex_);
    const auto first = std::find_if(lost_.begin(), lost_.end(), [&](const Lost &lost) {
        return (lost.index >= low && lost.index <= high) || ScoreNeeds{high, wait}.frame(lost.index);
    });
    return first != lost_.end() ? first->status : Status::error(EINVAL);
}

std::optional<FrameLedger::Time> FrameLedger::time() const
{
    const std::lock_guard lock(mutex_);
    return time_;
}

void FrameLedger::include(const Time &time)
{
    const std::lock_guard lock(mutex_);
    if (!time_)
        time_ = time;
    time_->first_start = std::min(time_->first_start, time.first_start);
    time_->last_end = std::max(time_->last_end, time.last_end);
}

double FrameLedger::seconds() const
{
    const std::lock_guard lock(mutex_);
    return time_ ? std::chrono::duration<double>(time_->last_end - time_->first_start).count() : 0;
}

} // namespace vmaf
