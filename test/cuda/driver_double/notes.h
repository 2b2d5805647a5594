#pragma once

#include <deque>
#include <mutex>
#include <string>

namespace driver_double {

/// Sentences for the test to read, by number from 0. Thread-safe; a text is valid until clear().
class Notes {
  public:
    void add(const char *call, const std::string &what)
    {
        const std::lock_guard lock(mutex_);
        texts_.push_back(std::string(call) + ": " + what);
    }
    unsigned long count() const
    {
        const std::lock_guard lock(mutex_);
        return texts_.size();
    }
    /// Null beyond the last.
    const char *text(unsigned long index) const
    {
        const std::lock_guard lock(mutex_);
        return index < texts_.size() ? texts_[index].c_str() : nullptr;
    }
    void clear()
    {
        const std::lock_guard lock(mutex_);
        texts_.clear();
    }

  private:
    mutable std::mutex mutex_;
    std::deque<std::string> texts_;
};

} // namespace driver_double
