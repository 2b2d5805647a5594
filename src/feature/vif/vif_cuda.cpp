#include <algorithm>
#include <array>

#include "base/round_up.h"
#include "cuda/handles.h"
#include "feature/cuda_backends.h"
#include "feature/vif/vif.h"
#include "feature/vif/vif_cuda_params.h"
#include "feature/vif/vif_log_table.h"
#include "feature/vif/vif_tensor_tables.h"

extern "C" const unsigned char vmaf_vif_fatbin[];

namespace vmaf {
namespace {

using DeviceLogTable = std::array<std::uint16_t, kVifLogBlocks>;

DeviceLogTable device_log_table()
{
    DeviceLogTable table;
    for (unsigned block = 0; block < kVifLogBlocks; ++block)
        table[block] = static_cast<std::uint16_t>(vif_log_table()[block] - 8 * (block / 2));
    return table;
}

/// Sizes of all scales, and where scratch memory holds the pictures of scales 1 to 3.
void lay_out_pyramid(const PictureFormat &format, VifCudaParams &params)
{
    constexpr std::size_t kAlignmentBytes = 16;
    unsigned long long end = 0;
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        VifLevel &level = params.levels[scale];
        level = {format.width >> scale, format.height >> scale, 0, {}};
        if (scale == 0)
            continue;
        level.stride_bytes = static_cast<unsigned>(round_up(level.width_px * sizeof(std::uint16_t), kAlignmentBytes));
        for (unsigned long long &offset : level.offset_bytes) {
            offset = end;
            end += static_cast<unsigned long long>(level.stride_bytes) * level.height_px;
        }
    }
    params.pyramid_frame_bytes = end;
}

/// Tiles over the picture, frames in z.
CudaDim grid_of(const VifLevel &level, unsigned scale, unsigned frames)
{
    const unsigned columns = vif_tile_columns(scale);
    return {blocks_for(level.width_px, columns), blocks_for(level.height_px, kVifTileRows), frames};
}

/// spec vif 4: scale 3 has neighbours of its own kind on no side.
bool is_thin(const VifLevel &level)
{
    return level.width_px == 1 || level.height_px == 1;
}

struct Kernel {
    CUfunction function;
    bool one_block; ///< a frame
};

/// Scale 0 on tensor cores: blocks that fill the device and share out the work.
struct TensorKernel {
    CUfunction function;
    unsigned warps; ///< of a block; 0 where there is no such kernel
    unsigned blocks;
    unsigned sample_bytes;

    unsigned shared_bytes() const
    {
        return static_cast<unsigned>(sizeof(VifTensorTables)) + warps * vif_tensor_warp_bytes(sample_bytes);
    }

    /// It loads four samples at a time.
    bool suits(const CudaPlane &plane) const
    {
        return rows_are_aligned(plane, 4 * sample_bytes) && plane.stride_bytes >> 32 == 0;
    }
};

class VifCuda final : public CudaExtractor {
  public:
    VifCuda(CudaModule module, const std::array<Kernel, kVifScales> &kernels, const TensorKernel &tensor,
            CudaDeviceMemory log_table, CudaDeviceMemory tensor_tables, std::size_t scratch_bytes,
            const VifCudaParams &params)
        : module_(std::move(module)), kernels_(kernels), tensor_(tensor), log_table_(std::move(log_table)),
          tensor_tables_(std::move(tensor_tables)), scratch_bytes_(scratch_bytes), params_(params)
    {
        params_.log_table = reinterpret_cast<const std::uint16_t *>(log_table_.get());
        params_.tensor_tables = reinterpret_cast<const VifTensorTables *>(tensor_tables_.get());
    }

    std::size_t scratch_bytes() const override { return scratch_bytes_; }

    Status submit(CUstream stream, const CudaBatch &batch, unsigned char *scratch) override
    {
        params_.batch = pairs_of(batch);
        params_.pyramid = scratch;
        const bool tensor = use_tensor_kernel(batch);
        if (tensor)
            VMAF_TRY(cuda_launch(*module_.context(), tensor_.function, {tensor_.blocks}, {tensor_.warps * 32},
                                 tensor_.shared_bytes(), stream, params_));
        for (unsigned scale = tensor ? 1 : 0; scale < kVifScales; ++scale) {
            const Kernel &kernel = kernels_[scale];
            const CudaDim grid =
                kernel.one_block ? CudaDim{1, 1, batch.count} : grid_of(params_.levels[scale], scale, batch.count);
            VMAF_TRY(cuda_launch(*module_.context(), kernel.function, grid, {kVifBlockThreads}, 0, stream, params_));
        }
        return {};
    }

