#pragma once

#include <cerrno>
#include <memory>
#include <string>

#include <ffnvcodec/dynlink_cuda.h>
#include <ffnvcodec/dynlink_loader.h>

#include "libvmaf/libvmaf_cuda.h"
#include "support/device_client.h"

/// A client of the CUDA API as ffmpeg's filter is: it has a CUDA context of its own and copies into
/// device pictures on the default stream.
namespace vmaf::test {

class CudaClient {
  public:
    /// Null without a usable GPU; `why` then says what is missing.
    static std::unique_ptr<CudaClient> open(std::string &why)
    {
        std::unique_ptr<CudaClient> client(new CudaClient);
        if (cuda_load_functions(&client->functions_, nullptr) != 0) {
            why = "no CUDA driver";
            return nullptr;
        }
        const CudaFunctions &cuda = *client->functions_;
        CUdevice device = 0;
        if (const CUresult result = cuda.cuInit(0);
            result != CUDA_SUCCESS || cuda.cuDeviceGet(&device, 0) != CUDA_SUCCESS ||
            cuda.cuDevicePrimaryCtxRetain(&client->context_, device) != CUDA_SUCCESS) {
            why = "no usable CUDA device (cuInit: " + std::to_string(static_cast<int>(result)) + ")";
            return nullptr;
        }
        return client;
    }
    ~CudaClient()
    {
        if (context_ != nullptr)
            functions_->cuDevicePrimaryCtxRelease(0);
        cuda_free_functions(&functions_);
    }
    CudaClient(const CudaClient &) = delete;
    CudaClient &operator=(const CudaClient &) = delete;

    const CudaFunctions &cuda() const { return *functions_; }
    CUcontext context() const { return context_; }

    /// Makes a state in the client's context, imports it, frees the handle, and preallocates
    /// pictures for the feeding.
    int attach(VmafContext *vmaf, const ClipSpec &spec, Feeding feeding) const
    {
        VmafCudaState *state = nullptr;
        int error = vmaf_cuda_state_init(&state, VmafCudaConfiguration{context_});
        if (error == 0)
            error = vmaf_cuda_import_state(vmaf, state);
        if (state != nullptr)
            vmaf_cuda_state_free(state);
        if (error != 0 || feeding == Feeding::plain_host)
            return error;
        VmafCudaPictureConfiguration pool{};
        pool.pic_params.w = spec.width;
        pool.pic_params.h = spec.height;
        pool.pic_params.bpc = spec.bits;
        pool.pic_params.pix_fmt = spec.pix_fmt;
        pool.pic_prealloc_method = feeding == Feeding::device ? VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_DEVICE
                                                              : VMAF_CUDA_PICTURE_PREALLOCATION_METHOD_HOST_PINNED;
        return vmaf_cuda_preallocate_pictures(vmaf, pool);
    }

    /// A picture with the clip's samples, in the kind of memory that the feeding uses.
    int make(VmafContext *vmaf, VmafPicture &picture, const Clip &clip, Side side, unsigned frame,
             Feeding feeding) const
    {
        if (feeding == Feeding::plain_host)
            return make_picture(picture, clip, side, frame);
        if (const int error = vmaf_cuda_fetch_preallocated_picture(vmaf, &picture); error != 0)
            return error;
        if (feeding == Feeding::pinned_host)
            fill_picture(picture, clip, side, frame);
        else
            fill_device(picture, clip, side, frame);
        return 0;
    }

    int feed(VmafContext *vmaf, const Clip &clip, unsigned frame, unsigned index, Feeding feeding) const
    {
        VmafPicture ref{}, dis{};
        int error = make(vmaf, ref, clip, Side::ref, frame, feeding);
        if (error == 0)
            error = make(vmaf, dis, clip, Side::dis, frame, feeding);
        if (error == 0)
            error = vmaf_read_pictures(vmaf, &ref, &dis, index);
        if (error != 0) {
            vmaf_picture_unref(&ref);
            vmaf_picture_unref(&dis);
        }
        return error;
    }

    int feed_all(VmafContext *vmaf, const Clip &clip, Feeding feeding) const
    {
        for (unsigned frame = 0; frame < clip.spec().frames; ++frame)
            if (const int error = feed(vmaf, clip, frame, frame, feeding); error != 0)
                return error;
        return vmaf_read_pictures(vmaf, nullptr, nullptr, 0);
    }

  private:
    CudaClient() = default;

    void fill_device(const VmafPicture &picture, const Clip &clip, Side side, unsigned frame) const
    {
        functions_->cuCtxPushCurrent(context_);
        for (unsigned plane = 0; plane < clip.format().plane_count(); ++plane) {
            const PlaneView from = clip.plane(side, frame, plane);
            CUDA_MEMCPY2D copy{};
            copy.srcMemoryType = CU_MEMORYTYPE_HOST;
            copy.srcHost = from.data;
            copy.srcPitch = static_cast<std::size_t>(from.stride_bytes);
            copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
            copy.dstDevice = reinterpret_cast<CUdeviceptr>(picture.data[plane]);
            copy.dstPitch = static_cast<std::size_t>(picture.stride[plane]);
            copy.WidthInBytes = std::size_t{from.width_px} * (from.bpc > 8 ? 2 : 1);
            copy.Height = from.height_px;
            if (copy.Height > 0 && copy.WidthInBytes > 0)
                functions_->cuMemcpy2D(&copy);
        }
        CUcontext popped = nullptr;
        functions_->cuCtxPopCurrent(&popped);
    }

    CudaFunctions *functions_ = nullptr;
    CUcontext context_ = nullptr;
};

/// A session whose features run on the CPU unless their names demand the device, such as
/// "psnr_cuda".
inline Context open_with_features_on_cpu(unsigned n_threads)
{
    VmafConfiguration config{};
    config.n_threads = n_threads;
    config.gpumask = 1;
    VmafContext *raw = nullptr;
    return vmaf_init(&raw, config) == 0 ? Context(raw) : nullptr;
}

} // namespace vmaf::test
