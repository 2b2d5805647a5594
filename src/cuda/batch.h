#pragma once

// Shared with device code: plain C++17.

#include "base/device_plane.h"
#include "base/host_and_device.h"
#include "base/pair_of.h"

namespace vmaf {

/// What kernels call a plane.
using CudaPlane = DevicePlane;

/// Whether every row starts at a multiple of `bytes`, a power of two.
VMAF_HOST_AND_DEVICE bool rows_are_aligned(const CudaPlane &plane, unsigned bytes)
{
    return ((reinterpret_cast<unsigned long long>(plane.data) | static_cast<unsigned long long>(plane.stride_bytes)) &
            (bytes - 1)) == 0;
}

/// Frames that go through one launch of each kernel: blockIdx.z is the frame.
constexpr unsigned kMaxBatchFrames = 8;

/// What kernels that read no earlier frame know of a batch. Kernels get what they read by value,
/// with their other arguments: every launch copies it, and kMaxKernelParamBytes is the limit of
/// every driver.
struct CudaPairFrame : PairOf<CudaPlane> {
    void *sums = nullptr; ///< the feature's POD in device memory, zero before the first kernel
};
struct CudaPairBatch {
    CudaPairFrame frames[kMaxBatchFrames];
    unsigned count = 0;
};
static_assert(sizeof(CudaPairBatch) == 840);
constexpr unsigned kMaxKernelParamBytes = 4096;

} // namespace vmaf
