#pragma once

// Shared with device code: plain C++17.

#include "base/frame_of.h"
#include "base/host_and_device.h"

namespace vmaf {

/// One plane in device memory.
struct CudaPlane {
    const unsigned char *data; ///< null: not there
    long long stride_bytes;
};

/// Whether every row starts at a multiple of `bytes`, a power of two.
VMAF_HOST_AND_DEVICE bool rows_are_aligned(const CudaPlane &plane, unsigned bytes)
{
    return ((reinterpret_cast<unsigned long long>(plane.data) | static_cast<unsigned long long>(plane.stride_bytes)) &
            (bytes - 1)) == 0;
}

/// One frame as a CUDA backend is given it.
struct CudaFrame : FrameOf<CudaPlane> {
    void *sums = nullptr; ///< the feature's POD in device memory, zero before the first kernel
};

/// Frames that go through one launch of each kernel: blockIdx.z is the frame.
constexpr unsigned kMaxBatchFrames = 8;
struct CudaBatch {
    CudaFrame frames[kMaxBatchFrames];
    unsigned count = 0;
};

/// What kernels that read no earlier frame know of a batch. Kernels get what they read by value, with their other arguments: every
/// launch copies it, and kMaxKernelParamBytes is the limit of every driver.
struct CudaPairFrame : PairOf<CudaPlane> {
    void *sums = nullptr;
};
struct CudaPairBatch {
    CudaPairFrame frames[kMaxBatchFrames];
    unsigned count = 0;
};
static_assert(sizeof(CudaPairBatch) == 840);
constexpr unsigned kMaxKernelParamBytes = 4096;

inline CudaPairBatch pairs_of(const CudaBatch &batch)
{
    CudaPairBatch pairs;
    for (; pairs.count < batch.count; ++pairs.count)
        pairs.frames[pairs.count] = {batch.frames[pairs.count], batch.frames[pairs.count].sums};
    return pairs;
}

} // namespace vmaf
