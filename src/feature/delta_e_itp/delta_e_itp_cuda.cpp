#include "base/round_up.h"
#include "feature/common/light_cuda.h"
#include "feature/common/parts_cuda.h"
#include "feature/common/rgb_rows.h"
#include "feature/cuda_backends.h"
#include "feature/delta_e_itp/delta_e_itp.h"
#include "feature/delta_e_itp/delta_e_itp_cuda_params.h"

extern "C" const unsigned char vmaf_delta_e_itp_fatbin[];

namespace vmaf {
namespace {

/// Scratch memory that a session takes at most, unless one frame needs more: larger batches go in
/// parts.
constexpr std::size_t kScratchBytes = std::size_t{128} << 20;

struct Kernels {
    CUfunction differences, count, select;
};

Result<Kernels> find_kernels(const CudaModule &module, const PictureFormat &format)
{
    const bool bytes = format.bpc == 8;
    const char *differences = bytes ? "vmaf_delta_e_itp_differences_8bit" : "vmaf_delta_e_itp_differences_16bit";
    if (format.plane_count() == 1)
        differences = bytes ? "vmaf_delta_e_itp_differences_grey_8bit" : "vmaf_delta_e_itp_differences_grey_16bit";
    Kernels kernels{};
    VMAF_TRY_ASSIGN(kernels.differences, cuda_function(module, differences));
    VMAF_TRY_ASSIGN(kernels.count, cuda_function(module, "vmaf_delta_e_itp_count"));
    VMAF_TRY_ASSIGN(kernels.select, cuda_function(module, "vmaf_delta_e_itp_select"));
    return kernels;
}

class DeltaEItpCuda final : public CudaPartsExtractor<DeltaEItpKernelParams> {
  public:
    DeltaEItpCuda(CudaModule module, const Kernels &kernels, CudaLight light, unsigned part_frames,
                  const DeltaEItpKernelParams &params)
        : CudaPartsExtractor(std::move(module), part_frames, params.block_count, params), kernels_(kernels),
          light_(std::move(light))
    {
    }

  private:
    Status submit_part(CUstream stream) override
    {
        const unsigned across = params().blocks_across;
        VMAF_TRY(launch(stream, kernels_.differences, {across, params().block_count / across, 1}, kDeltaEItpColumns));
        const CudaDim blocks{blocks_for(params().width_px * params().height_px, kDeltaEItpCountPixels)};
        for (params().digit = 0; params().digit < kDeltaEItpDigits; ++params().digit) {
            VMAF_TRY(launch(stream, kernels_.count, blocks, kDeltaEItpCountThreads));
            VMAF_TRY(launch(stream, kernels_.select, {1}, kDeltaEItpSumThreads));
        }
        return {};
    }

    Kernels kernels_;
    CudaLight light_; ///< whose tables the kernels read
};

CudaExtractorResult make(const CudaRequest &request)
{
    const PictureFormat &format = request.format;
    const DeltaEItpOptions options(request.options);
    VMAF_TRY_ASSIGN(CudaLight light, make_cuda_light(request.context, Light(options.light), &delta_e_itp_curve()));
    DeltaEItpKernelParams params{};
    params.sampling = rgb_sampling(format, yuv_matrix(options.yuv_matrix, format.bpc));
    params.sampling.light = light.params;
    params.pq = light.curve;
    params.width_px = format.width;
    params.height_px = format.height;
    params.blocks_across = blocks_for(format.width, kDeltaEItpColumns);
    params.block_count = params.blocks_across * blocks_for(format.height, kDeltaEItpRows);
    params.rank = static_cast<unsigned>(delta_e_itp_rank(format.width, format.height));
    params.frame_floats = std::uint64_t{format.width} * format.height + kDeltaEItpSelectionFloats;
    const std::size_t frame_bytes = params.frame_floats * sizeof(float) + params.block_count * sizeof(double);
    const unsigned frames = request.part_frames(frame_bytes, kScratchBytes);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_delta_e_itp_fatbin));
    VMAF_TRY_ASSIGN(const Kernels kernels, find_kernels(module, format));
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<DeltaEItpCuda>(std::move(module), kernels, std::move(light), frames, params));
}

} // namespace

const CudaBackend kDeltaEItpCuda{&kDeltaEItp, make};

} // namespace vmaf
