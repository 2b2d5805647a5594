#pragma once

#include "base/frame_of.h"
#include "cuda/batch.h"

namespace vmaf {

/// One frame as a CUDA backend is given it.
struct CudaFrame : FrameOf<CudaPlane> {
    void *sums = nullptr; ///< as in CudaPairFrame
};

/// Frames that go through the kernels together.
struct CudaBatch {
    CudaFrame frames[kMaxBatchFrames];
    unsigned count = 0;
};

inline CudaPairBatch pairs_of(const CudaBatch &batch)
{
    CudaPairBatch pairs;
    for (; pairs.count < batch.count; ++pairs.count)
        pairs.frames[pairs.count] = {batch.frames[pairs.count], batch.frames[pairs.count].sums};
    return pairs;
}

} // namespace vmaf
