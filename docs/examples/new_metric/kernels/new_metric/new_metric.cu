#include "common/common.cuh"
#include "feature/new_metric/new_metric_cuda_params.h"

namespace vmaf {
inline namespace new_metric_kernels {

template <class Sample>
__device__ __forceinline__ void block_difference(const NewMetricKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const unsigned y = block.x * kNewMetricBlockRows + thread / kWarpSize;
    unsigned long long sum = 0;
    if (y < params.height_px) {
        const auto *ref = reinterpret_cast<const Sample *>(row_of(frame.ref[0], static_cast<int>(y)));
        const auto *dis = reinterpret_cast<const Sample *>(row_of(frame.dis[0], static_cast<int>(y)));
        for (unsigned x = thread % kWarpSize; x < params.width_px; x += kWarpSize)
            sum += static_cast<unsigned>(abs(static_cast<int>(ref[x]) - static_cast<int>(dis[x])));
    }
    block_add<kNewMetricBlockRows>(sum, thread, &static_cast<NewMetricSums *>(frame.sums)->difference);
}

} // namespace new_metric_kernels

// Grid: blocks of rows, -, frames.
extern "C" __global__ void __launch_bounds__(kNewMetricBlockRows *kWarpSize)
    vmaf_new_metric_8bit(const __grid_constant__ NewMetricKernelParams params)
{
    block_difference<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kNewMetricBlockRows *kWarpSize)
    vmaf_new_metric_16bit(const __grid_constant__ NewMetricKernelParams params)
{
    block_difference<std::uint16_t>(params, blockIdx, threadIdx.x);
}

} // namespace vmaf
