#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "cuda/driver_double/state.h"

// One device with compute capability 9.0, its memory from malloc, so that sanitizers watch it. Arguments were checked by the caller as
// far as they name objects.

namespace driver_double {
namespace {

constexpr std::size_t kDeviceBytes = std::size_t{80} << 30;
constexpr std::size_t kPitchAlignment = 512;
constexpr unsigned kMostThreads = 1024;
constexpr unsigned kMostGridRows = 65535;
constexpr unsigned kMostSharedBytes = 227 * 1024;
constexpr int kMultiprocessors = 132;
constexpr int kArchitecture = 90;

/// Handles name nothing in memory and are used once, so that no released one becomes valid again.
template <class T> T new_handle()
{
    static std::atomic<std::uintptr_t> next{0x10000};
    return reinterpret_cast<T>(next.fetch_add(16));
}

unsigned char *memory_at(CUdeviceptr pointer)
{
    return reinterpret_cast<unsigned char *>(static_cast<std::uintptr_t>(pointer));
}

CUresult init(unsigned)
{
    return kSuccess;
}

CUresult device_get_count(int *count)
{
    *count = 1;
    return kSuccess;
}

CUresult device_get(CUdevice *device, int ordinal)
{
    *device = 0;
    return ordinal == 0 ? kSuccess : kInvalidDevice;
}

CUresult device_get_name(char *name, int bytes, CUdevice device)
{
    std::snprintf(name, static_cast<std::size_t>(bytes), "driver double");
    return device == 0 ? kSuccess : kInvalidDevice;
}

CUresult device_compute_capability(int *major, int *minor, CUdevice device)
{
    *major = 9;
    *minor = 0;
    return device == 0 ? kSuccess : kInvalidDevice;
}

CUresult device_attribute(int *value, CUdevice_attribute attribute, CUdevice device)
{
    constexpr int kMaxSharedOptin = 97; // no name in nv-codec-headers
    switch (static_cast<int>(attribute)) {
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
        *value = kMultiprocessors;
        break;
    case kMaxSharedOptin:
        *value = kMostSharedBytes;
        break;
    default:
        return kNotSupported;
    }
    return device == 0 ? kSuccess : kInvalidDevice;
}

CUresult primary_retain(CUcontext *context, CUdevice device)
{
    if (device != 0)
        return kInvalidDevice;
    *context = objects().primary(device);
    if (*context == nullptr)
        *context = new_handle<CUcontext>();
    return kSuccess;
}

CUresult primary_release(CUdevice)
{
    return kSuccess;
}

CUresult context_create(CUcontext *context, unsigned, CUdevice device)
{
    *context = new_handle<CUcontext>();
    return device == 0 ? kSuccess : kInvalidDevice;
}

CUresult context_destroy(CUcontext)
{
    return kSuccess;
}

CUresult context_push(CUcontext)
{
    return kSuccess;
}

CUresult context_pop(CUcontext *)
{
    return kSuccess;
}

CUresult context_get_current(CUcontext *context)
{
    *context = objects().current();
    return kSuccess;
}

CUresult context_get_device(CUdevice *device)
{
    *device = 0;
    return kSuccess;
}

CUresult error_name(CUresult error, const char **name)
{
    struct Name {
        int value;
        const char *text;
    };
    static constexpr Name kNames[] = {
        {0, "CUDA_SUCCESS"},
        {1, "CUDA_ERROR_INVALID_VALUE"},
        {2, "CUDA_ERROR_OUT_OF_MEMORY"},
        {3, "CUDA_ERROR_NOT_INITIALIZED"},
        {4, "CUDA_ERROR_DEINITIALIZED"},
        {34, "CUDA_ERROR_STUB_LIBRARY"},
        {100, "CUDA_ERROR_NO_DEVICE"},
        {101, "CUDA_ERROR_INVALID_DEVICE"},
        {201, "CUDA_ERROR_INVALID_CONTEXT"},
        {400, "CUDA_ERROR_INVALID_HANDLE"},
        {500, "CUDA_ERROR_NOT_FOUND"},
        {600, "CUDA_ERROR_NOT_READY"},
        {700, "CUDA_ERROR_ILLEGAL_ADDRESS"},
        {801, "CUDA_ERROR_NOT_SUPPORTED"},
        {999, "CUDA_ERROR_UNKNOWN"},
    };
    *name = nullptr;
    for (const Name &known : kNames)
        if (known.value == static_cast<int>(error))
            *name = known.text;
    return *name != nullptr ? kSuccess : kInvalidValue;
}

std::size_t free_bytes()
{
    const std::size_t in_use = objects().live_bytes();
    return in_use < kDeviceBytes ? kDeviceBytes - in_use : 0;
}

CUresult memory_info(std::size_t *free, std::size_t *total)
{
    *free = free_bytes();
    *total = kDeviceBytes;
    return kSuccess;
}

CUresult memory_allocate(CUdeviceptr *pointer, std::size_t bytes)
{
    if (bytes == 0)
        return kInvalidValue;
    if (bytes > free_bytes())
        return kOutOfMemory;
    void *memory = nullptr;
    if (posix_memalign(&memory, kPitchAlignment, bytes) != 0)
        return kOutOfMemory;
    *pointer = static_cast<CUdeviceptr>(reinterpret_cast<std::uintptr_t>(memory));
    return kSuccess;
}

CUresult memory_allocate_pitch(CUdeviceptr *pointer, std::size_t *pitch, std::size_t width, std::size_t height,
                               unsigned)
{
    if (width == 0 || height == 0)
        return kInvalidValue;
    *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
    return memory_allocate(pointer, *pitch * height);
}

CUresult memory_free(CUdeviceptr pointer)
{
    std::free(memory_at(pointer));
    return kSuccess;
}

CUresult host_allocate(void **memory, std::size_t bytes, unsigned)
{
    if (bytes == 0)
        return kInvalidValue;
    *memory = bytes < kDeviceBytes ? std::malloc(bytes) : nullptr;
    return *memory != nullptr ? kSuccess : kOutOfMemory;
}

CUresult host_free(void *memory)
{
    std::free(memory);
    return kSuccess;
}

CUresult fill(CUdeviceptr pointer, unsigned char value, std::size_t bytes, CUstream)
{
    std::memset(memory_at(pointer), value, bytes);
    return kSuccess;
}

template <class Sample>
CUresult fill_2d(CUdeviceptr pointer, std::size_t pitch, Sample value, std::size_t width, std::size_t height)
{
    for (std::size_t y = 0; y < height; ++y)
        for (std::size_t x = 0; x < width; ++x)
            std::memcpy(memory_at(pointer) + y * pitch + x * sizeof(Sample), &value, sizeof(Sample));
    return kSuccess;
}

CUresult copy_to_device_async(CUdeviceptr to, const void *from, std::size_t bytes, CUstream)
{
    std::memcpy(memory_at(to), from, bytes);
    return kSuccess;
}

CUresult copy_to_device(CUdeviceptr to, const void *from, std::size_t bytes)
{
    return copy_to_device_async(to, from, bytes, nullptr);
}

CUresult copy_to_host_async(void *to, CUdeviceptr from, std::size_t bytes, CUstream)
{
    std::memcpy(to, memory_at(from), bytes);
    return kSuccess;
}

CUresult copy_to_host(void *to, CUdeviceptr from, std::size_t bytes)
{
    return copy_to_host_async(to, from, bytes, nullptr);
}

CUresult copy_on_device_async(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream)
{
    std::memmove(memory_at(to), memory_at(from), bytes);
    return kSuccess;
}

CUresult copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes)
{
    return copy_on_device_async(to, from, bytes, nullptr);
}

CUresult copy_2d_async(const CUDA_MEMCPY2D *copy, CUstream)
{
    const auto *from = copy->srcMemoryType == CU_MEMORYTYPE_HOST ? static_cast<const unsigned char *>(copy->srcHost)
                                                                 : memory_at(copy->srcDevice);
    auto *to = copy->dstMemoryType == CU_MEMORYTYPE_HOST ? static_cast<unsigned char *>(copy->dstHost)
                                                         : memory_at(copy->dstDevice);
    from += copy->srcY * copy->srcPitch + copy->srcXInBytes;
    to += copy->dstY * copy->dstPitch + copy->dstXInBytes;
    for (std::size_t y = 0; y < copy->Height; ++y)
        std::memcpy(to + y * copy->dstPitch, from + y * copy->srcPitch, copy->WidthInBytes);
    return kSuccess;
}

CUresult copy_2d(const CUDA_MEMCPY2D *copy)
{
    return copy_2d_async(copy, nullptr);
}

template <class T> CUresult create(T *handle, unsigned)
{
    *handle = new_handle<T>();
    return kSuccess;
}

template <class T> CUresult nothing(T)
{
    return kSuccess;
}

CUresult stream_wait(CUstream, CUevent, unsigned)
{
    return kSuccess;
}

CUresult event_record(CUevent, CUstream)
{
    return kSuccess;
}

CUresult module_load(CUmodule *module, const void *image)
{
    *module = new_handle<CUmodule>();
    return image != nullptr ? kSuccess : kInvalidValue;
}

CUresult module_function(CUfunction *function, CUmodule, const char *name)
{
    *function = new_handle<CUfunction>();
    return name != nullptr && *name != '\0' ? kSuccess : kNotFound;
}

CUresult get_function_attribute(int *value, int attribute, CUfunction)
{
    constexpr int kPtxVersion = 5;
    *value = kArchitecture;
    return attribute == kPtxVersion ? kSuccess : kNotSupported;
}

CUresult set_function_attribute(CUfunction, int, int)
{
    return kSuccess;
}

CUresult launch(CUfunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,
                unsigned block_z, unsigned shared_bytes, CUstream, void **params, void **extra)
{
    const bool grid_fits = grid_x > 0 && grid_y > 0 && grid_z > 0 && grid_y <= kMostGridRows && grid_z <= kMostGridRows;
    const unsigned long threads = static_cast<unsigned long>(block_x) * block_y * block_z;
    const bool block_fits = threads > 0 && threads <= kMostThreads;
    const bool has_arguments = params != nullptr || extra != nullptr;
    return grid_fits && block_fits && has_arguments && shared_bytes <= kMostSharedBytes ? kSuccess : kInvalidValue;
}

} // namespace

