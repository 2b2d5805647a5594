#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/xpsnr/xpsnr.h"
#include "feature/xpsnr/xpsnr_cuda_params.h"

extern "C" const unsigned char vmaf_xpsnr_fatbin[];

namespace vmaf {
namespace {

constexpr CudaDim kBlock{32 * kXpsnrWarps}, kErrorBlock{32 * kXpsnrErrorWarps};

class XpsnrCuda final : public CudaExtractor {
  public:
    XpsnrCuda(CudaModule module, CUfunction blocks, CUfunction errors, const XpsnrGrid &grid)
        : module_(std::move(module)), blocks_(blocks), errors_(errors), grid_(grid)
    {
    }

    std::size_t scratch_bytes() const override
    {
        return std::size_t{kMaxBatchFrames} * block_count() * (sizeof(XpsnrBlockSums) + sizeof(double));
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        XpsnrKernelParams params{};
        params.grid = grid_;
        params.block_sums = reinterpret_cast<XpsnrBlockSums *>(scratch);
        params.weights = reinterpret_cast<double *>(params.block_sums + std::size_t{kMaxBatchFrames} * block_count());
        for (unsigned i = 0; i < batch.count; ++i) {
            const CudaFrame &frame = batch.frames[i];
            params.frames[i] = {
                frame, {frame.earlier[0].ref[0], frame.earlier[1].ref[0]}, static_cast<XpsnrSums *>(frame.sums)};
        }
        const CudaContext &context = *module_.context();
        VMAF_TRY(cuda_launch(context, blocks_, {block_count(), 1, batch.count}, kBlock, 0, stream, params));
        return cuda_launch(context, errors_, {1, 1, batch.count}, kErrorBlock, 0, stream, params);
    }

  private:
    unsigned block_count() const { return static_cast<unsigned>(grid_.columns) * static_cast<unsigned>(grid_.rows); }

    CudaModule module_;
    CUfunction blocks_;
    CUfunction errors_;
    XpsnrGrid grid_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    const XpsnrGrid grid = xpsnr_grid(request.options, request.format);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_xpsnr_fatbin));
    VMAF_TRY_ASSIGN(CUfunction blocks, cuda_function(module, grid.sample_bytes == 1 ? "vmaf_xpsnr_blocks_8bit"
                                                                                    : "vmaf_xpsnr_blocks_16bit"));
    VMAF_TRY_ASSIGN(CUfunction errors, cuda_function(module, "vmaf_xpsnr_errors"));
    return std::unique_ptr<CudaExtractor>(std::make_unique<XpsnrCuda>(std::move(module), blocks, errors, grid));
}

} // namespace

const CudaBackend kXpsnrCuda{&kXpsnr, make};

} // namespace vmaf
