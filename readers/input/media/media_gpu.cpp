#include "input/media/media_gpu.h"

#include "base/native.h"
#include "input/media/cuda_frames.h"

namespace vmaf::tool {

/// Facts about the GPU from the driver, because the media libraries do not report them.
std::uint64_t MediaGpu::free_bytes() const
{
    void *const driver = context_ ? open_library(kCudaDriver) : nullptr;
    if (!driver)
        return 0;
    auto *const push = reinterpret_cast<int (*)(CUcontext)>(library_symbol(driver, "cuCtxPushCurrent_v2"));
    auto *const ask =
        reinterpret_cast<int (*)(std::size_t *, std::size_t *)>(library_symbol(driver, "cuMemGetInfo_v2"));
    auto *const pop = reinterpret_cast<int (*)(CUcontext *)>(library_symbol(driver, "cuCtxPopCurrent_v2"));
    const auto *device = reinterpret_cast<const AVHWDeviceContext *>(context_->data);
    CUcontext cuda = static_cast<const AVCUDADeviceContext *>(device->hwctx)->cuda_ctx;
    std::size_t free = 0, total = 0;
    if (push && ask && pop && push(cuda) == 0) {
        if (ask(&free, &total) != 0)
            free = 0;
        pop(&cuda);
    }
    close_library(driver);
    return free;
}

AVBufferRef *MediaGpu::context()
{
    if (is_tried_)
        return context_.get();
    is_tried_ = true;
    keep_libav_messages();
    take_libav_complaint();
    AVBufferRef *raw = nullptr;
    const int error = av_hwdevice_ctx_create(&raw, AV_HWDEVICE_TYPE_CUDA, std::to_string(device_).c_str(), nullptr,
                                             AV_CUDA_USE_PRIMARY_CONTEXT);
    context_.reset(raw);
    if (error < 0)
        reason_ = libav_reason(error);
    return context_.get();
}

} // namespace vmaf::tool
