#pragma once

#include <cstddef>
#include <cstdio>
#include <cstdlib>

#include <ffnvcodec/dynlink_cuda.h>
#include <ffnvcodec/dynlink_loader.h>

/// The driver as a client of the library uses it: one context, which is current on this thread from
/// open() on.
namespace vmaf::bench {

class CudaDevice {
  public:
    /// Ends the program if there is no driver.
    static const CudaDevice &open()
    {
        static const CudaDevice device;
        return device;
    }

    CUcontext context() const { return context_; }

    std::size_t used_bytes() const
    {
        using MemGetInfo = CUresult CUDAAPI(std::size_t *, std::size_t *);
        std::size_t free = 0, total = 0;
        check(reinterpret_cast<MemGetInfo *>(dlsym(cuda_->lib, "cuMemGetInfo_v2"))(&free, &total), "cuMemGetInfo");
        return total - free;
    }

    CUdeviceptr allocate(std::size_t bytes) const
    {
        CUdeviceptr memory = 0;
        check(cuda_->cuMemAlloc(&memory, bytes), "cuMemAlloc");
        return memory;
    }
    void release(CUdeviceptr memory) const { check(cuda_->cuMemFree(memory), "cuMemFree"); }
    void upload(CUdeviceptr to, const void *from, std::size_t bytes) const
    {
        check(cuda_->cuMemcpyHtoD(to, from, bytes), "cuMemcpyHtoD");
    }
    /// Copies by default on the default stream, as clients with frames on the device do.
    void copy_plane(CUdeviceptr to, std::size_t to_pitch, CUdeviceptr from, std::size_t row_bytes, std::size_t rows,
                    CUstream stream = nullptr) const
    {
        CUDA_MEMCPY2D copy{};
        copy.srcMemoryType = copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = from;
        copy.srcPitch = copy.WidthInBytes = row_bytes;
        copy.dstDevice = to;
        copy.dstPitch = to_pitch;
        copy.Height = rows;
        check(cuda_->cuMemcpy2DAsync(&copy, stream), "cuMemcpy2DAsync");
    }
    /// Makes the context current on the calling thread too.
    void use_on_this_thread() const { check(cuda_->cuCtxPushCurrent(context_), "cuCtxPushCurrent"); }
    void wait_for_copies(CUstream stream = nullptr) const
    {
        check(cuda_->cuStreamSynchronize(stream), "cuStreamSynchronize");
    }
    CUstream make_stream(bool ignores_default_stream) const
    {
        CUstream stream = nullptr;
        check(cuda_->cuStreamCreate(&stream, ignores_default_stream ? CU_STREAM_NON_BLOCKING : 0U), "cuStreamCreate");
        return stream;
    }
    void release(CUstream stream) const { check(cuda_->cuStreamDestroy(stream), "cuStreamDestroy"); }

  private:
    CudaDevice()
    {
        if (cuda_load_functions(&cuda_, nullptr) != 0) {
            std::fprintf(stderr, "no CUDA driver\n");
            std::exit(77);
        }
        CUdevice device = 0;
        check(cuda_->cuInit(0), "cuInit");
        check(cuda_->cuDeviceGet(&device, 0), "cuDeviceGet");
        check(cuda_->cuDevicePrimaryCtxRetain(&context_, device), "cuDevicePrimaryCtxRetain");
        check(cuda_->cuCtxPushCurrent(context_), "cuCtxPushCurrent");
        char name[128] = "";
        cuda_->cuDeviceGetName(name, sizeof name, device);
        std::printf("# %s\n", name);
    }
    static void check(CUresult result, const char *what)
    {
        if (result == CUDA_SUCCESS)
            return;
        std::fprintf(stderr, "%s: %d\n", what, static_cast<int>(result));
        std::exit(result == 100 ? 77 : 1); // 100: no device
    }

    CudaFunctions *cuda_ = nullptr;
    CUcontext context_ = nullptr;
};

} // namespace vmaf::bench
