#pragma once

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cuda/handles.h"
#include "feature/cuda_extractor.h"

namespace vmaf::test {

/// Reports a driver failure that no test expects, and ends the test as failed.
inline void require(Status status, const char *what)
{
    if (!status.ok())
        throw std::runtime_error(std::string(what) + ": errno " + std::to_string(-status.code()));
}

template <class T> T require(Result<T> result, const char *what)
{
    require(result.status(), what);
    return std::move(result).value();
}

/// The first GPU: its context, which is current on this thread while this lives, and a stream.
class TestGpu {
  public:
    /// Null on a machine without a GPU.
    static std::unique_ptr<TestGpu> open()
    {
        Result<CudaContextPtr> context = CudaContext::create(nullptr);
        if (context.status().code() == -ENODEV)
            return nullptr;
        return std::unique_ptr<TestGpu>(new TestGpu(require(std::move(context), "CudaContext::create")));
    }

    const CudaContextPtr &context() const { return context_; }
    const CudaDriver &driver() const { return context_->driver(); }
    CUstream stream() const { return stream_.get(); }

    void synchronize() const { require(cuda_status(driver().cuStreamSynchronize(stream())), "cuStreamSynchronize"); }

    CudaDeviceMemory allocate(std::size_t bytes) const
    {
        return require(make_cuda_device_memory(context_, bytes), "cuMemAlloc");
    }

  private:
    explicit TestGpu(CudaContextPtr context) : context_(std::move(context)), current_(*context_)
    {
        require(current_.status(), "cuCtxPushCurrent");
        stream_ = require(make_cuda_stream(context_), "cuStreamCreate");
    }

    CudaContextPtr context_;
    CudaContextGuard current_;
    CudaStream stream_;
};

#define VMAF_OPEN_GPU_OR_SKIP(gpu)                                                                                     \
    const std::unique_ptr<::vmaf::test::TestGpu> gpu = ::vmaf::test::TestGpu::open();                                  \
    if (gpu == nullptr)                                                                                                \
    GTEST_SKIP() << "no CUDA driver or device: -ENODEV"

/// Runs one batch through the extractor and returns the frames' sums. Fills in `sums` of the
/// frames.
template <class Sums>
std::vector<Sums> run_batch(const TestGpu &gpu, CudaExtractor &extractor, std::vector<CudaFrame> frames)
{
    const CudaDriver &driver = gpu.driver();
    const std::size_t bytes = frames.size() * sizeof(Sums);
    const CudaDeviceMemory memory = gpu.allocate(bytes);
    require(cuda_status(driver.cuMemsetD8Async(memory.get(), 0, bytes, gpu.stream())), "cuMemsetD8Async");
    CudaBatch batch{};
    for (CudaFrame &frame : frames) {
        frame.sums = reinterpret_cast<void *>(memory.get() + batch.count * sizeof(Sums));
        batch.frames[batch.count++] = frame;
    }
    const CudaDeviceMemory scratch = gpu.allocate(std::max<std::size_t>(extractor.scratch_bytes(), 1));
    require(extractor.submit(gpu.stream(), batch, reinterpret_cast<unsigned char *>(scratch.get())), "submit");
    std::vector<Sums> sums(frames.size());
    require(cuda_status(driver.cuMemcpyDtoHAsync(sums.data(), memory.get(), bytes, gpu.stream())), "cuMemcpyDtoHAsync");
    gpu.synchronize();
    return sums;
}

} // namespace vmaf::test
