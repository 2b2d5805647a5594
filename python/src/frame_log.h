#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <vector>

namespace vmaf::python {

/// Which frames were read, and how far the library is done with them. Released pictures tell it, on any thread.
class FrameLog {
  public:
    /// Of a frame that is about to be read; its place in the order of reading.
    std::size_t begin(unsigned index)
    {
        const std::scoped_lock lock(mutex_);
        indices_.push_back(index);
        pending_.insert(indices_.size() - 1);
        return indices_.size() - 1;
    }
    /// The last begun frame was refused.
    void take_back()
    {
        const std::scoped_lock lock(mutex_);
        pending_.erase(indices_.size() - 1);
        indices_.pop_back();
    }
    void done(std::size_t place)
    {
        const std::scoped_lock lock(mutex_);
        pending_.erase(place);
    }

    /// Indices in the order of reading.
    std::vector<unsigned> read() const
    {
        const std::scoped_lock lock(mutex_);
        return indices_;
    }
    /// So many of the first ones, of which none is in work.
    std::size_t finished() const
    {
        const std::scoped_lock lock(mutex_);
        return pending_.empty() ? indices_.size() : *pending_.begin();
    }
    std::size_t count() const
    {
        const std::scoped_lock lock(mutex_);
        return indices_.size();
    }
    unsigned index(std::size_t place) const
    {
        const std::scoped_lock lock(mutex_);
        return indices_[place];
    }

  private:
    mutable std::mutex mutex_;
    std::vector<unsigned> indices_;
    std::set<std::size_t> pending_;
};

} // namespace vmaf::python
