#include <algorithm>
#include <array>
#include <string>

#include "base/round_up.h"
#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_cuda_params.h"
#include "feature/common/light_cuda.h"
#include "feature/common/parts_cuda.h"
#include "feature/common/rgb_rows.h"
#include "feature/common/strip_rows.h"
#include "feature/cuda_backends.h"

extern "C" const unsigned char vmaf_butteraugli_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = 576ULL << 20; // four frames of 1080p, or the one of 2160p
/// Frames that go through the kernels at once, at most: they are long, and more frames of any size
/// would only take memory.
constexpr unsigned kMostFrames = 4;

struct Kernels {
    CUfunction colours, half_colours, low, medium, high, mask, half_distances, distances, sum;
};

/// How many tiles of so many rows cover a resolution.
struct Tiles {
    Tiles(const ButteraugliLevel &level, unsigned rows)
        : across(blocks_for(level.width_px, kButteraugliTileColumns)), down(blocks_for(level.height_px, rows))
    {
    }

    unsigned across, down;
};

unsigned strips_of(const ButteraugliKernelParams &params, const ButteraugliStrip &shape, unsigned rows)
{
    unsigned strips = 0;
    for (unsigned level = 0; level < params.level_count; ++level)
        strips += butteraugli_strips(params.levels[level], shape.columns, rows);
    return strips;
}

/// Rows of a strip where so many frames go at once. The rows above and below it take about half a
/// row's time: they are blurred in one direction alone.
unsigned best_strip_rows(const ButteraugliKernelParams &params, ButteraugliBlur blur, unsigned frames,
                         unsigned multiprocessors)
{
    const ButteraugliStrip &shape = kButteraugliStrips[blur];
    constexpr StripRowsRange kRows{kButteraugliLeastStripRows, kButteraugliMostStripRows, kButteraugliChunkRows};
    return best_strip_rows(kRows, multiprocessors * shape.blocks, kButteraugliReach[blur], [&](unsigned rows) {
        return strips_of(params, shape, rows) * shape.blocks_of_planes * frames;
    });
}

/// By frames at once, less one, and blur.
using StripRows = std::array<std::array<unsigned, kButteraugliBlurs>, kMostFrames>;

StripRows plan_strips(const ButteraugliKernelParams &params, unsigned multiprocessors)
{
    StripRows rows{};
    for (unsigned frames = 1; frames <= kMostFrames; ++frames)
        for (const ButteraugliBlur blur :
             {kButteraugliLowBlur, kButteraugliMediumBlur, kButteraugliHighBlur, kButteraugliMaskBlur})
            rows[frames - 1][blur] = best_strip_rows(params, blur, frames, multiprocessors);
    return rows;
}

class ButteraugliCuda final : public CudaPartsExtractor<ButteraugliKernelParams> {
  public:
    ButteraugliCuda(CudaModule module, const Kernels &kernels, CudaDeviceMemory light, const StripRows &strip_rows,
                    unsigned part_frames, const ButteraugliKernelParams &params)
        : CudaPartsExtractor(std::move(module), part_frames, params.slot_count, params), kernels_(kernels),
          light_(std::move(light)), strip_rows_(strip_rows)
    {
    }

  private:
    Status launch_tiles(CUstream stream, CUfunction kernel, unsigned level, unsigned rows)
    {
        const Tiles tiles(params().levels[level], rows);
        return launch(stream, kernel, {tiles.across, tiles.down}, kButteraugliTileThreads);
    }

    Status launch_strips(CUstream stream, CUfunction kernel, ButteraugliBlur blur)
    {
        params().strip_rows = strip_rows_[params().batch.count - 1][blur];
        const ButteraugliStrip &shape = kButteraugliStrips[blur];
        return launch(stream, kernel, {strips_of(params(), shape, params().strip_rows), shape.blocks_of_planes},
                      shape.threads());
    }

    Status submit_part(CUstream stream) override
    {
        const bool has_half = params().level_count > 1;
        VMAF_TRY(launch_tiles(stream, kernels_.colours, 0, kButteraugliColourRows));
        if (has_half)
            VMAF_TRY(launch_tiles(stream, kernels_.half_colours, 1, kButteraugliColourRows));
        VMAF_TRY(launch_strips(stream, kernels_.low, kButteraugliLowBlur));
        VMAF_TRY(launch_strips(stream, kernels_.medium, kButteraugliMediumBlur));
        VMAF_TRY(launch_strips(stream, kernels_.high, kButteraugliHighBlur));
        VMAF_TRY(launch_strips(stream, kernels_.mask, kButteraugliMaskBlur));
        if (has_half)
            VMAF_TRY(launch_tiles(stream, kernels_.half_distances, 1, kButteraugliDistanceRows));
        VMAF_TRY(launch_tiles(stream, kernels_.distances, 0, kButteraugliDistanceRows));
        return launch(stream, kernels_.sum, {}, kButteraugliSumThreads);
    }

