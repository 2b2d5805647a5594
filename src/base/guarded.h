#pragma once

#include <mutex>
#include <utility>

namespace vmaf {

/// A value that is reached under its lock only.
template <class T> class Guarded {
  public:
    template <class Use> decltype(auto) with(Use &&use)
    {
        const std::lock_guard lock(mutex_);
        return std::forward<Use>(use)(value_);
    }
    template <class Use> decltype(auto) with(Use &&use) const
    {
        const std::lock_guard lock(mutex_);
        return std::forward<Use>(use)(std::as_const(value_));
    }

  private:
    mutable std::mutex mutex_;
    T value_;
};

} // namespace vmaf
