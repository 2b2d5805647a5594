#pragma once

#include <cstddef>

#include <ffnvcodec/dynlink_cuda.h>

// The driver's types of which nv-codec-headers 11.1 have none. Values: CUDA driver API reference.

using CuDriverGetVersion = CUresult CUDAAPI(int *version);
using CuDeviceTotalMem = CUresult CUDAAPI(std::size_t *bytes, CUdevice device);
using CuCtxSynchronize = CUresult CUDAAPI();
using CuCtxGetCurrent = CUresult CUDAAPI(CUcontext *context);
using CuMemGetInfo = CUresult CUDAAPI(std::size_t *free_bytes, std::size_t *total_bytes);
using CuStreamWaitEvent = CUresult CUDAAPI(CUstream stream, CUevent event, unsigned flags);
using CuMemHostAlloc = CUresult CUDAAPI(void **memory, std::size_t bytes, unsigned flags);
using CuMemFreeHost = CUresult CUDAAPI(void *memory);
using CuPointerGetAttribute = CUresult CUDAAPI(void *value, int attribute, CUdeviceptr pointer);
using CuFuncGetAttribute = CUresult CUDAAPI(int *value, int attribute, CUfunction function);
using CuFuncSetAttribute = CUresult CUDAAPI(CUfunction function, int attribute, int value);
using CuMemsetD2D8 = CUresult CUDAAPI(CUdeviceptr memory, std::size_t pitch, unsigned char value, std::size_t width,
                                      std::size_t height);
using CuMemsetD2D16 = CUresult CUDAAPI(CUdeviceptr memory, std::size_t pitch, unsigned short value, std::size_t width,
                                       std::size_t height);

