#pragma once

#include "cuda/handles.h"
#include "engine/cuda/normalise_params.h"

namespace vmaf {

/// Launches kernels/normalise/normalise.cu: jobs are gathered and go out together.
class CudaNormaliser {
  public:
    /// Once; launch() does it if it was not done. The context is current.
    Status load(const CudaContextPtr &context);
    /// At most kMaxNormaliseJobs before they go out.
    void add(const NormaliseJob &job) { params_.jobs[count_++] = job; }
    /// Queues what was gathered, all of that depth. The context is current.
    Status launch(const CudaContextPtr &context, unsigned bpc, CUstream stream);
    /// Forgets what was gathered.
    void clear() { count_ = 0; }

    /// The end: the device is idle.
    void close() { module_ = {}; }

  private:
    CudaModule module_;
    CUfunction kernel_8bit_ = nullptr, kernel_16bit_ = nullptr;
    NormaliseParams params_{};
    unsigned count_ = 0;
};

} // namespace vmaf
