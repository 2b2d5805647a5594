#include <algorithm>

#include "base/round_up.h"
#include "feature/common/parts_cuda.h"
#include "feature/common/strip_rows.h"
#include "feature/cuda_backends.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_cuda.h"

extern "C" const unsigned char vmaf_ssim_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = std::size_t{192} << 20;

enum class Evaluated { yes, no };

void add_level(PictureSize size, Evaluated evaluated, SsimKernelParams &params)
{
    constexpr unsigned kPitchFloats = 32;
    const unsigned number = params.level_count++;
    SsimLevel &level = params.levels[number];
    level.width_px = static_cast<int>(size.width_px);
    level.height_px = static_cast<int>(size.height_px);
    level.pitch = blocks_for(size.width_px, kPitchFloats) * kPitchFloats;
    if (number > 0) {
        level.offset = params.frame_floats;
        params.frame_floats += 2ULL * level.pitch * size.height_px;
    }
    level.first_strip = params.strip_count;
    if (evaluated == Evaluated::no) {
        params.first_evaluated = number + 1;
        return;
    }
    level.strips_across = blocks_for(size.width_px - kSsimMargin, kSsimStripColumns);
    level.strip_rows = size.pixels() < kSsimLargePx ? kSsimShortStripRows : kSsimLongStripRows;
    level.strip_count = level.strips_across * blocks_for(size.height_px - kSsimMargin, level.strip_rows);
    params.strip_count += level.strip_count;
}

struct Kernels {
    CUfunction samples, images, halve_samples, halve_image, reduce, sum;
};

Result<Kernels> find_kernels(const CudaModule &module, bool bytes)
{
    const auto find = [&](const char *of_bytes, const char *of_words) {
        return cuda_function(module, bytes ? of_bytes : of_words);
    };
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.samples, find("vmaf_ssim_samples_8bit", "vmaf_ssim_samples_16bit"));
    VMAF_TRY_ASSIGN(kernels.images, cuda_function(module, "vmaf_ssim_images"));
    VMAF_TRY_ASSIGN(kernels.halve_samples, find("vmaf_ssim_halve_8bit", "vmaf_ssim_halve_16bit"));
    VMAF_TRY_ASSIGN(kernels.halve_image, cuda_function(module, "vmaf_ssim_halve_image"));
    VMAF_TRY_ASSIGN(kernels.reduce, find("vmaf_ssim_reduce_8bit", "vmaf_ssim_reduce_16bit"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_ssim_sum"));
    return kernels;
}

/// The pictures, images that are made of them, and which of them are evaluated.
class SsimCuda final : public CudaPartsExtractor<SsimKernelParams> {
  public:
    SsimCuda(CudaModule module, const Kernels &kernels, std::unique_ptr<SsimImageMaker> maker, unsigned multiprocessors,
             unsigned part_frames, const SsimKernelParams &params)
        : CudaPartsExtractor(std::move(module), part_frames, params.strip_count, params), kernels_(kernels),
          maker_(std::move(maker)), multiprocessors_(multiprocessors)
    {
    }

  private:
    Status submit_part(CUstream stream) override
    {
        const unsigned first_strips = params().levels[0].strip_count;
        for (params().made_level = 1; params().made_level < params().level_count; ++params().made_level)
            VMAF_TRY(make_level(stream));
        if (first_strips > 0)
            VMAF_TRY(launch(stream, kernels_.samples, {first_strips}, kSsimWindowThreads));
        if (params().strip_count > first_strips)
            VMAF_TRY(launch(stream, kernels_.images, {params().strip_count - first_strips}, kSsimWindowThreads));
        return launch(stream, kernels_.sum, {params().level_count - params().first_evaluated}, kSsimSumThreads);
    }

    Status make_level(CUstream stream)
    {
        if (maker_ != nullptr)
            return maker_->make_images(stream, params());
        return params().factor > 1 ? reduce(stream) : halve(stream);
    }

    /// The grid of blocks of columns x rows that make an image of each picture.
    CudaDim tiles(unsigned columns, unsigned rows) const
    {
        const SsimLevel &level = params().levels[params().made_level];
        return {blocks_for(static_cast<unsigned>(level.width_px), columns),
                blocks_for(static_cast<unsigned>(level.height_px), rows), 2};
    }

    Status reduce(CUstream stream) const
    {
        return launch(stream, kernels_.reduce, tiles(kSsimReduceColumns, kSsimReduceRows),
                      kSsimReduceColumns * kSsimReduceRows);
    }

    Status halve(CUstream stream)
    {
        constexpr StripRowsRange kRows{kSsimHalveChunkRows / 2, kSsimHalveMostStripRows, kSsimHalveChunkRows / 2};
        params().made_strip_rows =
            best_strip_rows(kRows, multiprocessors_ * kSsimHalveBlocks, kMsSsimReach, [&](unsigned rows) {
                const CudaDim strips = tiles(kSsimHalveColumns, rows);
                return strips.x * strips.y * strips.z * params().batch.count;
            });
        return launch(stream, params().made_level == 1 ? kernels_.halve_samples : kernels_.halve_image,
                      tiles(kSsimHalveColumns, params().made_strip_rows), kSsimHalveColumns);
    }

    Kernels kernels_;
    std::unique_ptr<SsimImageMaker> maker_; ///< null: the features' own
    unsigned multiprocessors_;
};

CudaExtractorResult make(const CudaRequest &request, SsimKernelParams params,
                         std::unique_ptr<SsimImageMaker> maker = nullptr)
{
    params.sample_unit = 1.0F / static_cast<float>(1U << (request.format.bpc - 8));
    const std::size_t frame_bytes = params.frame_floats * sizeof(float) + params.strip_count * sizeof(SsimSums);
    const unsigned frames = request.part_frames(frame_bytes, kScratchBytes);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_ssim_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, request.format.bpc == 8));
    VMAF_TRY_ASSIGN(const CudaMultiprocessors device, cuda_multiprocessors(*module.context()));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<SsimCuda>(std::move(module), kernels, std::move(maker), device.count, frames, params));
}

CudaExtractorResult make_float_ssim(const CudaRequest &request)
{
    SsimKernelParams params{};
    params.factor = ssim_factor(request.options, request.format);
    const PictureSize picture{request.format.width, request.format.height};
    add_level(picture, params.factor == 1 ? Evaluated::yes : Evaluated::no, params);
    if (params.factor > 1)
        add_level(ssim_reduced(picture, params.factor), Evaluated::yes, params);
    return make(request, params);
}

CudaExtractorResult make_float_ms_ssim(const CudaRequest &request)
{
    SsimKernelParams params{};
    PictureSize size{request.format.width, request.format.height};
    for (unsigned scale = 0; scale < kMsSsimScales; ++scale, size = size.halved())
        add_level(size, Evaluated::yes, params);
    return make(request, params);
}

} // namespace

CudaExtractorResult make_ssim_of_images(const CudaRequest &request, std::unique_ptr<SsimImageMaker> maker)
{
    SsimKernelParams params{};
    const PictureSize picture{request.format.width, request.format.height};
    add_level(picture, Evaluated::no, params);
    add_level(picture, Evaluated::yes, params);
    return make(request, params, std::move(maker));
}

const CudaBackend kFloatSsimCuda{&kFloatSsim, make_float_ssim};
const CudaBackend kFloatMsSsimCuda{&kFloatMsSsim, make_float_ms_ssim};

} // namespace vmaf
