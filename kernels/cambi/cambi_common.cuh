#pragma once

#include "common/common.cuh"
#include "feature/cambi/cambi_cuda_params.h"

// What the stages of cambi share.

namespace vmaf {
inline namespace cambi_kernels {

__device__ __forceinline__ unsigned warp_min(unsigned value)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
    for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
        value = min(value, __shfl_xor_sync(kFullWarp, value, distance));
    return value;
#else
    return __reduce_min_sync(kFullWarp, value);
#endif
}

__device__ __forceinline__ int clamp_index(int index, int size)
{
    return min(max(index, 0), size - 1);
}

__device__ __forceinline__ unsigned short *samples_of(const CambiKernelParams &params, const CambiLevel &level,
                                                      unsigned frame)
{
    return params.samples + frame * params.frame_samples + level.samples_offset;
}

} // namespace cambi_kernels
} // namespace vmaf
