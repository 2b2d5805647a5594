#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "cuda/driver_double/plain.h"
#include "cuda/driver_double/state.h"

// Device and pinned memory.

namespace driver_double {
namespace {

constexpr std::size_t kPitchAlignment = 512;
constexpr std::align_val_t kAlignment{kPitchAlignment};
constexpr std::size_t kMostFilledBytes = std::size_t{64} << 20;
constexpr std::size_t kMostPinnedBytes = std::size_t{80} << 30;

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
    void *memory = ::operator new(bytes, kAlignment, std::nothrow);
    if (memory == nullptr)
        return kOutOfMemory;
    // What was there before: nothing may depend on it. The pages of more than that are touched by
    // their users.
    std::memset(memory, 0xa7, std::min(bytes, kMostFilledBytes));
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
    ::operator delete(memory_at(pointer), kAlignment);
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

// Knows one attribute: the context to which device memory belongs.
CUresult pointer_attribute(void *value, int attribute, CUdeviceptr pointer)
{
    constexpr int kContext = 1; // CU_POINTER_ATTRIBUTE_CONTEXT
    if (attribute != kContext)
        return kNotSupported;
    const Handle block = objects().block_of(VMAF_DOUBLE_DEVICE_MEMORY, handle_of(pointer));
    if (block == 0)
        return kInvalidValue;
    *static_cast<CUcontext *>(value) = objects().context_of(VMAF_DOUBLE_DEVICE_MEMORY, block);
    return kSuccess;
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
    table.cuPointerGetAttribute = pointer_attribute;
}

} // namespace driver_double
