#pragma once

#include <cstddef>

#include <ffnvcodec/dynlink_cuda.h>

#include "base/result.h"

namespace vmaf {

/// Entry points of the driver that the installed nv-codec-headers do not declare.
using CuStreamWaitEvent = CUresult CUDAAPI(CUstream stream, CUevent event, unsigned flags);
using CuMemHostAlloc = CUresult CUDAAPI(void **memory, size_t bytes, unsigned flags);
using CuMemFreeHost = CUresult CUDAAPI(void *memory);
using CuFuncGetAttribute = CUresult CUDAAPI(int *value, int attribute, CUfunction function);
using CuFuncSetAttribute = CUresult CUDAAPI(CUfunction function, int attribute, int value);
using CuPointerGetAttribute = CUresult CUDAAPI(void *value, int attribute, CUdeviceptr pointer);
using CuMemsetD2D16 = CUresult CUDAAPI(CUdeviceptr memory, size_t pitch, unsigned short value, size_t width,
                                       size_t height);
using CuMemsetD2D8 = CUresult CUDAAPI(CUdeviceptr memory, size_t pitch, unsigned char value, size_t width,
                                      size_t height);

/// Entry points in use: the name by which we call it, the symbol in the driver, its type.
#define VMAF_CUDA_ENTRY_POINTS(X)                                                                                      \
    X(cuInit, cuInit, tcuInit)                                                                                         \
    X(cuDeviceGetCount, cuDeviceGetCount, tcuDeviceGetCount)                                                           \
    X(cuDeviceGet, cuDeviceGet, tcuDeviceGet)                                                                          \
    X(cuDeviceComputeCapability, cuDeviceComputeCapability, tcuDeviceComputeCapability)                                \
    X(cuDeviceGetAttribute, cuDeviceGetAttribute, tcuDeviceGetAttribute)                                               \
    X(cuDevicePrimaryCtxRetain, cuDevicePrimaryCtxRetain, tcuDevicePrimaryCtxRetain)                                   \
    X(cuDevicePrimaryCtxRelease, cuDevicePrimaryCtxRelease, tcuDevicePrimaryCtxRelease)                                \
    X(cuCtxPushCurrent, cuCtxPushCurrent_v2, tcuCtxPushCurrent_v2)                                                     \
    X(cuCtxPopCurrent, cuCtxPopCurrent_v2, tcuCtxPopCurrent_v2)                                                        \
    X(cuCtxGetDevice, cuCtxGetDevice, tcuCtxGetDevice)                                                                 \
    X(cuGetErrorName, cuGetErrorName, tcuGetErrorName)                                                                 \
    X(cuMemAlloc, cuMemAlloc_v2, tcuMemAlloc_v2)                                                                       \
    X(cuMemFree, cuMemFree_v2, tcuMemFree_v2)                                                                          \
    X(cuMemHostAlloc, cuMemHostAlloc, CuMemHostAlloc)                                                                  \
    X(cuMemFreeHost, cuMemFreeHost, CuMemFreeHost)                                                                     \
    X(cuMemsetD8Async, cuMemsetD8Async, tcuMemsetD8Async)                                                              \
    X(cuMemsetD2D8, cuMemsetD2D8_v2, CuMemsetD2D8)                                                                     \
    X(cuMemsetD2D16, cuMemsetD2D16_v2, CuMemsetD2D16)                                                                  \
    X(cuMemcpyDtoHAsync, cuMemcpyDtoHAsync_v2, tcuMemcpyDtoHAsync_v2)                                                  \
    X(cuMemcpyHtoDAsync, cuMemcpyHtoDAsync_v2, tcuMemcpyHtoDAsync_v2)                                                  \
    X(cuMemcpy2DAsync, cuMemcpy2DAsync_v2, tcuMemcpy2DAsync_v2)                                                        \
    X(cuPointerGetAttribute, cuPointerGetAttribute, CuPointerGetAttribute)                                             \
    X(cuStreamCreate, cuStreamCreate, tcuStreamCreate)                                                                 \
    X(cuStreamSynchronize, cuStreamSynchronize, tcuStreamSynchronize)                                                  \
    X(cuStreamWaitEvent, cuStreamWaitEvent, CuStreamWaitEvent)                                                         \
    X(cuStreamDestroy, cuStreamDestroy_v2, tcuStreamDestroy_v2)                                                        \
    X(cuEventCreate, cuEventCreate, tcuEventCreate)                                                                    \
    X(cuEventDestroy, cuEventDestroy_v2, tcuEventDestroy_v2)                                                           \
    X(cuEventQuery, cuEventQuery, tcuEventQuery)                                                                       \
    X(cuEventSynchronize, cuEventSynchronize, tcuEventSynchronize)                                                     \
    X(cuEventRecord, cuEventRecord, tcuEventRecord)                                                                    \
    X(cuLaunchKernel, cuLaunchKernel, tcuLaunchKernel)                                                                 \
    X(cuFuncGetAttribute, cuFuncGetAttribute, CuFuncGetAttribute)                                                      \
    X(cuFuncSetAttribute, cuFuncSetAttribute, CuFuncSetAttribute)                                                      \
    X(cuModuleLoadData, cuModuleLoadData, tcuModuleLoadData)                                                           \
    X(cuModuleUnload, cuModuleUnload, tcuModuleUnload)                                                                 \
    X(cuModuleGetFunction, cuModuleGetFunction, tcuModuleGetFunction)

/// The driver, opened at run time: the one place that knows libcuda.
struct CudaDriver {
    /// Opened at the first call in the process and kept for its life; a failed attempt is repeated
    /// by the next call.
    /// @return -ENODEV without a driver library (said at info level), -ENOSYS without one of the
    /// entry points.
    static Result<const CudaDriver *> get();

#define VMAF_CUDA_ENTRY_POINT(name, symbol, Type) Type *name;
    VMAF_CUDA_ENTRY_POINTS(VMAF_CUDA_ENTRY_POINT)
#undef VMAF_CUDA_ENTRY_POINT
};

} // namespace vmaf
