#include "engine/cuda/scaler.h"

#include <algorithm>
#include <cstring>

#include "base/round_up.h"

extern "C" const unsigned char vmaf_scale_fatbin[];

namespace vmaf {
namespace {

std::size_t filter_bytes(const ScaleFilter &filter)
{
    return filter.first.size() * sizeof(std::int32_t) + filter.weights.size() * sizeof(std::int16_t);
}

void put_filter(std::byte *to, const ScaleFilter &filter)
{
    const std::size_t first_bytes = filter.first.size() * sizeof(std::int32_t);
    std::memcpy(to, filter.first.data(), first_bytes);
    std::memcpy(to + first_bytes, filter.weights.data(), filter.weights.size() * sizeof(std::int16_t));
}

CudaScaleFilter filter_at(CUdeviceptr memory, const ScaleFilter &filter)
{
    return {reinterpret_cast<const std::int32_t *>(memory),
            reinterpret_cast<const std::int16_t *>(memory + filter.first.size() * sizeof(std::int32_t)),
            static_cast<int>(filter.taps)};
}

unsigned blocks_of(int width_px, int height_px, unsigned rows)
{
    return (static_cast<unsigned>(width_px) + kScaleBlockPx - 1) / kScaleBlockPx *
           ((static_cast<unsigned>(height_px) + rows - 1) / rows);
}

} // namespace

Status CudaScaler::load_module(const CudaContextPtr &context)
{
    if (module_)
        return {};
    VMAF_TRY_ASSIGN(CudaModule module, make_cuda_module(context, vmaf_scale_fatbin));
    VMAF_TRY_ASSIGN(kernels_8bit_.across, cuda_function(module, "vmaf_scale_across_8bit"));
    VMAF_TRY_ASSIGN(kernels_8bit_.down, cuda_function(module, "vmaf_scale_down_8bit"));
    VMAF_TRY_ASSIGN(kernels_16bit_.across, cuda_function(module, "vmaf_scale_across_16bit"));
    VMAF_TRY_ASSIGN(kernels_16bit_.down, cuda_function(module, "vmaf_scale_down_16bit"));
    module_ = std::move(module);
    return {};
}

const CudaScaler::Tables *CudaScaler::find(const PlaneScaling &scaling) const
{
    const auto found = std::find_if(tables_.begin(), tables_.end(),
                                    [&](const Tables &tables) { return scaling.is_between(tables.from, tables.to); });
    return found != tables_.end() ? &*found : nullptr;
}

Status CudaScaler::load(const CudaContextPtr &context, const PlaneScaling &scaling)
{
    VMAF_TRY(load_module(context));
    if (find(scaling) != nullptr)
        return {};
    const std::size_t across_bytes = round_up(filter_bytes(scaling.across), sizeof(std::int32_t));
    std::vector<std::byte> all(across_bytes + filter_bytes(scaling.down));
    put_filter(all.data(), scaling.across);
    put_filter(all.data() + across_bytes, scaling.down);
    tables_.reserve(tables_.size() + 1);
    VMAF_TRY_ASSIGN(CudaDeviceMemory memory, make_cuda_device_copy(context, all.data(), all.size()));
    const CUdeviceptr across = memory.get();
    tables_.push_back({scaling.from(), scaling.to(), std::move(memory), filter_at(across, scaling.across),
                       filter_at(across + across_bytes, scaling.down)});
    return {};
}

Status CudaScaler::add(const CudaContextPtr &context, const PlaneScaling &scaling, ScaleJob job)
{
    VMAF_TRY(load(context, scaling));
    const Tables &tables = *find(scaling);
    job.across = tables.across;
    job.down = tables.down;
    job.width_px = static_cast<int>(tables.to.width_px);
    job.height_px = static_cast<int>(tables.to.height_px);
    job.from_height_px = static_cast<int>(tables.from.height_px);
    params_.jobs[count_++] = job;
    return {};
}

Status CudaScaler::launch(const CudaContextPtr &context, unsigned bpc, CUstream stream)
{
    if (count_ == 0)
        return {};
    unsigned across_blocks = 0, down_blocks = 0;
    for (unsigned i = 0; i < count_; ++i) {
        const ScaleJob &job = params_.jobs[i];
        across_blocks = std::max(across_blocks, blocks_of(job.width_px, job.from_height_px, kScaleAcrossRows));
        down_blocks = std::max(down_blocks, blocks_of(job.width_px, job.height_px, kScaleDownRows));
    }
    const Kernels &kernels = bpc > 8 ? kernels_16bit_ : kernels_8bit_;
    constexpr CudaDim kBlock{kScaleBlockPx};
    VMAF_TRY(cuda_launch(*context, kernels.across, {across_blocks, count_}, kBlock, 0, stream, params_));
    VMAF_TRY(cuda_launch(*context, kernels.down, {down_blocks, count_}, kBlock, 0, stream, params_));
    count_ = 0;
    return {};
}

void CudaScaler::close()
{
    tables_.clear();
    module_ = {};
}

} // namespace vmaf
