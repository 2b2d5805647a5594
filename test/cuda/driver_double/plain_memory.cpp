#include <cstdlib>
#include <cstring>

#include "cuda/driver_double/plain.h"
#include "cuda/driver_double/state.h"

// Device and pinned memory, fills and copies.

namespace driver_double {
namespace {

constexpr std::size_t kPitchAlignment = 512;
constexpr std::size_t kMostPinnedBytes = std::size_t{80} << 30;

unsigned char *memory_at(CUdeviceptr pointer)
{
    return reinterpret_cast<unsigned char *>(static_cast<std::uintptr_t>(pointer));
}

std::size_t free_bytes()
{
    const std::size_t in_use = objects().live_bytes(contexts().device_of(contexts().current()));
    const std::size_t all = current_device().bytes;
    return in_use < all ? all - in_use : 0;
}

CUresult memory_info(std::size_t *free, std::size_t *total)
{
    *free = free_bytes();
    *total = current_device().bytes;
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
    *memory = bytes < kMostPinnedBytes ? std::malloc(bytes) : nullptr;
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

} // namespace

void add_plain_memory(Backend &table)
{
    table.cuMemGetInfo_v2 = memory_info;
    table.cuMemAlloc_v2 = memory_allocate;
    table.cuMemAllocPitch_v2 = memory_allocate_pitch;
    table.cuMemFree_v2 = memory_free;
    table.cuMemHostAlloc = host_allocate;
    table.cuMemFreeHost = host_free;
    table.cuMemsetD8Async = fill;
    table.cuMemsetD2D8_v2 = fill_2d<unsigned char>;
    table.cuMemsetD2D16_v2 = fill_2d<unsigned short>;
    table.cuMemcpyHtoD_v2 = copy_to_device;
    table.cuMemcpyHtoDAsync_v2 = copy_to_device_async;
    table.cuMemcpyDtoH_v2 = copy_to_host;
    table.cuMemcpyDtoHAsync_v2 = copy_to_host_async;
    table.cuMemcpyDtoD_v2 = copy_on_device;
    table.cuMemcpyDtoDAsync_v2 = copy_on_device_async;
    table.cuMemcpy2D_v2 = copy_2d;
    table.cuMemcpy2DAsync_v2 = copy_2d_async;
}

} // namespace driver_double
