#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <utility>

#include "cuda/batch.h"
#include "cuda/check.h"
#include "cuda/context.h"

namespace vmaf {

/// A driver object with its context: move-only, released with that context pushed; failures are
/// noted. `Traits` names the raw type and the release call.
template <class Traits> class CudaHandle {
  public:
    using Raw = typename Traits::Raw;

    CudaHandle() = default;
    CudaHandle(CudaContextPtr context, Raw raw) : context_(std::move(context)), raw_(raw) {}
    CudaHandle(CudaHandle &&other) noexcept
        : context_(std::move(other.context_)), raw_(std::exchange(other.raw_, Raw{}))
    {
    }
    CudaHandle &operator=(CudaHandle &&other) noexcept
    {
        std::swap(context_, other.context_);
        std::swap(raw_, other.raw_);
        return *this;
    }
    ~CudaHandle() { release(); }

    Raw get() const { return raw_; }
    explicit operator bool() const { return raw_ != Raw{}; }
    const CudaContextPtr &context() const { return context_; }

  private:
    void release()
    {
        if (raw_ == Raw{})
            return;
        const CudaContextGuard guard(*context_, CudaContextGuard::Purpose::release);
        Traits::release(*context_, raw_);
    }

    CudaContextPtr context_;
    Raw raw_{};
};

struct CudaStreamTraits {
    using Raw = CUstream;
    static void release(CudaContext &context, CUstream stream);
};
struct CudaEventTraits {
    using Raw = CUevent;
    static void release(CudaContext &context, CUevent event);
};
struct CudaDeviceMemoryTraits {
    using Raw = CUdeviceptr;
    static void release(CudaContext &context, CUdeviceptr memory);
};
struct CudaPinnedMemoryTraits {
    using Raw = void *;
    static void release(CudaContext &context, void *memory);
};
struct CudaModuleTraits {
    using Raw = CUmodule;
    static void release(CudaContext &context, CUmodule module);
};

using CudaStream = CudaHandle<CudaStreamTraits>;
using CudaEvent = CudaHandle<CudaEventTraits>;
using CudaDeviceMemory = CudaHandle<CudaDeviceMemoryTraits>;
using CudaPinnedMemory = CudaHandle<CudaPinnedMemoryTraits>;
using CudaModule = CudaHandle<CudaModuleTraits>;

/// Non-blocking: the client's default-stream work does not wait for the stream.
constexpr unsigned kCudaStreamFlags = 1;
/// Without timing.
constexpr unsigned kCudaEventFlags = 2;

// Makers; the calling thread's current context must be `context` (CudaContextGuard).

Result<CudaStream> make_cuda_stream(const CudaContextPtr &context);
Result<CudaEvent> make_cuda_event(const CudaContextPtr &context);
/// Whether the work before the event is done.
Result<bool> cuda_is_done(const CudaEvent &event);
Result<CudaDeviceMemory> make_cuda_device_memory(const CudaContextPtr &context, std::size_t bytes);
/// Device memory that holds a copy of `data` when this returns.
Result<CudaDeviceMemory> make_cuda_device_copy(const CudaContextPtr &context, const void *data, std::size_t bytes);
Result<CudaPinnedMemory> make_cuda_pinned_memory(const CudaContextPtr &context, std::size_t bytes);
/// Whether the driver knows the device memory to belong to another context.
Result<bool> cuda_is_of_another_context(const CudaContext &context, CUdeviceptr memory);
/// @param fatbin the image that the build embedded for one kernels/*/*.cu.
Result<CudaModule> make_cuda_module(const CudaContextPtr &context, const void *fatbin);
Result<CUfunction> cuda_function(const CudaModule &module, const char *name);
/// The virtual architecture that the function's code in use was compiled for: 80 for compute_80.
Result<unsigned> cuda_function_architecture(const CudaModule &module, CUfunction function);
/// Lets the function be launched with so much dynamic shared memory, at most
/// CudaMultiprocessors::block_shared_bytes.
Status cuda_allow_shared(const CudaModule &module, CUfunction function, unsigned bytes);

/// What a kernel needs to know that fills the device with its blocks.
struct CudaMultiprocessors {
    unsigned count;
    unsigned block_shared_bytes; ///< that one block can be allowed
};
Result<CudaMultiprocessors> cuda_multiprocessors(const CudaContext &context);

struct CudaDim {
    unsigned x = 1, y = 1, z = 1;
};

/// Queues one kernel that takes `params` by value as its only argument.
template <class Params>
Status cuda_launch(const CudaContext &context, CUfunction function, CudaDim grid, CudaDim block, unsigned shared_bytes,
                   CUstream stream, const Params &params)
{
    static_assert(sizeof(Params) <= kMaxKernelParamBytes);
    void *arguments[] = {const_cast<Params *>(&params)};
    CHECK_CUDA_RETURN(context.driver(), cuLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                       shared_bytes, stream, arguments, nullptr));
    return {};
}

} // namespace vmaf
