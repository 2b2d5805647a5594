#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/ciede/ciede.h"
#include "feature/ciede/ciede_cuda_params.h"
#include "feature/cuda_backends.h"

extern "C" const unsigned char vmaf_ciede_fatbin[];

namespace vmaf {
namespace {

struct Kernels {
    CUfunction differences, sum;
};

class CiedeCuda final : public CudaExtractor {
  public:
    CiedeCuda(CudaModule module, const Kernels &kernels, CudaDim blocks, unsigned max_batch,
              const CiedeKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), blocks_(blocks), max_batch_(max_batch), params_(params)
    {
    }

    std::size_t scratch_bytes() const override { return sizeof(double) * params_.block_count * max_batch_; }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.batch = pairs_of(batch);
        params_.block_sums = reinterpret_cast<double *>(scratch);
        const CudaContext &context = *module_.context();
        VMAF_TRY(cuda_launch(context, kernels_.differences, {blocks_.x, blocks_.y, batch.count}, {kCiedeBlockColumns},
                             0, stream, params_));
        return cuda_launch(context, kernels_.sum, {1, 1, batch.count}, {kCiedeSumThreads}, 0, stream, params_);
    }

  private:
    CudaModule module_;
    Kernels kernels_;
    CudaDim blocks_;
    unsigned max_batch_;
    CiedeKernelParams params_;
};

/// spec ciede 3.1.
unsigned swapped_chroma_stride(const PictureFormat &format)
{
    constexpr std::size_t kStoredSamples = 32;
    return format.pix_fmt == VMAF_PIX_FMT_YUV422P
               ? static_cast<unsigned>(round_up(format.plane_width(1), kStoredSamples))
               : 0;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    const bool subsampled = format.pix_fmt == VMAF_PIX_FMT_YUV420P;
    const CudaDim blocks{blocks_for(format.width, kCiedeBlockColumns), blocks_for(format.height, kCiedeBlockRows)};
    CiedeKernelParams params{};
    params.width_px = format.width;
    params.height_px = format.height;
    params.chroma_width_px = format.plane_width(1);
    params.chroma_height_px = format.plane_height(1);
    params.chroma_shift_x = params.chroma_shift_y = subsampled ? 1 : 0;
    params.swapped_chroma_stride = swapped_chroma_stride(format);
    params.range = ciede_range(format.bpc);
    params.block_count = blocks.x * blocks.y;
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_ciede_fatbin));
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.differences, cuda_function(module, format.bpc == 8 ? "vmaf_ciede_differences_8bit"
                                                                               : "vmaf_ciede_differences_16bit"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_ciede_sum"));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<CiedeCuda>(std::move(module), kernels, blocks, request.max_batch, params));
}

} // namespace

// spec ciede 5.
const CudaBackend kCiedeCuda{&kCiede, make};

} // namespace vmaf
