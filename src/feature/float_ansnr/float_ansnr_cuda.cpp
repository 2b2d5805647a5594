#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/float_ansnr/float_ansnr.h"
#include "feature/float_ansnr/float_ansnr_cuda_params.h"

extern "C" const unsigned char vmaf_float_ansnr_fatbin[];

namespace vmaf {
namespace {

class FloatAnsnrCuda final : public CudaExtractor {
  public:
    FloatAnsnrCuda(CudaModule module, CUfunction rows, CUfunction sum, const CudaRequest &request)
        : module_(std::move(module)), rows_(rows), sum_(sum), max_batch_(request.max_batch)
    {
        params_.width_px = static_cast<int>(request.format.width);
        params_.height_px = static_cast<int>(request.format.height);
        params_.unit = float_unit(request.format.bpc);
    }

    std::size_t scratch_bytes() const override
    {
        return std::size_t{max_batch_} * kFloatAnsnrSums * static_cast<unsigned>(params_.height_px) * sizeof(float);
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        const CudaContext &context = *module_.context();
        params_.batch = pairs_of(batch);
        params_.row_sums = reinterpret_cast<float *>(scratch);
        const unsigned strips = blocks_for(static_cast<unsigned>(params_.height_px), kStripRows);
        VMAF_TRY(cuda_launch(context, rows_, {strips, 1, batch.count}, {kStripThreads}, 0, stream, params_));
        return cuda_launch(context, sum_, {kFloatAnsnrSums, 1, batch.count}, {32}, 0, stream, params_);
    }

  private:
    CudaModule module_;
    CUfunction rows_, sum_;
    unsigned max_batch_;
    FloatAnsnrKernelParams params_{};
};

CudaExtractorResult make(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_ansnr_fatbin));
    VMAF_TRY_ASSIGN(CUfunction rows, cuda_function(module, request.format.bpc == 8 ? "vmaf_float_ansnr_rows_8bit"
                                                                                   : "vmaf_float_ansnr_rows_16bit"));
    VMAF_TRY_ASSIGN(CUfunction sum, cuda_function(module, "vmaf_float_ansnr_sum"));
    return std::unique_ptr<CudaExtractor>(std::make_unique<FloatAnsnrCuda>(std::move(module), rows, sum, request));
}

} // namespace

const CudaBackend kFloatAnsnrCuda{&kFloatAnsnr, make};

} // namespace vmaf
