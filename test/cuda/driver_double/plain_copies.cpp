#include <cstring>
#include <memory>
#include <string>

#include "cuda/driver_double/plain.h"
#include "cuda/driver_double/state.h"

// Fills and copies. They are queued; control.h says when their source is read.

namespace driver_double {
namespace {

enum class Side { device, host };
/// Whether the client's call is one of those without a stream.
enum class Call { asynchronous, synchronous };

/// One end of a copy.
struct Rows {
    unsigned char *first;
    std::size_t pitch;
    Side side;
};

Rows device_rows(CUdeviceptr memory, std::size_t pitch)
{
    return {memory_at(memory), pitch, Side::device};
}

Rows device_bytes(CUdeviceptr memory)
{
    return device_rows(memory, 0);
}

// Takes const memory, too. Callers only read such memory.
Rows host_bytes(const void *memory)
{
    return {static_cast<unsigned char *>(const_cast<void *>(memory)), 0, Side::host};
}

void copy_rows(Rows to, Rows from, std::size_t width, std::size_t height)
{
    for (std::size_t y = 0; y < height && width > 0; ++y)
        std::memmove(to.first + y * to.pitch, from.first + y * from.pitch, width);
}

/// The allocation that must outlive the copy, for one end. Pageable memory is in no known
/// allocation.
std::vector<ObjectUse> uses_of(Rows rows, std::size_t width, std::size_t height, bool is_written)
{
    const auto kind = rows.side == Side::device ? VMAF_DOUBLE_DEVICE_MEMORY : VMAF_DOUBLE_PINNED_MEMORY;
    const Handle first = handle_of(rows.first), block = objects().block_of(kind, first);
    const std::size_t bytes = height > 0 ? (height - 1) * rows.pitch + width : 0;
    return block != 0 ? std::vector<ObjectUse>{{kind, block, first, bytes, is_written}} : std::vector<ObjectUse>{};
}

CUresult copy(const char *name, Rows to, Rows from, std::size_t width, std::size_t height, CUstream stream, Call call)
{
    std::vector<ObjectUse> uses = uses_of(to, width, height, true);
    const std::vector<ObjectUse> source = uses_of(from, width, height, false);
    const bool to_pageable = to.side == Side::host && uses.empty();
    const bool from_pageable = from.side == Side::host && source.empty();
    uses.insert(uses.end(), source.begin(), source.end());

    Work work{VMAF_DOUBLE_COPY, name, width * height, std::move(uses)};
    work.unaware = call == Call::synchronous;
    const bool later = !timeline().at_once();
    const bool staged =
        from.side == Side::host && (call == Call::synchronous || (from_pageable && !timeline().reads_pageable_late()));
    if (later && staged) {
        const auto copied = std::make_shared<std::vector<unsigned char>>(width * height);
        copy_rows({copied->data(), width, Side::host}, from, width, height);
        work.run = [=] { copy_rows(to, {copied->data(), width, Side::host}, width, height); };
    } else {
        work.run = [=] { copy_rows(to, from, width, height); };
    }
    if (later && to_pageable && call == Call::asynchronous)
        waits().add(name, "into pageable memory");
    timeline().queue(stream, std::move(work));
    if (call == Call::synchronous && to.side == Side::host)
        timeline().synchronise(name, stream);
    return kSuccess;
}

CUresult copy_to_device_async(CUdeviceptr to, const void *from, std::size_t bytes, CUstream stream)
{
    return copy("cuMemcpyHtoDAsync_v2", device_bytes(to), host_bytes(from), bytes, 1, stream, Call::asynchronous);
}

CUresult copy_to_device(CUdeviceptr to, const void *from, std::size_t bytes)
{
    return copy("cuMemcpyHtoD_v2", device_bytes(to), host_bytes(from), bytes, 1, nullptr, Call::synchronous);
}

CUresult copy_to_host_async(void *to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    return copy("cuMemcpyDtoHAsync_v2", host_bytes(to), device_bytes(from), bytes, 1, stream, Call::asynchronous);
}

CUresult copy_to_host(void *to, CUdeviceptr from, std::size_t bytes)
{
    return copy("cuMemcpyDtoH_v2", host_bytes(to), device_bytes(from), bytes, 1, nullptr, Call::synchronous);
}

CUresult copy_on_device_async(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream stream)
{
    return copy("cuMemcpyDtoDAsync_v2", device_bytes(to), device_bytes(from), bytes, 1, stream, Call::asynchronous);
}

CUresult copy_on_device(CUdeviceptr to, CUdeviceptr from, std::size_t bytes)
{
    return copy("cuMemcpyDtoD_v2", device_bytes(to), device_bytes(from), bytes, 1, nullptr, Call::synchronous);
}

CUresult copy_rectangle(const char *name, const CUDA_MEMCPY2D &what, CUstream stream, Call call)
{
    Rows from = what.srcMemoryType == CU_MEMORYTYPE_HOST ? host_bytes(what.srcHost) : device_bytes(what.srcDevice);
    Rows to = what.dstMemoryType == CU_MEMORYTYPE_HOST ? host_bytes(what.dstHost) : device_bytes(what.dstDevice);
    from.pitch = what.srcPitch;
    from.first += what.srcY * what.srcPitch + what.srcXInBytes;
    to.pitch = what.dstPitch;
    to.first += what.dstY * what.dstPitch + what.dstXInBytes;
    return copy(name, to, from, what.WidthInBytes, what.Height, stream, call);
}

CUresult copy_2d_async(const CUDA_MEMCPY2D *what, CUstream stream)
{
    return copy_rectangle("cuMemcpy2DAsync_v2", *what, stream, Call::asynchronous);
}

CUresult copy_2d(const CUDA_MEMCPY2D *what)
{
    return copy_rectangle("cuMemcpy2D_v2", *what, nullptr, Call::synchronous);
}

template <class Sample>
CUresult fill(const char *name, Rows rows, Sample value, std::size_t width, std::size_t height, CUstream stream,
              Call call)
{
    Work work{VMAF_DOUBLE_FILL, name, width * height * sizeof(Sample),
              uses_of(rows, width * sizeof(Sample), height, true)};
    work.unaware = call == Call::synchronous;
    work.run = [=] {
        for (std::size_t y = 0; y < height; ++y)
            for (std::size_t x = 0; x < width; ++x)
                std::memcpy(rows.first + y * rows.pitch + x * sizeof(Sample), &value, sizeof(Sample));
    };
    timeline().queue(stream, std::move(work));
    return kSuccess;
}

CUresult fill_async(CUdeviceptr memory, unsigned char value, std::size_t bytes, CUstream stream)
{
    return fill("cuMemsetD8Async", device_bytes(memory), value, bytes, 1, stream, Call::asynchronous);
}

CUresult fill_2d_8(CUdeviceptr memory, std::size_t pitch, unsigned char value, std::size_t width, std::size_t height)
{
    return fill("cuMemsetD2D8_v2", device_rows(memory, pitch), value, width, height, nullptr, Call::synchronous);
}

CUresult fill_2d_16(CUdeviceptr memory, std::size_t pitch, unsigned short value, std::size_t width, std::size_t height)
{
    return fill("cuMemsetD2D16_v2", device_rows(memory, pitch), value, width, height, nullptr, Call::synchronous);
}

} // namespace

void add_plain_copies(Backend &table)
{
    table.cuMemsetD8Async = fill_async;
    table.cuMemsetD2D8_v2 = fill_2d_8;
    table.cuMemsetD2D16_v2 = fill_2d_16;
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
