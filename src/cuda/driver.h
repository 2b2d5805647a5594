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
using CuMemsetD2D16 = CUresult CUDAAPI(CUdeviceptr memory, size_t pitch, unsigned short value, size_t width,
                                       size_t height);
using CuMemsetD2D8 = CUresult CUDAAPI(CUdeviceptr memory, size_t pitch, unsigned char value, size_t width,
                                      size_t height);

/// The driver's entry points in use, opened at run time: the one place that knows libcuda.
struct CudaDriver {
    /// Opened at the first call in the process and kept for its life; a failed attempt is repeated by the next call.
    /// @return -ENODEV without a driver library (said at info level), -ENOSYS without a required entry point.
    static Result<const CudaDriver *> get();

    tcuInit *cuInit;
    tcuDeviceGetCount *cuDeviceGetCount;
    tcuDeviceGet *cuDeviceGet;
    tcuDeviceComputeCapability *cuDeviceComputeCapability;
    tcuDeviceGetAttribute *cuDeviceGetAttribute;
    tcuDevicePrimaryCtxRetain *cuDevicePrimaryCtxRetain;
    tcuDevicePrimaryCtxRelease *cuDevicePrimaryCtxRelease;
    tcuCtxPushCurrent_v2 *cuCtxPushCurrent;
    tcuCtxPopCurrent_v2 *cuCtxPopCurrent;
    tcuCtxGetDevice *cuCtxGetDevice;
    tcuGetErrorName *cuGetErrorName;
    tcuMemAlloc_v2 *cuMemAlloc;
    tcuMemFree_v2 *cuMemFree;
    tcuMemsetD8Async *cuMemsetD8Async;
    tcuMemcpyDtoHAsync_v2 *cuMemcpyDtoHAsync;
    tcuMemcpyHtoDAsync_v2 *cuMemcpyHtoDAsync;
    tcuMemcpy2DAsync_v2 *cuMemcpy2DAsync;
    tcuStreamCreate *cuStreamCreate;
    tcuStreamSynchronize *cuStreamSynchronize;
    tcuStreamDestroy_v2 *cuStreamDestroy;
    tcuEventCreate *cuEventCreate;
    tcuEventDestroy_v2 *cuEventDestroy;
    tcuEventQuery *cuEventQuery;
    tcuEventSynchronize *cuEventSynchronize;
    tcuEventRecord *cuEventRecord;
    tcuLaunchKernel *cuLaunchKernel;
    tcuModuleLoadData *cuModuleLoadData;
    tcuModuleUnload *cuModuleUnload;
    tcuModuleGetFunction *cuModuleGetFunction;

    CuStreamWaitEvent *cuStreamWaitEvent;
    CuMemHostAlloc *cuMemHostAlloc;
    CuMemFreeHost *cuMemFreeHost;
    CuFuncGetAttribute *cuFuncGetAttribute;
    CuFuncSetAttribute *cuFuncSetAttribute;
    CuMemsetD2D8 *cuMemsetD2D8;
    CuMemsetD2D16 *cuMemsetD2D16;
};

} // namespace vmaf
