#include <algorithm>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_cuda_params.h"

extern "C" const unsigned char vmaf_psnr_hvs_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most: more groups of blocks are measured one after the
/// other.
constexpr std::size_t kScratchBytes = std::size_t{256} << 20;

constexpr std::size_t kSlotBytes = sizeof(HvsGroupErrors) + sizeof(HvsGroupIncrement) + sizeof(float);

void describe_planes(const PictureFormat &format, PsnrHvsKernelParams &params)
{
    params.peak = (1U << format.bpc) - 1;
    for (unsigned plane = 0; plane < 3; ++plane) {
        HvsKernelPlane &geometry = params.planes[plane];
        geometry.columns = hvs_blocks(format.plane_width(plane));
        geometry.blocks = geometry.columns * hvs_blocks(format.plane_height(plane));
        geometry.groups = blocks_for(geometry.blocks, kHvsGroupBlocks);
        HvsKernelWeights &weights = params.weights[plane];
        weights.weights = kHvsWeights[plane];
        for (unsigned k = 0; k < kHvsCoefficients; ++k)
            weights.inverse_mask[k] = 1.0F / weights.weights.mask[k];
    }
}

unsigned most_groups(const PsnrHvsKernelParams &params)
{
    return std::max({params.planes[0].groups, params.planes[1].groups, params.planes[2].groups});
}

/// Gives every plane room for as many groups as are measured at a time.
void lay_out_slots(unsigned part_groups, PsnrHvsKernelParams &params)
{
    params.part_groups = part_groups;
    params.frame_slots = 0;
    for (HvsKernelPlane &plane : params.planes) {
        plane.first_slot = params.frame_slots;
        params.frame_slots += std::min(plane.groups, part_groups);
    }
}

struct Kernels {
    CUfunction errors, increments, accumulate;
};

class PsnrHvsCuda final : public CudaExtractor {
  public:
    PsnrHvsCuda(CudaModule module, const Kernels &kernels, unsigned max_batch, const PsnrHvsKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), slots_(std::size_t{max_batch} * params.frame_slots),
          params_(params)
    {
    }

    std::size_t scratch_bytes() const override { return slots_ * kSlotBytes; }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.batch = pairs_of(batch);
        params_.errors = reinterpret_cast<HvsGroupErrors *>(scratch);
        params_.increments = reinterpret_cast<HvsGroupIncrement *>(params_.errors + slots_);
        params_.totals = reinterpret_cast<float *>(params_.increments + slots_);
        for (params_.first_group = 0; params_.first_group < most_groups(params_);
             params_.first_group += params_.part_groups)
            VMAF_TRY(submit_part(stream));
        return {};
    }

  private:
    Status submit_part(CUstream stream)
    {
        const CudaContext &context = *module_.context();
        const CudaDim groups{std::min(params_.part_groups, most_groups(params_) - params_.first_group), 3,
                             params_.batch.count};
        VMAF_TRY(cuda_launch(context, kernels_.errors, groups, {kHvsErrorThreads}, 0, stream, params_));
        VMAF_TRY(cuda_launch(context, kernels_.increments, groups, {kHvsGroupBlocks}, 0, stream, params_));
        return cuda_launch(context, kernels_.accumulate, {3, 1, params_.batch.count}, {kHvsAddThreads}, 0, stream,
                           params_);
    }

    CudaModule module_;
    Kernels kernels_;
    std::size_t slots_; ///< of all frames
    PsnrHvsKernelParams params_;
};

Result<Kernels> find_kernels(const CudaModule &module, bool bytes)
{
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.errors,
                    cuda_function(module, bytes ? "vmaf_psnr_hvs_errors_8bit" : "vmaf_psnr_hvs_errors_16bit"));
    VMAF_TRY_ASSIGN(kernels.increments, cuda_function(module, "vmaf_psnr_hvs_increments"));
    VMAF_TRY_ASSIGN(kernels.accumulate, cuda_function(module, "vmaf_psnr_hvs_accumulate"));
    return kernels;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const std::size_t most_bytes = std::min(kScratchBytes, request.max_scratch_bytes);
    PsnrHvsKernelParams params{};
    describe_planes(request.format, params);
    lay_out_slots(most_groups(params), params);
    while (params.part_groups > 1 && request.max_batch * params.frame_slots * kSlotBytes > most_bytes)
        lay_out_slots(blocks_for(params.part_groups, 2), params);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_psnr_hvs_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, request.format.bpc == 8));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<PsnrHvsCuda>(std::move(module), kernels, request.max_batch, params));
}

} // namespace

const CudaBackend kPsnrHvsCuda{&kPsnrHvs, make};

} // namespace vmaf
