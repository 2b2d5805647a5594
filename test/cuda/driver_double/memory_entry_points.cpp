#include "cuda/driver_double/entry.h"

// Device and pinned memory, fills and copies.

using namespace driver_double;

namespace {

/// Checks the stream that the work is queued on and the device memory that it uses.
CUresult check_memory(const char *name, CUdeviceptr start, std::size_t bytes, CUstream stream)
{
    if (const CUresult error = check_stream(name, stream); error != kSuccess)
        return error;
    return objects().check_range(name, handle_of(start), bytes) ? kSuccess : kInvalidValue;
}

CUresult check_copy_on_device(const char *name, CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    const CUresult error = check_memory(name, from, bytes, stream);
    return error != kSuccess ? error : check_memory(name, to, bytes, stream);
}

CUresult check_rows(const char *name, CUdeviceptr start, std::size_t pitch, std::size_t row_bytes, std::size_t rows,
                    CUstream stream)
{
    if (row_bytes > pitch && rows > 1)
        return kInvalidValue;
    return check_memory(name, start, rows == 0 ? 0 : (rows - 1) * pitch + row_bytes, stream);
}

CUresult check_copy_2d(const char *name, const CUDA_MEMCPY2D &copy, CUstream stream)
{
    if (const CUresult error = check_stream(name, stream); error != kSuccess)
        return error;
    const auto check_end = [&](CUmemorytype type, CUdeviceptr start, std::size_t pitch, std::size_t x, std::size_t y) {
        if (type == CU_MEMORYTYPE_HOST)
            return copy.WidthInBytes + x > pitch && copy.Height > 1 ? kInvalidValue : kSuccess;
        if (type != CU_MEMORYTYPE_DEVICE)
            return kInvalidValue;
        return check_rows(name, start + y * pitch + x, pitch, copy.WidthInBytes, copy.Height, stream);
    };
    if (const CUresult error =
            check_end(copy.srcMemoryType, copy.srcDevice, copy.srcPitch, copy.srcXInBytes, copy.srcY);
        error != kSuccess)
        return error;
    return check_end(copy.dstMemoryType, copy.dstDevice, copy.dstPitch, copy.dstXInBytes, copy.dstY);
}

} // namespace

EXPORTED CUresult cuMemGetInfo_v2(std::size_t *free_bytes, std::size_t *total_bytes)
{
    return use("cuMemGetInfo_v2", has_context, [&] { return backend().cuMemGetInfo_v2(free_bytes, total_bytes); });
}

EXPORTED CUresult cuMemAlloc_v2(CUdeviceptr *pointer, std::size_t bytes)
{
    return create(
        "cuMemAlloc_v2", VMAF_DOUBLE_DEVICE_MEMORY, pointer, [&] { return backend().cuMemAlloc_v2(pointer, bytes); },
        bytes);
}

EXPORTED CUresult cuMemAllocPitch_v2(CUdeviceptr *pointer, std::size_t *pitch, std::size_t width, std::size_t height,
                                     unsigned element_bytes)
{
    std::size_t bytes = 0;
    return create(
        "cuMemAllocPitch_v2", VMAF_DOUBLE_DEVICE_MEMORY, pointer,
        [&] {
            const CUresult result = backend().cuMemAllocPitch_v2(pointer, pitch, width, height, element_bytes);
            bytes = *pitch * height;
            return result;
        },
        bytes);
}

EXPORTED CUresult cuMemFree_v2(CUdeviceptr pointer)
{
    return release("cuMemFree_v2", VMAF_DOUBLE_DEVICE_MEMORY, pointer, kInvalidValue,
                   [&] { return backend().cuMemFree_v2(pointer); });
}

EXPORTED CUresult cuMemHostAlloc(void **memory, std::size_t bytes, unsigned flags)
{
    return create(
        "cuMemHostAlloc", VMAF_DOUBLE_PINNED_MEMORY, memory,
        [&] { return backend().cuMemHostAlloc(memory, bytes, flags); }, bytes);
}

EXPORTED CUresult cuMemFreeHost(void *memory)
{
    return release("cuMemFreeHost", VMAF_DOUBLE_PINNED_MEMORY, memory, kInvalidValue,
                   [&] { return backend().cuMemFreeHost(memory); });
}

