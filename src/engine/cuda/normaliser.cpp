#include "engine/cuda/normaliser.h"

#include <algorithm>

#include "base/plane_view.h"
#include "base/round_up.h"

extern "C" const unsigned char vmaf_normalise_fatbin[];

namespace vmaf {
namespace {

unsigned blocks_of(const NormaliseJob &job, unsigned bpc)
{
    const std::size_t row_bytes = std::size_t{1 + job.are_pairs} * static_cast<unsigned>(job.width_px) *
                                  (job.is_widened != 0 ? 1 : sample_bytes(bpc));
    const std::size_t pieces = (row_bytes + kNormaliseWarpBytes - 1) / kNormaliseWarpBytes;
    const std::size_t warps = pieces * static_cast<unsigned>(job.height_px);
    return static_cast<unsigned>((warps + kNormaliseBlockWarps - 1) / kNormaliseBlockWarps);
}

} // namespace

Status CudaNormaliser::load(const CudaContextPtr &context)
{
    if (module_)
        return {};
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(context, vmaf_normalise_fatbin));
    VMAF_TRY_ASSIGN(kernel_8bit_, cuda_function(module, "vmaf_normalise_8bit"));
    VMAF_TRY_ASSIGN(kernel_16bit_, cuda_function(module, "vmaf_normalise_16bit"));
    module_ = std::move(module);
    return {};
}

Status CudaNormaliser::launch(const CudaContextPtr &context, unsigned bpc, CUstream stream)
{
    if (count_ == 0)
        return {};
    VMAF_TRY(load(context));
    unsigned blocks = 0;
    for (unsigned i = 0; i < count_; ++i)
        blocks = std::max(blocks, blocks_of(params_.jobs[i], bpc));
    constexpr CudaDim kBlock{32 * kNormaliseBlockWarps};
    CUfunction kernel = bpc > 8 ? kernel_16bit_ : kernel_8bit_;
    VMAF_TRY(cuda_launch(*context, kernel, {blocks, count_}, kBlock, 0, stream, params_));
    count_ = 0;
    return {};
}

} // namespace vmaf
