#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/new_metric/new_metric.h"
#include "feature/new_metric/new_metric_cuda_params.h"

extern "C" const unsigned char vmaf_new_metric_fatbin[];

namespace vmaf {
namespace {

class NewMetricCuda final : public CudaExtractor {
  public:
    NewMetricCuda(CudaModule module, CUfunction kernel, const PictureFormat &format)
        : module_(std::move(module)), kernel_(kernel), format_(format)
    {
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *) override
    {
        const NewMetricKernelParams params{pairs_of(batch), format_.width, format_.height};
        const CudaDim grid{blocks_for(format_.height, kNewMetricBlockRows), 1, batch.count};
        return cuda_launch(*module_.context(), kernel_, grid, {32 * kNewMetricBlockRows}, 0, stream, params);
    }

  private:
    CudaModule module_;
    CUfunction kernel_;
    PictureFormat format_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_new_metric_fatbin));
    VMAF_TRY_ASSIGN(CUfunction kernel,
                    cuda_function(module, request.format.bpc == 8 ? "vmaf_new_metric_8bit" : "vmaf_new_metric_16bit"));
    return std::unique_ptr<CudaExtractor>(std::make_unique<NewMetricCuda>(std::move(module), kernel, request.format));
}

} // namespace

extern const CudaBackend kNewMetricCuda{&kNewMetric, make};

} // namespace vmaf
