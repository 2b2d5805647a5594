#pragma once

#include <memory>
#include <mutex>

#include "cuda/handles.h"

namespace vmaf {

/// What the sessions of one CUDA context know of each other: whether the device still works for one
/// of them. Thread-safe.
class CudaLoad {
  public:
    /// That of the context, for all sessions of the process that use it. Throws std::bad_alloc.
    static std::shared_ptr<CudaLoad> of(CUcontext context);

    /// A batch was sent whose work `done` stands behind. The event lives until forget().
    void note(CUevent done);
    /// The batch came back, or never will.
    void forget(CUevent done);
    /// Whether the batch that was sent last is done.
    bool is_idle(CudaContext &context);

  private:
    std::mutex mutex_;
    CUevent last_ = nullptr; ///< null: it is done
};

} // namespace vmaf