const Backend kPlainBackend{
    .cuInit = init,
    .cuDeviceGetCount = device_get_count,
    .cuDeviceGet = device_get,
    .cuDeviceGetName = device_get_name,
    .cuDeviceComputeCapability = device_compute_capability,
    .cuDeviceGetAttribute = device_attribute,
    .cuDevicePrimaryCtxRetain = primary_retain,
    .cuDevicePrimaryCtxRelease = primary_release,
    .cuCtxCreate_v2 = context_create,
    .cuCtxDestroy_v2 = context_destroy,
    .cuCtxPushCurrent_v2 = context_push,
    .cuCtxPopCurrent_v2 = context_pop,
    .cuCtxGetCurrent = context_get_current,
    .cuCtxGetDevice = context_get_device,
    .cuGetErrorName = error_name,
    .cuGetErrorString = error_name,
    .cuMemGetInfo_v2 = memory_info,
    .cuMemAlloc_v2 = memory_allocate,
    .cuMemAllocPitch_v2 = memory_allocate_pitch,
    .cuMemFree_v2 = memory_free,
    .cuMemHostAlloc = host_allocate,
    .cuMemFreeHost = host_free,
    .cuMemsetD8Async = fill,
    .cuMemsetD2D8_v2 = fill_2d<unsigned char>,
    .cuMemsetD2D16_v2 = fill_2d<unsigned short>,
    .cuMemcpyHtoD_v2 = copy_to_device,
    .cuMemcpyHtoDAsync_v2 = copy_to_device_async,
    .cuMemcpyDtoH_v2 = copy_to_host,
    .cuMemcpyDtoHAsync_v2 = copy_to_host_async,
    .cuMemcpyDtoD_v2 = copy_on_device,
    .cuMemcpyDtoDAsync_v2 = copy_on_device_async,
    .cuMemcpy2D_v2 = copy_2d,
    .cuMemcpy2DAsync_v2 = copy_2d_async,
    .cuStreamCreate = create<CUstream>,
    .cuStreamQuery = nothing<CUstream>,
    .cuStreamSynchronize = nothing<CUstream>,
    .cuStreamWaitEvent = stream_wait,
    .cuStreamDestroy_v2 = nothing<CUstream>,
    .cuEventCreate = create<CUevent>,
    .cuEventRecord = event_record,
    .cuEventQuery = nothing<CUevent>,
    .cuEventSynchronize = nothing<CUevent>,
    .cuEventDestroy_v2 = nothing<CUevent>,
    .cuModuleLoadData = module_load,
    .cuModuleGetFunction = module_function,
    .cuModuleUnload = nothing<CUmodule>,
    .cuFuncGetAttribute = get_function_attribute,
    .cuFuncSetAttribute = set_function_attribute,
    .cuLaunchKernel = launch,
};

} // namespace driver_double
