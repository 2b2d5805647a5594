#pragma once

#include <cstdint>
#include <cstring>
#include <mutex>
#include <utility>
#include <vector>

#include "cuda/driver_double/control.h"
#include "feature/motion/motion_cuda_params.h"
#include "feature/motion/motion_params.h"
#include "feature/psnr/psnr_cuda_params.h"
#include "feature/psnr/psnr_params.h"
#include "support/cuda_client.h"

namespace vmaf::test {

/// Writes a number into the first luma samples of an 8-bit picture, as the client does. For a
/// picture on a device it uses the default stream.
inline void number_picture(const CudaClient &client, const VmafPicture &picture, std::uint32_t number, Feeding feeding)
{
    if (feeding != Feeding::device) {
        std::memcpy(picture.data[0], &number, sizeof number);
        return;
    }
    client.cuda().cuCtxPushCurrent(client.context());
    client.cuda().cuMemcpyHtoD(reinterpret_cast<CUdeviceptr>(picture.data[0]), &number, sizeof number);
    CUcontext popped = nullptr;
    client.cuda().cuCtxPopCurrent(&popped);
}

/// Makes a pair of the clip with the frame's number in it.
inline int make_numbered(const CudaClient &client, VmafContext *vmaf, std::pair<VmafPicture, VmafPicture> &pair,
                         const Clip &clip, unsigned frame, Feeding feeding)
{
    int error = client.make(vmaf, pair.first, clip, Side::ref, frame % clip.spec().frames, feeding);
    if (error == 0)
        error = client.make(vmaf, pair.second, clip, Side::dis, frame % clip.spec().frames, feeding);
    if (error != 0)
        return error;
    number_picture(client, pair.first, frame, feeding);
    number_picture(client, pair.second, frame, feeding);
    return 0;
}

/// Feeds frames first..end-1 with their numbers. After the clip's last frame it begins again.
inline int feed_numbered(const CudaClient &client, VmafContext *vmaf, const Clip &clip, Feeding feeding, unsigned first,
                         unsigned end)
{
    for (unsigned frame = first; frame < end; ++frame) {
        std::pair<VmafPicture, VmafPicture> pair{};
        int error = make_numbered(client, vmaf, pair, clip, frame, feeding);
        if (error == 0)
            error = vmaf_read_pictures(vmaf, &pair.first, &pair.second, frame);
        if (error != 0) {
            vmaf_picture_unref(&pair.first);
            vmaf_picture_unref(&pair.second);
            return error;
        }
    }
    return 0;
}

/// Kernels of psnr and motion on the driver double (8 bits). Their sums depend on the number in the
/// reference picture. Each frame's scores are therefore known, and wrong if the picture has another
/// frame's samples. Must outlive the queued work.
class NumberedSums {
  public:
    explicit NumberedSums(const VmafDoubleControl &driver)
    {
        const std::size_t psnr_bytes = sizeof(PsnrKernelParams), motion_bytes = sizeof(MotionKernelParams);
        driver.on_kernel("vmaf_psnr_sse_8bit", &psnr_bytes, 1, write_psnr, this);
        driver.on_kernel("vmaf_motion_sad_8bit", &motion_bytes, 1, write_motion, this);
    }
    NumberedSums(const NumberedSums &) = delete;
    NumberedSums &operator=(const NumberedSums &) = delete;

    /// mse_y, mse_cb and mse_cr of a frame (psnr with enable_mse).
    static double mse(unsigned frame, unsigned plane) { return frame + 1.0 + 1000 * plane; }
    /// VMAF_integer_feature_motion_sad_score of a frame.
    static double sad(unsigned frame) { return frame + 1.0; }

    /// Frames of each launch of psnr's kernel that ran.
    std::vector<std::vector<unsigned>> batches() const
    {
        const std::lock_guard lock(mutex_);
        return batches_;
    }

  private:
    static unsigned number_in(const CudaPlane &luma)
    {
        std::uint32_t number = 0;
        std::memcpy(&number, luma.data, sizeof number);
        return number;
    }

    static void write_psnr(const VmafDoubleLaunch *launch, void *user)
    {
        const auto &params = *static_cast<const PsnrKernelParams *>(launch->params[0]);
        std::vector<unsigned> frames;
        for (unsigned i = 0; i < params.batch.count; ++i) {
            const CudaPairFrame &frame = params.batch.frames[i];
            frames.push_back(number_in(frame.ref[0]));
            for (unsigned plane = 0; plane < 3; ++plane) {
                const PsnrPlaneSize &size = params.planes[plane];
                const auto pixels =
                    static_cast<std::uint64_t>(size.width_px) * static_cast<std::uint64_t>(size.height_px);
                static_cast<PsnrSums *>(frame.sums)->sse[plane] =
                    pixels * static_cast<std::uint64_t>(mse(frames.back(), plane));
            }
        }
        auto &self = *static_cast<NumberedSums *>(user);
        const std::lock_guard lock(self.mutex_);
        self.batches_.push_back(std::move(frames));
    }

    static void write_motion(const VmafDoubleLaunch *launch, void *)
    {
        const auto &params = *static_cast<const MotionKernelParams *>(launch->params[0]);
        const auto pixels = static_cast<std::uint64_t>(params.width_px) * static_cast<std::uint64_t>(params.height_px);
        for (unsigned i = 0; i < launch->grid[2]; ++i) {
            const MotionFrame &frame = params.frames[i];
            frame.sums->sad = 256 * pixels * static_cast<std::uint64_t>(sad(number_in(frame.current)));
        }
    }

    mutable std::mutex mutex_;
    std::vector<std::vector<unsigned>> batches_;
};

} // namespace vmaf::test
