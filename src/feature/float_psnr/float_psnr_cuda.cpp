#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/float_psnr/float_psnr.h"
#include "feature/psnr/psnr_cuda_params.h"

extern "C" const unsigned char vmaf_float_psnr_fatbin[];

namespace vmaf {
namespace {

constexpr CudaDim kBlock{32 * kPsnrBlockWarps};
constexpr unsigned kBlockRows = kPsnrWarpRows * kPsnrBlockWarps;

class FloatPsnrCuda final : public CudaExtractor {
  public:
    FloatPsnrCuda(CudaModule module, CUfunction kernel, const PictureFormat &format)
        : module_(std::move(module)),
          kernel_(kernel), luma_{static_cast<int>(format.width), static_cast<int>(format.height)}
    {
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *) override
    {
        const PsnrKernelParams params{pairs_of(batch), {luma_}};
        const CudaDim grid{blocks_for(static_cast<unsigned>(luma_.height_px), kBlockRows), 1, batch.count};
        return cuda_launch(*module_.context(), kernel_, grid, kBlock, 0, stream, params);
    }

  private:
    CudaModule module_;
    CUfunction kernel_;
    PsnrPlaneSize luma_;
};

const char *kernel_name(unsigned bpc)
{
    if (bpc == 8)
        return "vmaf_float_psnr_8bit";
    return bpc == 16 ? "vmaf_float_psnr_16bit" : "vmaf_float_psnr_12bit";
}

CudaExtractorResult make(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_psnr_fatbin));
    VMAF_TRY_ASSIGN(CUfunction kernel, cuda_function(module, kernel_name(request.format.bpc)));
    return std::unique_ptr<CudaExtractor>(std::make_unique<FloatPsnrCuda>(std::move(module), kernel, request.format));
}

} // namespace

const CudaBackend kFloatPsnrCuda{&kFloatPsnr, make};

} // namespace vmaf