    Kernels kernels_;
    CudaDeviceMemory light_;
    StripRows strip_rows_;
};

Result<Kernels> find_kernels(const CudaModule &module, bool bytes, bool plain_light)
{
    const std::string colours =
        std::string("vmaf_butteraugli_colours_") + (plain_light ? "" : "light_") + (bytes ? "8bit" : "16bit");
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.colours, cuda_function(module, colours.c_str()));
    VMAF_TRY_ASSIGN(kernels.half_colours, cuda_function(module, "vmaf_butteraugli_half_colours"));
    VMAF_TRY_ASSIGN(kernels.low, cuda_function(module, "vmaf_butteraugli_low"));
    VMAF_TRY_ASSIGN(kernels.medium, cuda_function(module, "vmaf_butteraugli_medium"));
    VMAF_TRY_ASSIGN(kernels.high, cuda_function(module, "vmaf_butteraugli_high"));
    VMAF_TRY_ASSIGN(kernels.mask, cuda_function(module, "vmaf_butteraugli_mask"));
    VMAF_TRY_ASSIGN(kernels.half_distances, cuda_function(module, "vmaf_butteraugli_half_distances"));
    VMAF_TRY_ASSIGN(kernels.distances, cuda_function(module, "vmaf_butteraugli_distances"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_butteraugli_sum"));
    return kernels;
}

void lay_out_levels(const PictureFormat &format, ButteraugliKernelParams &params)
{
    params.level_count = std::min(format.width, format.height) >= kButteraugliTwoScalesPx ? 2 : 1;
    for (unsigned i = 0; i < params.level_count; ++i) {
        ButteraugliLevel &level = params.levels[i];
        level.width_px = i == 0 ? format.width : blocks_for(format.width, 2);
        level.height_px = i == 0 ? format.height : blocks_for(format.height, 2);
        level.pitch = blocks_for(level.width_px, kButteraugliGroup) * kButteraugliGroup;
        level.plane_floats = level.pitch * level.height_px;
        level.offset = params.frame_floats;
        params.frame_floats += 1ULL * kButteraugliBuffers * level.plane_floats;
    }
    const Tiles tiles(params.levels[0], kButteraugliDistanceRows);
    params.slot_count = tiles.across * tiles.down;
}

void tabulate_taps(ButteraugliKernelParams &params)
{
    for (unsigned blur = 0; blur < kButteraugliBlurs; ++blur) {
        const ButteraugliTaps taps = butteraugli_taps(static_cast<ButteraugliBlur>(blur));
        std::copy(std::begin(taps.taps), std::end(taps.taps), params.taps[blur]);
        double tail = 0;
        for (unsigned distance = kButteraugliMostReach + 1; distance-- > 0;) {
            params.tails[blur][distance] = static_cast<float>(tail);
            tail += static_cast<double>(taps.taps[distance]);
        }
    }
}

CudaExtractorResult make(const CudaRequest &request)
{
    const ButteraugliOptions options(request.options);
    ButteraugliKernelParams params{};
    const Light light(options.light);
    VMAF_TRY_ASSIGN(CudaLight device_light, make_cuda_light(request.context, light));
    params.sampling = rgb_sampling(request.format, yuv_matrix(options.yuv_matrix, request.format.bpc));
    params.sampling.light = device_light.params;
    params.intensity = static_cast<float>(options.intensity_target);
    params.tuning = butteraugli_tuning(options);
    tabulate_taps(params);
    lay_out_levels(request.format, params);
    const unsigned frames =
        std::min(request.part_frames(params.frame_floats * sizeof(float), kScratchBytes), kMostFrames);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_butteraugli_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, request.format.bpc == 8, light.is_plain()));
    VMAF_TRY_ASSIGN(const CudaMultiprocessors device, cuda_multiprocessors(*module.context()));
    return std::unique_ptr<CudaExtractor>(std::make_unique<ButteraugliCuda>(
        std::move(module), kernels, std::move(device_light.memory), plan_strips(params, device.count), frames, params));
}

} // namespace

// spec butteraugli 5.1, at a score of 1.
const CudaBackend kButteraugliCuda{&kButteraugli, make};

} // namespace vmaf