namespace driver_double {

constexpr CUresult kSuccess = CUDA_SUCCESS;
constexpr CUresult kInvalidValue = static_cast<CUresult>(1);
constexpr CUresult kOutOfMemory = static_cast<CUresult>(2);
constexpr CUresult kNotInitialized = static_cast<CUresult>(3);
constexpr CUresult kNoDevice = static_cast<CUresult>(100);
constexpr CUresult kInvalidDevice = static_cast<CUresult>(101);
constexpr CUresult kInvalidContext = static_cast<CUresult>(201);
constexpr CUresult kInvalidHandle = static_cast<CUresult>(400);
constexpr CUresult kNotFound = static_cast<CUresult>(500);
constexpr CUresult kNotReady = CUDA_ERROR_NOT_READY;
constexpr CUresult kNotSupported = static_cast<CUresult>(801);

/// Symbol and type of every entry point that does something.
#define DRIVER_DOUBLE_ENTRY_POINTS(X)                                                                                  \
    X(cuInit, tcuInit)                                                                                                 \
    X(cuDriverGetVersion, CuDriverGetVersion)                                                                          \
    X(cuDeviceGetCount, tcuDeviceGetCount)                                                                             \
    X(cuDeviceGet, tcuDeviceGet)                                                                                       \
    X(cuDeviceGetName, tcuDeviceGetName)                                                                               \
    X(cuDeviceTotalMem_v2, CuDeviceTotalMem)                                                                           \
    X(cuDeviceComputeCapability, tcuDeviceComputeCapability)                                                           \
    X(cuDeviceGetAttribute, tcuDeviceGetAttribute)                                                                     \
    X(cuDevicePrimaryCtxSetFlags, tcuDevicePrimaryCtxSetFlags)                                                         \
    X(cuDevicePrimaryCtxGetState, tcuDevicePrimaryCtxGetState)                                                         \
    X(cuDevicePrimaryCtxRetain, tcuDevicePrimaryCtxRetain)                                                             \
    X(cuDevicePrimaryCtxRelease, tcuDevicePrimaryCtxRelease)                                                           \
    X(cuCtxCreate_v2, tcuCtxCreate_v2)                                                                                 \
    X(cuCtxDestroy_v2, tcuCtxDestroy_v2)                                                                               \
    X(cuCtxPushCurrent_v2, tcuCtxPushCurrent_v2)                                                                       \
    X(cuCtxPopCurrent_v2, tcuCtxPopCurrent_v2)                                                                         \
    X(cuCtxGetCurrent, CuCtxGetCurrent)                                                                                \
    X(cuCtxSynchronize, CuCtxSynchronize)                                                                              \
    X(cuCtxGetDevice, tcuCtxGetDevice)                                                                                 \
    X(cuGetErrorName, tcuGetErrorName)                                                                                 \
    X(cuGetErrorString, tcuGetErrorString)                                                                             \
    X(cuMemGetInfo_v2, CuMemGetInfo)                                                                                   \
    X(cuMemAlloc_v2, tcuMemAlloc_v2)                                                                                   \
    X(cuMemAllocPitch_v2, tcuMemAllocPitch_v2)                                                                         \
    X(cuMemFree_v2, tcuMemFree_v2)                                                                                     \
    X(cuMemHostAlloc, CuMemHostAlloc)                                                                                  \
    X(cuMemFreeHost, CuMemFreeHost)                                                                                    \
    X(cuPointerGetAttribute, CuPointerGetAttribute)                                                                    \
    X(cuMemsetD8Async, tcuMemsetD8Async)                                                                               \
    X(cuMemsetD2D8_v2, CuMemsetD2D8)                                                                                   \
    X(cuMemsetD2D16_v2, CuMemsetD2D16)                                                                                 \
    X(cuMemcpyHtoD_v2, tcuMemcpyHtoD_v2)                                                                               \
    X(cuMemcpyHtoDAsync_v2, tcuMemcpyHtoDAsync_v2)                                                                     \
    X(cuMemcpyDtoH_v2, tcuMemcpyDtoH_v2)                                                                               \
    X(cuMemcpyDtoHAsync_v2, tcuMemcpyDtoHAsync_v2)                                                                     \
    X(cuMemcpyDtoD_v2, tcuMemcpyDtoD_v2)                                                                               \
    X(cuMemcpyDtoDAsync_v2, tcuMemcpyDtoDAsync_v2)                                                                     \
    X(cuMemcpy2D_v2, tcuMemcpy2D_v2)                                                                                   \
    X(cuMemcpy2DAsync_v2, tcuMemcpy2DAsync_v2)                                                                         \
    X(cuStreamCreate, tcuStreamCreate)                                                                                 \
    X(cuStreamQuery, tcuStreamQuery)                                                                                   \
    X(cuStreamSynchronize, tcuStreamSynchronize)                                                                       \
    X(cuStreamWaitEvent, CuStreamWaitEvent)                                                                            \
    X(cuStreamDestroy_v2, tcuStreamDestroy_v2)                                                                         \
    X(cuEventCreate, tcuEventCreate)                                                                                   \
    X(cuEventRecord, tcuEventRecord)                                                                                   \
    X(cuEventQuery, tcuEventQuery)                                                                                     \
    X(cuEventSynchronize, tcuEventSynchronize)                                                                         \
    X(cuEventDestroy_v2, tcuEventDestroy_v2)                                                                           \
    X(cuModuleLoadData, tcuModuleLoadData)                                                                             \
    X(cuModuleGetFunction, tcuModuleGetFunction)                                                                       \
    X(cuModuleUnload, tcuModuleUnload)                                                                                 \
    X(cuFuncGetAttribute, CuFuncGetAttribute)                                                                          \
    X(cuFuncSetAttribute, CuFuncSetAttribute)                                                                          \
    X(cuLaunchKernel, tcuLaunchKernel)

/// Entry points that nv-codec-headers want to find in a driver, the last three on Windows, and
/// nobody here uses. The double counts calls of them and does not support them.
#define DRIVER_DOUBLE_UNSUPPORTED(X)                                                                                   \
    X(cuDevicePrimaryCtxReset)                                                                                         \
    X(cuCtxSetLimit)                                                                                                   \
    X(cuMemAllocManaged)                                                                                               \
    X(cuMemcpy)                                                                                                        \
    X(cuMemcpyAsync)                                                                                                   \
    X(cuStreamAddCallback)                                                                                             \
    X(cuLinkCreate)                                                                                                    \
    X(cuLinkAddData)                                                                                                   \
    X(cuLinkComplete)                                                                                                  \
    X(cuLinkDestroy)                                                                                                   \
    X(cuModuleGetGlobal)                                                                                               \
    X(cuTexObjectCreate)                                                                                               \
    X(cuTexObjectDestroy)                                                                                              \
    X(cuGLGetDevices_v2)                                                                                               \
    X(cuGraphicsGLRegisterImage)                                                                                       \
    X(cuGraphicsUnregisterResource)                                                                                    \
    X(cuGraphicsMapResources)                                                                                          \
    X(cuGraphicsUnmapResources)                                                                                        \
    X(cuGraphicsSubResourceGetMappedArray)                                                                             \
    X(cuGraphicsResourceGetMappedPointer_v2)                                                                           \
    X(cuArrayCreate_v2)                                                                                                \
    X(cuArray3DCreate_v2)                                                                                              \
    X(cuArrayDestroy)                                                                                                  \
    X(cuD3D11GetDevice)                                                                                                \
    X(cuD3D11GetDevices)                                                                                               \
    X(cuGraphicsD3D11RegisterResource)

/// What carries a call out once it is counted and checked: plain memory, or a real driver.
struct Backend {
#define FIELD(symbol, Type) Type *symbol;
    DRIVER_DOUBLE_ENTRY_POINTS(FIELD)
#undef FIELD
};

/// The one in use in this process.
const Backend &backend();
/// Whether that is a real driver.
bool forwarding();

} // namespace driver_double
