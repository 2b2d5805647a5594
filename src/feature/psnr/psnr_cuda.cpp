#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/psnr/psnr.h"
#include "feature/psnr/psnr_cuda_params.h"

extern "C" const unsigned char vmaf_psnr_fatbin[];

namespace vmaf {
namespace {

constexpr CudaDim kBlock{32 * kPsnrBlockWarps};
constexpr unsigned kBlockRows = kPsnrWarpRows * kPsnrBlockWarps;

class PsnrCuda final : public CudaExtractor {
  public:
    PsnrCuda(CudaModule module, CUfunction kernel, const PictureFormat &format, unsigned plane_count)
        : module_(std::move(module)), kernel_(kernel), format_(format), plane_count_(plane_count)
    {
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *) override
    {
        PsnrKernelParams params{pairs_of(batch), {}};
        for (unsigned plane = 0; plane < plane_count_; ++plane)
            params.planes[plane] = {static_cast<int>(format_.plane_width(plane)),
                                    static_cast<int>(format_.plane_height(plane))};
        const CudaDim grid{blocks_for(format_.height, kBlockRows), plane_count_, batch.count};
        return cuda_launch(*module_.context(), kernel_, grid, kBlock, 0, stream, params);
    }

  private:
    CudaModule module_;
    CUfunction kernel_;
    PictureFormat format_;
    unsigned plane_count_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_psnr_fatbin));
    VMAF_TRY_ASSIGN(CUfunction kernel,
                    cuda_function(module, format.bpc == 8 ? "vmaf_psnr_sse_8bit" : "vmaf_psnr_sse_16bit"));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<PsnrCuda>(std::move(module), kernel, format, psnr_plane_count(request.options, format)));
}

} // namespace

const CudaBackend kPsnrCuda{&kPsnr, make};

} // namespace vmaf
