#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/motion/motion.h"
#include "feature/motion/motion_cuda_params.h"

extern "C" const unsigned char vmaf_motion_fatbin[];

namespace vmaf {
namespace {

constexpr CudaDim kBlock{32 * kMotionBlockWarps};

class MotionCuda final : public CudaExtractor {
  public:
    MotionCuda(CudaModule module, CUfunction kernel, const PictureFormat &format, unsigned distance)
        : module_(std::move(module)), kernel_(kernel), format_(format), distance_(distance)
    {
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *) override
    {
        if (distance_ == 0)
            return {};
        MotionKernelParams params{
            {}, static_cast<int>(format_.width), static_cast<int>(format_.height), static_cast<int>(format_.bpc)};
        for (unsigned i = 0; i < batch.count; ++i) {
            const CudaFrame &frame = batch.frames[i];
            params.frames[i] = {frame.ref[0], frame.earlier[distance_ - 1].ref[0],
                                static_cast<MotionSums *>(frame.sums)};
        }
        const CudaDim grid{blocks_for(format_.width, kMotionWarpWidth),
                           blocks_for(format_.height, kMotionWarpRows * kMotionBlockWarps), batch.count};
        return cuda_launch(*module_.context(), kernel_, grid, kBlock, 0, stream, params);
    }

  private:
    CudaModule module_;
    CUfunction kernel_;
    PictureFormat format_;
    unsigned distance_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_motion_fatbin));
    VMAF_TRY_ASSIGN(CUfunction kernel,
                    cuda_function(module, format.bpc == 8 ? "vmaf_motion_sad_8bit" : "vmaf_motion_sad_16bit"));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<MotionCuda>(std::move(module), kernel, format, motion_distance(request.options)));
}

} // namespace

const CudaBackend kMotionCuda{&kMotion, make};

} // namespace vmaf
