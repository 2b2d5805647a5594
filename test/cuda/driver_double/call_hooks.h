#pragma once

#include <mutex>

#include "cuda/driver_double/control.h"

namespace driver_double {

/// What the test runs around every call. Thread-safe.
class CallHooks {
  public:
    struct Pair {
        VmafDoubleHook *begins = nullptr;
        VmafDoubleHook *ends = nullptr;
        void *user = nullptr;
    };

    void set(const Pair &pair)
    {
        const std::lock_guard lock(mutex_);
        pair_ = pair;
    }
    Pair get() const
    {
        const std::lock_guard lock(mutex_);
        return pair_;
    }

  private:
    mutable std::mutex mutex_;
    Pair pair_;
};

} // namespace driver_double
