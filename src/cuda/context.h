#pragma once

#include <atomic>
#include <memory>

#include "base/result.h"
#include "cuda/driver.h"

namespace vmaf {

/// A CUDA context in use: the client's, or the primary context of a device, which is retained for as long as this lives.
/// Everything made in it holds a shared_ptr to it.
class CudaContext {
  public:
    /// @param client_context used and never owned; null: the primary context of device 0.
    /// @return -ENODEV if there is no driver, no device, or none that the kernels were built for (said at info level).
    static Result<std::shared_ptr<CudaContext>> create(CUcontext client_context);
    ~CudaContext();
    CudaContext(const CudaContext &) = delete;
    CudaContext &operator=(const CudaContext &) = delete;

    const CudaDriver &driver() const { return driver_; }
    CUcontext get() const { return context_; }
    CUdevice device() const { return device_; }

    /// Remembers a release that failed where nobody could be told; the next close in this context reports it (spec cuda 3).
    void note_release_failure(Status status);
    /// Hands what was remembered to this thread's CudaReleaseScope.
    void report_release_failures();

  private:
    CudaContext(const CudaDriver &driver, CUcontext context, CUdevice device, bool retained)
        : driver_(driver), context_(context), device_(device), retained_(retained)
    {
    }

    const CudaDriver &driver_;
    CUcontext context_;
    CUdevice device_;
    bool retained_;
    std::atomic<int> release_failure_{0}; ///< errno of the first one not reported yet
};

/// Makes a context the calling thread's current one for a scope.
class CudaContextGuard {
  public:
    explicit CudaContextGuard(CudaContext &context);
    ~CudaContextGuard();
    CudaContextGuard(const CudaContextGuard &) = delete;
    CudaContextGuard &operator=(const CudaContextGuard &) = delete;

    /// Whether the push succeeded.
    Status status() const { return status_; }

  private:
    CudaContext &context_;
    Status status_;
};

/// Collects the failures of releases on this thread while it lives: destructors cannot return them. The innermost counts.
class CudaReleaseScope {
  public:
    CudaReleaseScope();
    ~CudaReleaseScope();
    CudaReleaseScope(const CudaReleaseScope &) = delete;
    CudaReleaseScope &operator=(const CudaReleaseScope &) = delete;

    Status first_failure() const { return first_; }

  private:
    friend class CudaContext;
    CudaReleaseScope *outer_;
    Status first_;
};

} // namespace vmaf
