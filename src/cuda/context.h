#pragma once

#include <atomic>
#include <memory>

#include "base/result.h"
#include "cuda/check.h"
#include "cuda/driver.h"

namespace vmaf {

/// Remembers the first release that failed where nobody could be told: destructors return nothing.
/// Thread-safe.
class CudaReleaseFailures {
  public:
    /// @return whether it is the first since the last take().
    bool note(Status failure)
    {
        int none = 0;
        return first_.compare_exchange_strong(none, failure.code());
    }
    Status take() { return Status::from_code(first_.exchange(0)); }

  private:
    std::atomic<int> first_{0}; ///< as Status::code()
};

/// A CUDA context in use: the client's, or the primary context of a device, which is retained for
/// as long as this lives. Everything made in it holds a shared_ptr to it.
class CudaContext {
  public:
    /// @param client_context used and never owned; null: the primary context of the device of that
    /// number.
    /// @return -ENODEV if there is no driver, no device, or one that the kernels were not built for
    /// (said at info level); -EINVAL if there is no device of that number.
    static Result<std::shared_ptr<CudaContext>> create(CUcontext client_context, int device_number = 0);
    ~CudaContext();
    CudaContext(const CudaContext &) = delete;
    CudaContext &operator=(const CudaContext &) = delete;

    const CudaDriver &driver() const { return driver_; }
    CUcontext get() const { return context_; }
    CUdevice device() const { return device_; }

    /// Takes note of a release that failed, or did not: see CHECK_CUDA_RELEASE.
    void note_release(CUresult result, const CudaCall &call);
    /// What was noted; outlives the context, whose own release may fail.
    const std::shared_ptr<CudaReleaseFailures> &release_failures() const { return release_failures_; }

  private:
    CudaContext(const CudaDriver &driver, CUcontext context, CUdevice device)
        : driver_(driver), context_(context), device_(device)
    {
    }

    /// Finds the device of a client's context; -ENODEV if the kernels were not built for it.
    Status find_clients_device();

    const CudaDriver &driver_;
    CUcontext context_;
    CUdevice device_;
    bool retained_ = false;
    std::shared_ptr<CudaReleaseFailures> release_failures_ = std::make_shared<CudaReleaseFailures>();
};

using CudaContextPtr = std::shared_ptr<CudaContext>;

/// Makes a context the calling thread's current one for a scope.
class CudaContextGuard {
  public:
    /// For releases the failure of a push is one of a release.
    enum class Purpose { work, release };

    explicit CudaContextGuard(CudaContext &context, Purpose purpose = Purpose::work);
    ~CudaContextGuard();
    CudaContextGuard(const CudaContextGuard &) = delete;
    CudaContextGuard &operator=(const CudaContextGuard &) = delete;

    /// Whether the push succeeded. Of a release always success: it is tried all the same (spec cuda
    /// 3).
    Status status() const { return status_; }

  private:
    CudaContext &context_;
    bool pushed_ = false;
    Status status_;
};

} // namespace vmaf
