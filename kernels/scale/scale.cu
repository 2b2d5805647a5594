#include "common/common.cuh"
#include "engine/cuda/scale_params.h"
#include "engine/scaled_samples.h"

// spec device_pictures 3: planes in another size, rows first. What lies between the passes is 4
// bytes a sample, written and read once but for what the cache holds. 2160p to 1080p, 8 bits: 8 MB
// in, 17 MB each way between, 2 MB out; 9 us of bandwidth.

namespace vmaf {
inline namespace scale_kernels {

/// What a block makes, of pieces of kScaleBlockPx samples from the left and of rows from the top.
struct ScalePiece {
    unsigned x, y;
};

template <unsigned Rows> __device__ __forceinline__ ScalePiece thread_piece(const ScaleJob &job)
{
    const unsigned row_pieces = (static_cast<unsigned>(job.width_px) + kScaleBlockPx - 1) / kScaleBlockPx;
    return {blockIdx.x % row_pieces * kScaleBlockPx + threadIdx.x, blockIdx.x / row_pieces * Rows};
}

/// @tparam Stored samples of the source.
template <class Stored> __device__ __forceinline__ void thread_scale_across(const ScaleJob &job)
{
    const ScalePiece piece = thread_piece<kScaleAcrossRows>(job);
    const unsigned width = static_cast<unsigned>(job.width_px), height = static_cast<unsigned>(job.from_height_px);
    if (piece.x >= width || piece.y >= height)
        return;
    const Stored *rows[kScaleAcrossRows];
    const std::size_t begin = static_cast<std::size_t>(job.across.first[piece.x]) * job.step + job.first;
#pragma unroll
    for (unsigned r = 0; r < kScaleAcrossRows; ++r) // below the plane its last row again
        rows[r] =
            reinterpret_cast<const Stored *>(row_of(job.from, static_cast<int>(min(piece.y + r, height - 1)))) + begin;
    const std::int16_t *weights = job.across.weights + static_cast<std::size_t>(piece.x) * job.across.taps;
    ScaleAcrossSum sums[kScaleAcrossRows] = {};
    for (int k = 0; k < job.across.taps; ++k) {
        const int weight = __ldg(weights + k);
        const std::size_t at = static_cast<std::size_t>(k) * job.step;
#pragma unroll
        for (unsigned r = 0; r < kScaleAcrossRows; ++r)
            sums[r] += weight * static_cast<int>(static_cast<unsigned>(__ldg(rows[r] + at)) >> job.shift << job.raise);
    }
#pragma unroll
    for (unsigned r = 0; r < kScaleAcrossRows; ++r)
        if (piece.y + r < height)
            job.between[static_cast<std::size_t>(piece.y + r) * width + piece.x] = scaled_across(sums[r]);
}

template <class Sample> __device__ __forceinline__ void thread_scale_down(const ScaleJob &job)
{
    const ScalePiece piece = thread_piece<kScaleDownRows>(job);
    const unsigned width = static_cast<unsigned>(job.width_px);
    if (piece.x >= width || piece.y >= static_cast<unsigned>(job.height_px))
        return;
    const std::int32_t *column = job.between + static_cast<std::size_t>(job.down.first[piece.y]) * width + piece.x;
    const std::int16_t *weights = job.down.weights + static_cast<std::size_t>(piece.y) * job.down.taps;
    ScaleDownSum<Sample> sum = 0;
    for (int k = 0; k < job.down.taps; ++k, column += width)
        sum += static_cast<ScaleDownSum<Sample>>(*column) * __ldg(weights + k);
    unsigned char *row = const_cast<unsigned char *>(row_of(job.to, static_cast<int>(piece.y)));
    reinterpret_cast<Sample *>(row)[piece.x] = static_cast<Sample>(scaled_down(sum, job.max_sample));
}

} // namespace scale_kernels

extern "C" __global__ void __launch_bounds__(kScaleBlockPx)
    vmaf_scale_across_8bit(const __grid_constant__ ScaleParams params)
{
    thread_scale_across<std::uint8_t>(params.jobs[blockIdx.y]);
}

extern "C" __global__ void __launch_bounds__(kScaleBlockPx)
    vmaf_scale_across_16bit(const __grid_constant__ ScaleParams params)
{
    const ScaleJob &job = params.jobs[blockIdx.y];
    if (job.is_widened != 0)
        thread_scale_across<std::uint8_t>(job);
    else
        thread_scale_across<std::uint16_t>(job);
}

extern "C" __global__ void __launch_bounds__(kScaleBlockPx)
    vmaf_scale_down_8bit(const __grid_constant__ ScaleParams params)
{
    thread_scale_down<std::uint8_t>(params.jobs[blockIdx.y]);
}

extern "C" __global__ void __launch_bounds__(kScaleBlockPx)
    vmaf_scale_down_16bit(const __grid_constant__ ScaleParams params)
{
    thread_scale_down<std::uint16_t>(params.jobs[blockIdx.y]);
}

} // namespace vmaf
