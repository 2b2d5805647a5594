#include "common/common.cuh"
#include "engine/cuda/luma_boxes_params.h"

// spec device_pictures 7: sums of a plane over boxes. Reads each sample that counts once: every
// third line of 1080p, 0.7 MB, and every sixth of 2160p, 1.4 MB, in boxes of 24 or 48 columns.
// Operations a sample: 6, mostly for its place. Floor: 1 us.

namespace vmaf {
inline namespace luma_boxes_kernels {

/// Where box number `index` of `count` begins.
__device__ __forceinline__ unsigned edge(unsigned index, unsigned count, unsigned size_px)
{
    return static_cast<unsigned>(static_cast<unsigned long long>(index) * size_px / count);
}

template <class Sample>
__device__ __forceinline__ void warp_sum_box(const LumaBoxesParams &params, unsigned box, unsigned lane)
{
    if (box >= params.columns * params.rows)
        return;
    const unsigned box_column = box % params.columns, box_row = box / params.columns;
    const unsigned left = edge(box_column, params.columns, params.width_px);
    const unsigned width = edge(box_column + 1, params.columns, params.width_px) - left;
    const unsigned top = edge(box_row, params.rows, params.height_px);
    const unsigned height = edge(box_row + 1, params.rows, params.height_px) - top;
    const unsigned samples = width * ((height + params.line_step - 1) / params.line_step);
    unsigned sum = 0;
    for (unsigned i = lane; i < samples; i += kWarpSize) {
        const unsigned line = i / width;
        const unsigned char *from = row_of(params.plane, static_cast<int>(top + line * params.line_step));
        const unsigned column = left + (i - line * width);
        sum += static_cast<unsigned>(
                   __ldg(reinterpret_cast<const Sample *>(from) + (column * params.step + params.first))) >>
               params.shift;
    }
    sum = warp_total(sum);
    if (lane == 0)
        params.sums[box] = sum << params.raise;
}

} // namespace luma_boxes_kernels

extern "C" __global__ void __launch_bounds__(kLumaBoxesBlockWarps *kWarpSize)
    vmaf_luma_boxes_8bit(const __grid_constant__ LumaBoxesParams params)
{
    warp_sum_box<std::uint8_t>(params, blockIdx.x * kLumaBoxesBlockWarps + threadIdx.x / kWarpSize,
                               threadIdx.x % kWarpSize);
}

extern "C" __global__ void __launch_bounds__(kLumaBoxesBlockWarps *kWarpSize)
    vmaf_luma_boxes_16bit(const __grid_constant__ LumaBoxesParams params)
{
    warp_sum_box<std::uint16_t>(params, blockIdx.x * kLumaBoxesBlockWarps + threadIdx.x / kWarpSize,
                                threadIdx.x % kWarpSize);
}

} // namespace vmaf
