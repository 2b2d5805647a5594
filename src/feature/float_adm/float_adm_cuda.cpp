#include <algorithm>
#include <array>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/float_adm/float_adm.h"
#include "feature/float_adm/float_adm_cuda_params.h"

extern "C" const unsigned char vmaf_float_adm_fatbin[];

namespace vmaf {
namespace {

constexpr std::size_t kAlignmentBytes = 256;
constexpr unsigned kPitchFloats = 32;

unsigned strips_of(const FloatAdmScale &scale)
{
    return blocks_for(scale.bottom - scale.top, kStripRows);
}

/// Strips of all scales, and where scratch memory holds their bands A.
void lay_out_scales(FloatAdmKernelParams &params)
{
    unsigned strips = 0;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        const FloatAdmScale &scale = params.adm.scale[s];
        params.first_strip[s] = strips;
        if (s >= params.first_scale)
            strips += strips_of(scale);
        if (s == kAdmScales - 1)
            continue;
        FloatAdmLowBand &band = params.low_bands[s];
        band.pitch = blocks_for(scale.width, kPitchFloats) * kPitchFloats;
        for (unsigned long long &offset : band.offset) {
            offset = params.frame_floats;
            params.frame_floats += std::uint64_t{band.pitch} * scale.height;
        }
    }
    params.row_sum_rows = params.adm.scale[0].bottom - params.adm.scale[0].top;
}

struct Kernels {
    CUfunction low_of_samples, low_of_floats, rows, sum;
};

class FloatAdmCuda final : public CudaExtractor {
  public:
    FloatAdmCuda(CudaModule module, const Kernels &kernels, unsigned max_batch, const FloatAdmKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), max_batch_(max_batch), params_(params)
    {
    }

    std::size_t scratch_bytes() const override
    {
        return row_sums_bytes() + params_.frame_floats * max_batch_ * sizeof(float);
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        const CudaContext &context = *module_.context();
        params_.batch = pairs_of(batch);
        params_.row_sums = reinterpret_cast<float *>(scratch);
        params_.low_band_floats = reinterpret_cast<float *>(scratch + row_sums_bytes());
        for (params_.scale = 0; params_.scale < kAdmScales - 1; ++params_.scale) {
            const FloatAdmScale &scale = params_.adm.scale[params_.scale];
            VMAF_TRY(cuda_launch(context, params_.scale == 0 ? kernels_.low_of_samples : kernels_.low_of_floats,
                                 {blocks_for(scale.width, kHalfTileColumns), blocks_for(scale.height, kStripRows),
                                  batch.count * kFloatAdmPictures},
                                 {kStripThreads}, 0, stream, params_));
        }
        constexpr unsigned kLast = kAdmScales - 1;
        const unsigned strips = params_.first_strip[kLast] + strips_of(params_.adm.scale[kLast]);
        VMAF_TRY(cuda_launch(context, kernels_.rows, {batch.count, strips}, {kFloatAdmThreads}, 0, stream, params_));
        return cuda_launch(context, kernels_.sum, {kFloatAdmRowSums, kAdmScales, batch.count}, {32}, 0, stream,
                           params_);
    }

  private:
    std::size_t row_sums_bytes() const
    {
        const std::size_t lists = std::size_t{max_batch_} * kAdmScales * kFloatAdmRowSums;
        return round_up(lists * params_.row_sum_rows * sizeof(float), kAlignmentBytes);
    }

    CudaModule module_;
    Kernels kernels_;
    unsigned max_batch_;
    FloatAdmKernelParams params_;
};

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    FloatAdmKernelParams params{};
    params.adm = float_adm_params(request.options, format);
    if (params.adm.p_norm != 3)
        return std::unique_ptr<CudaExtractor>();
    params.width_px = static_cast<int>(format.width);
    params.height_px = static_cast<int>(format.height);
    params.unit = float_unit(format.bpc);
    std::copy(std::begin(kFloatAdmLow), std::end(kFloatAdmLow), params.low);
    std::copy(std::begin(kFloatAdmHigh), std::end(kFloatAdmHigh), params.high);
    params.first_scale = params.adm.skip_scale0 ? 1 : 0;
    lay_out_scales(params);
    const bool bytes = format.bpc == 8;
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_adm_fatbin));
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.low_of_samples,
                    cuda_function(module, bytes ? "vmaf_float_adm_low_8bit" : "vmaf_float_adm_low_16bit"));
    VMAF_TRY_ASSIGN(kernels.low_of_floats, cuda_function(module, "vmaf_float_adm_low_float"));
    VMAF_TRY_ASSIGN(kernels.rows,
                    cuda_function(module, bytes ? "vmaf_float_adm_rows_8bit" : "vmaf_float_adm_rows_16bit"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_float_adm_sum"));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<FloatAdmCuda>(std::move(module), kernels, request.max_batch, params));
}

} // namespace

const CudaBackend kFloatAdmCuda{&kFloatAdm, make};

} // namespace vmaf
