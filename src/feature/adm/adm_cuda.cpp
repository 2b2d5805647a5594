#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/adm/adm.h"
#include "feature/adm/adm_cuda_params.h"
#include "feature/cuda_backends.h"

extern "C" const unsigned char vmaf_adm_fatbin[];

namespace vmaf {
namespace {

constexpr std::array kScaleKernels8Bit{"vmaf_adm_scale0_8bit", "vmaf_adm_scale1", "vmaf_adm_scale2", "vmaf_adm_scale3"};
constexpr std::array kScaleKernels16Bit{"vmaf_adm_scale0_16bit", "vmaf_adm_scale1", "vmaf_adm_scale2",
                                        "vmaf_adm_scale3"};

/// Longer segments filter fewer rows twice, shorter ones keep more warps busy.
constexpr unsigned kMinSegmentRows = 4;
constexpr unsigned kMaxSegmentRows = 32;
constexpr unsigned kEnoughWarps = 4096; ///< in a launch

struct Kernels {
    std::array<CUfunction, kAdmScales> scales;
    CUfunction finish;
};

/// Where scratch memory holds what AdmKernelParams points to.
struct Scratch {
    std::array<std::size_t, kAdmScales - 1> low_bands;
    std::size_t row_sums;
    std::size_t end;
};

class AdmCuda final : public CudaExtractor {
  public:
    AdmCuda(CudaModule module, const Kernels &kernels, const Scratch &scratch, const AdmKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), scratch_(scratch), params_(params)
    {
    }

    std::size_t scratch_bytes() const override { return scratch_.end; }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        for (unsigned s = 0; s < kAdmScales - 1; ++s)
            params_.low_band[s].data = scratch + scratch_.low_bands[s];
        params_.row_sums = reinterpret_cast<unsigned long long *>(scratch + scratch_.row_sums);
        const CudaContext &context = *module_.context();
        const std::size_t row_sums_bytes = sizeof(*params_.row_sums) * kAdmRowSums * params_.row_count * batch.count;
        CHECK_CUDA_RETURN(context.driver(),
                          cuMemsetD8Async(reinterpret_cast<CUdeviceptr>(params_.row_sums), 0, row_sums_bytes, stream));
        prepare(batch);
        for (unsigned s = 0; s < kAdmScales; ++s) {
            const AdmScale &scale = params_.adm.scale[s];
            const unsigned warps =
                blocks_for(scale.width, kAdmStripColumns[s]) * blocks_for(scale.height, params_.segment_rows[s]);
            const CudaDim grid{blocks_for(warps, kAdmBlockWarps), 1, batch.count};
            VMAF_TRY(cuda_launch(context, kernels_.scales[s], grid, {32 * kAdmBlockWarps}, 0, stream, params_));
        }
        return cuda_launch(context, kernels_.finish, {kAdmScales, kAdmRowSums, batch.count}, {kAdmFinishThreads}, 0,
                           stream, params_);
    }

  private:
    void prepare(const CudaBatch &batch)
    {
        params_.batch = pairs_of(batch);
        const auto vector_bytes = static_cast<unsigned>(2 * kAdmLaneColumns[0] * sample_bytes(params_.adm.bpc));
        params_.vector_loads = 1;
        for (unsigned i = 0; i < batch.count; ++i)
            if (!rows_are_aligned(batch.frames[i].ref[0], vector_bytes) ||
                !rows_are_aligned(batch.frames[i].dis[0], vector_bytes))
                params_.vector_loads = 0;
        for (unsigned s = 0; s < kAdmScales; ++s) {
            const AdmScale &scale = params_.adm.scale[s];
            const unsigned rows =
                blocks_for(scale.width, kAdmStripColumns[s]) * scale.height * batch.count / kEnoughWarps;
            params_.segment_rows[s] = std::clamp(rows, kMinSegmentRows, kMaxSegmentRows);
        }
    }

    CudaModule module_;
    Kernels kernels_;
    Scratch scratch_;
    AdmKernelParams params_;
};

Result<Kernels> find_kernels(const CudaModule &module, unsigned bpc)
{
    const auto &names = bpc == 8 ? kScaleKernels8Bit : kScaleKernels16Bit;
    Kernels kernels{};
    for (unsigned s = 0; s < kAdmScales; ++s) {
        VMAF_TRY_ASSIGN(kernels.scales[s], cuda_function(module, names[s]));
    }
    VMAF_TRY_ASSIGN(kernels.finish, cuda_function(module, "vmaf_adm_finish"));
    return kernels;
}

/// Everything but the frames and the addresses.
AdmKernelParams kernel_params(const PictureFormat &format, const AdmParams &adm)
{
    AdmKernelParams params{};
    params.adm = adm;
    params.width_px = format.width;
    params.height_px = format.height;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        params.first_row[s] = params.row_count;
        params.row_count += adm.scale[s].height;
    }
    for (unsigned s = 0; s < kAdmScales - 1; ++s) {
        constexpr unsigned kAlignmentBytes = 16;
        const unsigned row_bytes = adm.scale[s].width * (s == 0 ? 2 : 4); // 16 bits at scale 0, 32 elsewhere
        AdmLowBand &band = params.low_band[s];
        band.stride_bytes = static_cast<long long>(round_up(row_bytes, kAlignmentBytes));
        band.plane_bytes = band.stride_bytes * adm.scale[s].height;
    }
    if (adm.gain_limit == std::floor(adm.gain_limit))
        params.integer_gain = static_cast<std::uint32_t>(adm.gain_limit);
    return params;
}

Scratch lay_out_scratch(const AdmKernelParams &params, unsigned max_batch)
{
    Scratch scratch{};
    for (unsigned s = 0; s < kAdmScales - 1; ++s) {
        scratch.low_bands[s] = scratch.end;
        scratch.end += 2 * static_cast<std::size_t>(params.low_band[s].plane_bytes) * max_batch;
    }
    scratch.row_sums = scratch.end;
    scratch.end += sizeof(*params.row_sums) * kAdmRowSums * params.row_count * max_batch;
    return scratch;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const AdmKernelParams params = kernel_params(request.format, adm_params(request.options, request.format));
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_adm_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, request.format.bpc));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<AdmCuda>(std::move(module), kernels, lay_out_scratch(params, request.max_batch), params));
}

} // namespace

const CudaBackend kAdmCuda{&kAdm, make};

} // namespace vmaf
