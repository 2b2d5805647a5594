#pragma once

#include <map>
#include <mutex>

#include "cuda/driver_double/driver_types.h"

namespace driver_double {

/// Which contexts are alive, and which are pushed on each thread. Thread-safe.
class ContextTable {
  public:
    void retain_primary(CUdevice device, CUcontext context);
    /// The primary context, or null if it is not active.
    CUcontext primary(CUdevice device) const;
    bool release_primary(CUdevice device);
    void create(CUcontext context, CUdevice device);
    bool destroy(CUcontext context);
    bool alive(CUcontext context) const;
    /// -1 if the context is not alive.
    CUdevice device_of(CUcontext context) const;

    /// Pushes a context onto the calling thread's stack. Returns false if the context is not alive.
    bool push(CUcontext context);
    /// Null, with a violation, if there is nothing to pop.
    CUcontext pop();
    /// Null if there is none.
    CUcontext current() const;
    bool current_is_alive() const { return alive(current()); }

    /// From now on calls in the context fail with `result`, and if it is a primary context, so does
    /// making it anew.
    void break_context(CUcontext context, CUresult result);
    /// What the context's calls fail with; success: it is not broken.
    CUresult broken(CUcontext context) const;
    CUresult broken_primary(CUdevice device) const;
    void heal();

    /// Number of live retains of primary contexts and live created contexts.
    unsigned long retains() const;
    /// Number of pushes that were not popped, over all threads.
    unsigned long pushes() const;

  private:
    struct Context {
        CUdevice device;
        unsigned long retains;
    };

    mutable std::mutex mutex_;
    std::map<CUcontext, Context> contexts_; ///< live ones
    std::map<CUdevice, CUcontext> primaries_;
    std::map<CUcontext, CUresult> broken_;
    std::map<CUdevice, CUresult> broken_primaries_;
    unsigned long pushes_ = 0;
};

} // namespace driver_double
