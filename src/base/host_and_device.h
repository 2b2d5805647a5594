#pragma once

// Shared with device code: plain C++17.

/// Marks a function that the host and kernels call.
#ifdef __CUDACC__
#define VMAF_HOST_AND_DEVICE __host__ __device__ __forceinline__
#else
#define VMAF_HOST_AND_DEVICE inline
#endif
