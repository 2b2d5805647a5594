#pragma once

#include <vector>

#include "cuda/handles.h"
#include "engine/cuda/scale_params.h"
#include "engine/plane_scaling.h"

namespace vmaf {

/// Launches kernels/scale/scale.cu: jobs are gathered and go out together.
class CudaScaler {
  public:
    /// Once for each scaling; add() does it if it was not done. The context is current. Throws
    /// std::bad_alloc, as add() does.
    Status load(const CudaContextPtr &context, const PlaneScaling &scaling);
    /// At most kMaxNormaliseJobs before they go out. `job` lacks its filters and sizes.
    Status add(const CudaContextPtr &context, const PlaneScaling &scaling, ScaleJob job);
    /// Queues what was gathered, all of that depth. The context is current.
    Status launch(const CudaContextPtr &context, unsigned bpc, CUstream stream);
    /// Forgets what was gathered.
    void clear() { count_ = 0; }

    /// The end: the device is idle.
    void close();

  private:
    /// The filters of a scaling in device memory.
    struct Tables {
        PlaneSize from, to;
        CudaDeviceMemory memory;
        CudaScaleFilter across, down;
    };

    Status load_module(const CudaContextPtr &context);
    const Tables *find(const PlaneScaling &scaling) const;

    CudaModule module_;
    struct Kernels {
        CUfunction across = nullptr, down = nullptr;
    } kernels_8bit_, kernels_16bit_;
    std::vector<Tables> tables_;
    ScaleParams params_{};
    unsigned count_ = 0;
};

} // namespace vmaf
