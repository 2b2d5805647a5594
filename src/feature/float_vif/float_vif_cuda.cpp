#include <algorithm>
#include <array>
#include <string>

#include "base/round_up.h"
#include "cuda/batch_parts.h"
#include "cuda/handles.h"
#include "feature/common/prescale_upload.h"
#include "feature/cuda_backends.h"
#include "feature/float_vif/float_vif.h"
#include "feature/float_vif/float_vif_cuda_params.h"

extern "C" const unsigned char vmaf_float_vif_fatbin[];

namespace vmaf {
namespace {

constexpr std::size_t kAlignmentBytes = 256;
constexpr unsigned kPitchFloats = 32;
/// Scratch memory for pictures that a session takes at most, unless one frame needs more: larger
/// batches go in parts.
constexpr std::size_t kScratchBytes = 256ULL << 20;

void copy_taps(double kernel_scale, FloatVifKernelParams &params)
{
    for (unsigned scale = 0; scale < kFloatVifScales; ++scale) {
        const std::vector<float> taps = float_vif_taps(scale, kernel_scale);
        std::copy(taps.begin(), taps.end(), params.taps[scale]);
        params.levels[scale].taps = static_cast<int>(taps.size());
    }
}

/// Sizes and strips of all scales, and where scratch memory holds their pictures.
void lay_out_levels(const PictureSize &full, FloatVifKernelParams &params)
{
    unsigned strips = 0;
    for (unsigned scale = 0; scale < kFloatVifScales; ++scale) {
        FloatVifLevel &level = params.levels[scale];
        const PictureSize size{full.width_px >> scale, full.height_px >> scale};
        level.width_px = static_cast<int>(size.width_px);
        level.height_px = static_cast<int>(size.height_px);
        level.pitch = blocks_for(size.width_px, kPitchFloats) * kPitchFloats;
        level.first_strip = strips;
        if (scale >= params.first_scale)
            strips += blocks_for(size.height_px, kStripRows);
        if (scale == 0 && !params.prescaled)
            continue;
        for (unsigned long long &offset : level.offset) {
            offset = params.frame_floats;
            params.frame_floats += std::uint64_t{level.pitch} * size.height_px;
        }
    }
    params.row_sum_rows = full.height_px;
}

struct Kernels {
    CUfunction prescale;                          ///< null if nothing is resampled
    std::array<CUfunction, kFloatVifScales> make; ///< not of scale 0
    CUfunction rows, sum;
};

class FloatVifCuda final : public CudaExtractor {
  public:
    FloatVifCuda(CudaModule module, const Kernels &kernels, CudaPrescaler prescaler, unsigned part_frames,
                 const FloatVifKernelParams &params)
        : module_(std::move(module)), kernels_(kernels), prescaler_(std::move(prescaler)), part_frames_(part_frames),
          params_(params)
    {
        params_.prescaler = prescaler_.tables;
    }

    std::size_t scratch_bytes() const override
    {
        return row_sums_bytes() + params_.frame_floats * part_frames_ * sizeof(float);
    }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.row_sums = reinterpret_cast<float *>(scratch);
        params_.pictures = reinterpret_cast<float *>(scratch + row_sums_bytes());
        return submit_parts(batch, part_frames_, params_.batch, [&] { return submit_part(stream); });
    }

  private:
    Status submit_part(CUstream stream)
    {
        const CudaContext &context = *module_.context();
        const unsigned frames = params_.batch.count;
        VMAF_TRY(make_pictures(stream));
        const FloatVifLevel &last = params_.levels[kFloatVifScales - 1];
        const unsigned strips = last.first_strip + blocks_for(static_cast<unsigned>(last.height_px), kStripRows);
        VMAF_TRY(cuda_launch(context, kernels_.rows, {frames, strips}, {kStripThreads}, 0, stream, params_));
        return cuda_launch(context, kernels_.sum, {kFloatVifSides, kFloatVifScales, frames}, {32}, 0, stream, params_);
    }

