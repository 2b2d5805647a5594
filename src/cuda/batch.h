#pragma once

// Shared with device code: plain C++17.

#include "base/frame_of.h"

namespace vmaf {

/// One plane in device memory.
struct CudaPlane {
    const unsigned char *data; ///< null: not there
    long long stride_bytes;
};

#ifdef __CUDACC__
#define VMAF_HOST_AND_DEVICE __host__ __device__ __forceinline__
#else
#define VMAF_HOST_AND_DEVICE inline
#endif

/// Whether every row starts at a multiple of `bytes`, a power of two.
VMAF_HOST_AND_DEVICE bool rows_are_aligned(const CudaPlane &plane, unsigned bytes)
{
    return ((reinterpret_cast<unsigned long long>(plane.data) | static_cast<unsigned long long>(plane.stride_bytes)) &
            (bytes - 1)) == 0;
}

/// What the kernels of one feature know of one frame.
struct CudaFrame : FrameOf<CudaPlane> {
    void *sums = nullptr; ///< the feature's POD in device memory, zero before the first kernel
};
static_assert(sizeof(CudaFrame) == 304);

/// Frames that go through one launch of each kernel: blockIdx.z is the frame. Passed to kernels by value, with whatever else they take
/// in at most kMaxKernelParamBytes (the limit of every driver).
constexpr unsigned kMaxBatchFrames = 8;
constexpr unsigned kMaxKernelParamBytes = 4096;
struct CudaBatch {
    CudaFrame frames[kMaxBatchFrames];
    unsigned count = 0;
};

} // namespace vmaf
