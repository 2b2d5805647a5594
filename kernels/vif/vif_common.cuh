#pragma once

#include "common/common.cuh"
#include "feature/vif/vif_cuda_params.h"
#include "vif/vif_statistic.cuh"

// What every kernel of VIF needs: the pictures of a scale, and where its sums go.

namespace vmaf {
inline namespace vif_kernels {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = unsigned;
using u64 = unsigned long long;

/// The pictures that a scale reads.
struct Pictures {
    CudaPlane side[2];
    int width_px, height_px;
};

template <int Scale> __device__ Pictures pictures_of(const VifCudaParams &params, unsigned frame)
{
    const VifLevel &level = params.levels[Scale];
    Pictures pictures{{}, static_cast<int>(level.width_px), static_cast<int>(level.height_px)};
    for (int side = 0; side < 2; ++side)
        if (Scale == 0)
            pictures.side[side] = side == 0 ? params.batch.frames[frame].ref[0] : params.batch.frames[frame].dis[0];
        else
            pictures.side[side] = {params.pyramid + params.pyramid_frame_bytes * frame + level.offset_bytes[side],
                                   level.stride_bytes};
    return pictures;
}

__device__ __forceinline__ void thread_add_sums(u64 log_num, u64 log_den, u64 low_count, u64 low_var2,
                                                VifScaleSums &total)
{
    const auto add = [](std::int64_t &sum, u64 value) {
        if (value != 0)
            atomicAdd(reinterpret_cast<u64 *>(&sum), value);
    };
    add(total.log_num, log_num);
    add(total.log_den, log_den);
    add(total.low_var2, low_var2);
    add(total.low_count, low_count);
}

__device__ __forceinline__ void warp_add_sums(const VifThreadSums &sums, VifScaleSums &total)
{
    const u64 log_num = warp_sum(sums.log_num), log_den = warp_sum(sums.log_den), low_count = warp_sum(sums.low_count),
              low_var2 = warp_sum(sums.low_var2);
    if (threadIdx.x % kWarpSize == 0)
        thread_add_sums(log_num, log_den, low_count, low_var2, total);
}

template <int Scale> __device__ __forceinline__ VifScaleSums &sums_of(const VifCudaParams &params, unsigned frame)
{
    return static_cast<VifSums *>(params.batch.frames[frame].sums)->scale[Scale];
}

} // namespace vif_kernels
} // namespace vmaf