EXPORTED CUresult cuPointerGetAttribute(void *value, int attribute, CUdeviceptr pointer)
{
    return use("cuPointerGetAttribute", has_context,
               [&] { return backend().cuPointerGetAttribute(value, attribute, pointer); });
}

EXPORTED CUresult cuMemsetD8Async(CUdeviceptr pointer, unsigned char value, std::size_t bytes, CUstream stream)
{
    return use(
        "cuMemsetD8Async", [&] { return check_memory("cuMemsetD8Async", pointer, bytes, stream); },
        [&] { return backend().cuMemsetD8Async(pointer, value, bytes, stream); });
}

EXPORTED CUresult cuMemsetD2D8_v2(CUdeviceptr pointer, std::size_t pitch, unsigned char value, std::size_t width,
                                  std::size_t height)
{
    return use(
        "cuMemsetD2D8_v2", [&] { return check_rows("cuMemsetD2D8_v2", pointer, pitch, width, height, nullptr); },
        [&] { return backend().cuMemsetD2D8_v2(pointer, pitch, value, width, height); });
}

EXPORTED CUresult cuMemsetD2D16_v2(CUdeviceptr pointer, std::size_t pitch, unsigned short value, std::size_t width,
                                   std::size_t height)
{
    return use(
        "cuMemsetD2D16_v2", [&] { return check_rows("cuMemsetD2D16_v2", pointer, pitch, 2 * width, height, nullptr); },
        [&] { return backend().cuMemsetD2D16_v2(pointer, pitch, value, width, height); });
}

EXPORTED CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, std::size_t bytes)
{
    return use(
        "cuMemcpyHtoD_v2", [&] { return check_memory("cuMemcpyHtoD_v2", to, bytes, nullptr); },
        [&] { return backend().cuMemcpyHtoD_v2(to, from, bytes); });
}

EXPORTED CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr to, const void *from, std::size_t bytes, CUstream stream)
{
    return use(
        "cuMemcpyHtoDAsync_v2", [&] { return check_memory("cuMemcpyHtoDAsync_v2", to, bytes, stream); },
        [&] { return backend().cuMemcpyHtoDAsync_v2(to, from, bytes, stream); });
}

EXPORTED CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, std::size_t bytes)
{
    return use(
        "cuMemcpyDtoH_v2", [&] { return check_memory("cuMemcpyDtoH_v2", from, bytes, nullptr); },
        [&] { return backend().cuMemcpyDtoH_v2(to, from, bytes); });
}

EXPORTED CUresult cuMemcpyDtoHAsync_v2(void *to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    return use(
        "cuMemcpyDtoHAsync_v2", [&] { return check_memory("cuMemcpyDtoHAsync_v2", from, bytes, stream); },
        [&] { return backend().cuMemcpyDtoHAsync_v2(to, from, bytes, stream); });
}

EXPORTED CUresult cuMemcpyDtoD_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes)
{
    return use(
        "cuMemcpyDtoD_v2", [&] { return check_copy_on_device("cuMemcpyDtoD_v2", to, from, bytes, nullptr); },
        [&] { return backend().cuMemcpyDtoD_v2(to, from, bytes); });
}

EXPORTED CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    return use(
        "cuMemcpyDtoDAsync_v2", [&] { return check_copy_on_device("cuMemcpyDtoDAsync_v2", to, from, bytes, stream); },
        [&] { return backend().cuMemcpyDtoDAsync_v2(to, from, bytes, stream); });
}

EXPORTED CUresult cuMemcpy2D_v2(const CUDA_MEMCPY2D *copy)
{
    return use(
        "cuMemcpy2D_v2", [&] { return check_copy_2d("cuMemcpy2D_v2", *copy, nullptr); },
        [&] { return backend().cuMemcpy2D_v2(copy); });
}

EXPORTED CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *copy, CUstream stream)
{
    return use(
        "cuMemcpy2DAsync_v2", [&] { return check_copy_2d("cuMemcpy2DAsync_v2", *copy, stream); },
        [&] { return backend().cuMemcpy2DAsync_v2(copy, stream); });
}
