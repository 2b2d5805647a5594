#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <mutex>
#include <set>
#include <vector>

namespace vmaf::python {

/// Frames that were read, and how many of them are finished. Released pictures report it, on any
/// thread.
class FrameLog {
  public:
    using Ticket = std::uint64_t;

    /// Notes a frame that is about to be read.
    Ticket begin(unsigned index)
    {
        const std::scoped_lock lock(mutex_);
        const Ticket ticket = next_++;
        read_.push_back({ticket, index});
        pending_.insert(ticket);
        return ticket;
    }
    /// The frame that was begun last was refused.
    void take_back()
    {
        const std::scoped_lock lock(mutex_);
        pending_.erase(read_.back().ticket);
        read_.pop_back();
    }
    /// Mark a frame as done, also if it was refused.
    void done(Ticket ticket)
    {
        const std::scoped_lock lock(mutex_);
        pending_.erase(ticket);
    }

    /// Indices in the order of reading.
    std::vector<unsigned> indices() const
    {
        const std::scoped_lock lock(mutex_);
        std::vector<unsigned> indices;
        std::ranges::transform(read_, std::back_inserter(indices), &Entry::index);
        return indices;
    }
    std::size_t count() const
    {
        const std::scoped_lock lock(mutex_);
        return read_.size();
    }
    /// Number of first frames that are all finished.
    std::size_t finished() const
    {
        const std::scoped_lock lock(mutex_);
        if (pending_.empty())
            return read_.size();
        return static_cast<std::size_t>(std::ranges::lower_bound(read_, *pending_.begin(), {}, &Entry::ticket) -
                                        read_.begin());
    }
    unsigned index(std::size_t place) const
    {
        const std::scoped_lock lock(mutex_);
        return read_[place].index;
    }

  private:
    struct Entry {
        Ticket ticket;
        unsigned index;
    };

    mutable std::mutex mutex_;
    std::vector<Entry> read_;
    std::set<Ticket> pending_;
    Ticket next_ = 0;
};

} // namespace vmaf::python
