#include <algorithm>
#include <string>

#include "base/round_up.h"
#include "feature/common/light_cuda.h"
#include "feature/common/parts_cuda.h"
#include "feature/common/rgb_rows.h"
#include "feature/cuda_backends.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_cuda_params.h"
#include "feature/ssimulacra2/ssimulacra2_weights.h"

extern "C" const unsigned char vmaf_ssimulacra2_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = 128ULL << 20;

void lay_out_levels(const PictureFormat &format, Ssimulacra2KernelParams &params)
{
    params.scale_count = ssimulacra2_scale_count(format.width, format.height);
    for (unsigned scale = 0; scale < params.scale_count; ++scale) {
        const Ssimulacra2Size size = ssimulacra2_size(format.width, format.height, scale);
        Ssimulacra2Level &level = params.levels[scale];
        level.width_px = size.width_px;
        level.height_px = size.height_px;
        level.pitch = blocks_for(size.width_px, kSsimulacra2Group) * kSsimulacra2Group;
        level.strips_across = blocks_for(size.width_px, kSsimulacra2StripColumns);
        level.strip_count = level.strips_across * blocks_for(size.height_px, kSsimulacra2StripRows);
        level.first_strip = params.strip_count;
        params.strip_count += level.strip_count;
        if (scale == 0)
            continue;
        level.offset = params.frame_floats;
        params.frame_floats += 1ULL * kSsimulacra2LinearPlanes * level.pitch * level.height_px;
    }
}

struct Kernels {
    CUfunction scale0, halve, scales, sum;
    unsigned scale0_threads, scale0_shared_bytes;
};

class Ssimulacra2Cuda final : public CudaPartsExtractor<Ssimulacra2KernelParams> {
  public:
    Ssimulacra2Cuda(CudaModule module, const Kernels &kernels, CudaDeviceMemory light, unsigned part_frames,
                    const Ssimulacra2KernelParams &params)
        : CudaPartsExtractor(std::move(module), part_frames, params.strip_count, params), kernels_(kernels),
          light_(std::move(light))
    {
    }

  private:
    Status submit_part(CUstream stream) override
    {
        const Ssimulacra2Level &full = params().levels[0], &half = params().levels[1];
        VMAF_TRY(
            launch(stream, kernels_.scale0, {full.strip_count}, kernels_.scale0_threads, kernels_.scale0_shared_bytes));
        if (params().scale_count > 2)
            VMAF_TRY(launch(
                stream, kernels_.halve,
                {blocks_for(half.width_px, kSsimulacra2HalveTile), blocks_for(half.height_px, kSsimulacra2HalveTile)},
                kSsimulacra2HalveThreads));
        VMAF_TRY(launch(stream, kernels_.scales, {params().strip_count - full.strip_count}, kSsimulacra2AllMapsThreads,
                        kSsimulacra2AllMapsSharedBytes));
        return launch(stream, kernels_.sum, {params().scale_count}, kSsimulacra2ReduceThreads);
    }

    Kernels kernels_;
    CudaDeviceMemory light_;
};

Result<Kernels> find_kernels(const CudaModule &module, bool all_maps, bool bytes, bool plain_light)
{
    const std::string scale0 = std::string("vmaf_ssimulacra2_scale0_") + (all_maps ? "all_maps_" : "") +
                               (plain_light ? "" : "light_") + (bytes ? "8bit" : "16bit");
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.scale0, cuda_function(module, scale0.c_str()));
    VMAF_TRY_ASSIGN(kernels.halve, cuda_function(module, "vmaf_ssimulacra2_halve"));
    VMAF_TRY_ASSIGN(kernels.scales, cuda_function(module, "vmaf_ssimulacra2_scales"));
    VMAF_TRY_ASSIGN(kernels.sum, cuda_function(module, "vmaf_ssimulacra2_sum"));
    kernels.scale0_threads = all_maps ? kSsimulacra2AllMapsThreads : kSsimulacra2Scale0Threads;
    kernels.scale0_shared_bytes = all_maps ? kSsimulacra2AllMapsSharedBytes : kSsimulacra2Scale0SharedBytes;
    VMAF_TRY(cuda_allow_shared(module, kernels.scale0, kernels.scale0_shared_bytes));
    VMAF_TRY(cuda_allow_shared(module, kernels.scales, kSsimulacra2AllMapsSharedBytes));
    return kernels;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    const Ssimulacra2Options options(request.options);
    const Light light(options.light);
    VMAF_TRY_ASSIGN(CudaLight device_light, make_cuda_light(request.context, light));
    Ssimulacra2KernelParams params{};
    params.sampling = rgb_sampling(format, yuv_matrix(options.yuv_matrix, format.bpc));
    params.sampling.light = device_light.params;
    lay_out_levels(format, params);
    const unsigned frames = request.part_frames(params.frame_floats * sizeof(float), kScratchBytes);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_ssimulacra2_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels,
                    find_kernels(module, params.scale_count < kSsimulacra2Scales, format.bpc == 8, light.is_plain()));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<Ssimulacra2Cuda>(std::move(module), kernels, std::move(device_light.memory), frames, params));
}

} // namespace

// spec ssimulacra2 5.3.
const CudaBackend kSsimulacra2Cuda{&kSsimulacra2, make};

} // namespace vmaf
