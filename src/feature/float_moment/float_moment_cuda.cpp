#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/float_moment/float_moment.h"
#include "feature/float_moment/float_moment_cuda_params.h"

extern "C" const unsigned char vmaf_float_moment_fatbin[];

namespace vmaf {
namespace {

constexpr CudaDim kBlock{32 * kFloatMomentBlockWarps};
constexpr unsigned kBlockRows = kFloatMomentWarpRows * kFloatMomentBlockWarps;

class FloatMomentCuda final : public CudaExtractor {
  public:
    FloatMomentCuda(CudaModule module, CUfunction kernel, const PictureFormat &format)
        : module_(std::move(module)), kernel_(kernel), format_(format)
    {
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *) override
    {
        const FloatMomentKernelParams params{pairs_of(batch), static_cast<int>(format_.width),
                                             static_cast<int>(format_.height)};
        const CudaDim grid{blocks_for(format_.height, kBlockRows), 1, batch.count};
        return cuda_launch(*module_.context(), kernel_, grid, kBlock, 0, stream, params);
    }

  private:
    CudaModule module_;
    CUfunction kernel_;
    PictureFormat format_;
};

const char *kernel_name(unsigned bpc)
{
    if (bpc == 8)
        return "vmaf_float_moment_8bit";
    return bpc == 16 ? "vmaf_float_moment_16bit" : "vmaf_float_moment_12bit";
}

CudaExtractorResult make(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_moment_fatbin));
    VMAF_TRY_ASSIGN(CUfunction kernel, cuda_function(module, kernel_name(request.format.bpc)));
    return std::unique_ptr<CudaExtractor>(std::make_unique<FloatMomentCuda>(std::move(module), kernel, request.format));
}

} // namespace

const CudaBackend kFloatMomentCuda{&kFloatMoment, make};

} // namespace vmaf