  private:
    bool use_tensor_kernel(const CudaBatch &batch) const
    {
        return tensor_.warps > 0 &&
               std::all_of(batch.frames, batch.frames + batch.count, [this](const CudaFrame &frame) {
                   return tensor_.suits(frame.ref[0]) && tensor_.suits(frame.dis[0]);
               });
    }

    CudaModule module_;
    std::array<Kernel, kVifScales> kernels_;
    TensorKernel tensor_;
    CudaDeviceMemory log_table_;
    CudaDeviceMemory tensor_tables_;
    std::size_t scratch_bytes_;
    VifCudaParams params_;
};

Result<std::array<Kernel, kVifScales>> find_kernels(const CudaModule &module, const VifCudaParams &params)
{
    const bool thin = is_thin(params.levels[3]);
    const std::array<const char *, kVifScales> names{params.bpc == 8 ? "vmaf_vif_scale0_8bit" : "vmaf_vif_scale0_16bit",
                                                     "vmaf_vif_scale1", "vmaf_vif_scale2",
                                                     thin ? "vmaf_vif_scale3_thin" : "vmaf_vif_scale3"};
    std::array<Kernel, kVifScales> kernels{};
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        VMAF_TRY_ASSIGN(kernels[scale].function, cuda_function(module, names[scale]));
        kernels[scale].one_block = scale == 3 && thin;
    }
    return kernels;
}

Result<TensorKernel> find_tensor_kernel(const CudaModule &module, const VifCudaParams &params)
{
    if (params.bpc > kVifTensorMaxBpc || !params.score_scale0 || params.levels[0].height_px > kVifTensorMaxHeight)
        return TensorKernel{};
    TensorKernel kernel{};
    kernel.sample_bytes = static_cast<unsigned>(sample_bytes(params.bpc));
    VMAF_TRY_ASSIGN(kernel.function, cuda_function(module, params.bpc == 8 ? "vmaf_vif_scale0_8bit_tensor"
                                                                           : "vmaf_vif_scale0_12bit_tensor"));
    VMAF_TRY_ASSIGN(const unsigned architecture, cuda_function_architecture(module, kernel.function));
    VMAF_TRY_ASSIGN(const CudaMultiprocessors device, cuda_multiprocessors(*module.context()));
    if (architecture < kVifTensorArchitecture || device.block_shared_bytes < sizeof(VifTensorTables))
        return kernel;
    const unsigned room = device.block_shared_bytes - static_cast<unsigned>(sizeof(VifTensorTables));
    kernel.warps = std::min(kVifTensorMaxWarps, room / vif_tensor_warp_bytes(kernel.sample_bytes));
    kernel.blocks = device.count;
    if (kernel.warps > 0)
        VMAF_TRY(cuda_allow_shared(module, kernel.function, kernel.shared_bytes()));
    return kernel;
}

CudaExtractorResult make(const CudaRequest &request)
{
    const VifOptions options = vif_options(request.options);
    VifCudaParams params{};
    params.gain_limit = options.gain_limit;
    params.bpc = request.format.bpc;
    params.score_scale0 = !options.skip_scale0;
    lay_out_pyramid(request.format, params);
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(request.context, vmaf_vif_fatbin));
    VMAF_TRY_ASSIGN(const auto kernels, find_kernels(module, params));
    VMAF_TRY_ASSIGN(const TensorKernel tensor, find_tensor_kernel(module, params));
    const DeviceLogTable log = device_log_table();
    VMAF_TRY_ASSIGN(CudaDeviceMemory log_table, make_cuda_device_copy(request.context, log.data(), sizeof(log)));
    CudaDeviceMemory tables;
    if (tensor.warps > 0) {
        VMAF_TRY_ASSIGN(
            tables, make_cuda_device_copy(request.context, make_vif_tensor_tables().get(), sizeof(VifTensorTables)));
    }
    return std::unique_ptr<CudaExtractor>(
        std::make_unique<VifCuda>(std::move(module), kernels, tensor, std::move(log_table), std::move(tables),
                                  params.pyramid_frame_bytes * request.max_batch, params));
}

} // namespace

const CudaBackend kVifCuda{&kVif, make};

} // namespace vmaf