    std::size_t row_sums_bytes() const
    {
        const std::size_t lists = std::size_t{part_frames_} * kFloatVifScales * kFloatVifSides;
        return round_up(lists * params_.row_sum_rows * sizeof(float), kAlignmentBytes);
    }

    /// All that scratch memory holds.
    Status make_pictures(CUstream stream)
    {
        const CudaContext &context = *module_.context();
        const unsigned pictures = params_.batch.count * kFloatVifPictures;
        const auto width = [&](unsigned scale) { return static_cast<unsigned>(params_.levels[scale].width_px); };
        const auto height = [&](unsigned scale) { return static_cast<unsigned>(params_.levels[scale].height_px); };
        if (params_.prescaled)
            VMAF_TRY(cuda_launch(context, kernels_.prescale,
                                 {blocks_for(width(0), kStripThreads), blocks_for(height(0), kStripRows), pictures},
                                 {kStripThreads}, 0, stream, params_));
        for (params_.scale = 1; params_.scale < kFloatVifScales; ++params_.scale)
            VMAF_TRY(cuda_launch(context, kernels_.make[params_.scale],
                                 {blocks_for(width(params_.scale), kHalfTileColumns),
                                  blocks_for(height(params_.scale), kStripRows), pictures},
                                 {kStripThreads}, 0, stream, params_));
        return {};
    }

    CudaModule module_;
    Kernels kernels_;
    CudaPrescaler prescaler_;
    unsigned part_frames_;
    FloatVifKernelParams params_;
};

bool has_usual_taps(const FloatVifKernelParams &params)
{
    for (unsigned scale = 0; scale < kFloatVifScales; ++scale)
        if (params.levels[scale].taps != kFloatVifTaps[scale])
            return false;
    return true;
}

Result<Kernels> find_kernels(const CudaModule &module, const FloatVifKernelParams &params, unsigned bpc)
{
    const std::string samples = bpc == 8 ? "8bit" : "16bit", scale0 = params.prescaled ? "float" : samples;
    const bool usual = has_usual_taps(params);
    const auto find = [&](const std::string &name) {
        return cuda_function(module, ("vmaf_float_vif_" + name).c_str());
    };
    Kernels kernels{};
    if (params.prescaled) {
        VMAF_TRY_ASSIGN(kernels.prescale, find("prescale_" + samples));
    }
    const bool usual_scale1 = usual && !params.prescaled;
    VMAF_TRY_ASSIGN(kernels.make[1], find((usual_scale1 ? "scale1_" : "next_") + scale0));
    VMAF_TRY_ASSIGN(kernels.make[2], find(usual ? "scale2" : "next_float"));
    VMAF_TRY_ASSIGN(kernels.make[3], find(usual ? "scale3" : "next_float"));
    VMAF_TRY_ASSIGN(kernels.rows, find((usual ? "rows_" : "any_rows_") + scale0));
    VMAF_TRY_ASSIGN(kernels.sum, find("sum"));
    return kernels;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureSize size{request.format.width, request.format.height};
    const FloatVifOptions options = float_vif_options(request.options, request.format);
    FloatVifKernelParams params{};
    params.noise = float_vif_noise(options);
    params.unit = float_unit(request.format.bpc);
    params.first_scale = options.skip_scale0 ? 1 : 0;
    params.prescaled = options.prescaled != size;
    copy_taps(options.kernel_scale, params);
    lay_out_levels(options.prescaled, params);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_float_vif_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, params, request.format.bpc));
    CudaPrescaler prescaler;
    if (params.prescaled) {
        VMAF_TRY_ASSIGN(prescaler,
                        make_cuda_prescaler(request.context, options.prescale_method, size, options.prescaled));
    }
    const unsigned frames = request.part_frames(params.frame_floats * sizeof(float), kScratchBytes);
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<FloatVifCuda>(std::move(module), kernels, std::move(prescaler), frames, params));
}

} // namespace

const CudaBackend kFloatVifCuda{&kFloatVif, make};

} // namespace vmaf
