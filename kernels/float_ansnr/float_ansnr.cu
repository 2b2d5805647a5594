#include "common/ordered_sums.cuh"
#include "feature/float_ansnr/float_ansnr_cuda_params.h"

// spec float_features 3.12 on batches of frames: luma. Reads 2 samples a pixel, half of them again,
// and writes two sums a row. Operations a pixel: 54 for the distorted picture's rows, each filtered
// in three ways by the two threads that it reaches, 8 for the reference's, 9 for the terms; with
// loads some 110 instructions. Floor at 2160p, 8 bit: 16.6 MB = 4 us; 0.9 G lane instructions = 31
// us.

namespace vmaf {
inline namespace float_ansnr_kernels {

constexpr int kReach = 2; // of the distorted picture's filter
constexpr int kStagedRows = kStripRows + 2 * kReach;
constexpr int kStagedColumns = kTileColumns + 2 * kReach;
constexpr int kPictures = 2; // ref, dis

struct Shared {
    float samples[kPictures][kStagedRows][kStagedColumns];
    TileTerms<kFloatAnsnrSums> terms;
};

/// -i before the line, 2n-1-i behind it; held inside tiny lines, and far outside.
__device__ __forceinline__ int reflect(int index, int size)
{
    const int inner = index < 0 ? -index : index >= size ? 2 * size - 1 - index : index;
    return min(max(inner, 0), size - 1);
}

template <class Sample>
__device__ __forceinline__ void block_stage(const FloatAnsnrKernelParams &params, const CudaPairFrame &frame, int top,
                                            int left, unsigned thread, Shared &shared)
{
    constexpr int kValues = kStagedRows * kStagedColumns;
    for (int i = static_cast<int>(thread); i < kValues; i += kStripThreads) {
        const int row = i / kStagedColumns, column = i % kStagedColumns;
        const int y = reflect(top - kReach + row, params.height_px);
        const int x = reflect(left - kReach + column, params.width_px);
        shared.samples[0][row][column] = thread_value<Sample>(row_of(frame.ref[0], y), x, params.unit);
        shared.samples[1][row][column] = thread_value<Sample>(row_of(frame.dis[0], y), x, params.unit);
    }
}

__device__ __forceinline__ float thread_filtered_ref(const float *row)
{
    constexpr float w1 = 1 / 16.0F, w2 = 2 / 16.0F;
    return w1 * row[1] + w2 * row[2] + w1 * row[3];
}

constexpr float dis_weight(double k)
{
    return static_cast<float>(k / 571.0);
}
// Weights in the filter's outermost rows, in the ones next to them, and in the centre: outer, inner
// and centre columns.
constexpr float o0 = dis_weight(2), i0 = dis_weight(7), c0 = dis_weight(12);
constexpr float o1 = dis_weight(7), i1 = dis_weight(31), c1 = dis_weight(52);
constexpr float o2 = dis_weight(12), i2 = dis_weight(52), c2 = dis_weight(127);

__device__ __forceinline__ float thread_filtered_dis(const float (&v)[2 * kReach + 1], float outer, float inner,
                                                     float centre)
{
    return outer * v[0] + inner * v[1] + centre * v[2] + inner * v[3] + outer * v[4];
}

/// The column's pixels in kThreadPixels rows from `first` on. The rows that filters reach come from
/// the top, so each sum of rows grows in its order.
__device__ __forceinline__ void thread_terms(Shared &shared, int first, int column)
{
    float a[kThreadPixels] = {}, f[kThreadPixels] = {};
#pragma unroll
    for (int row = 0; row < kThreadPixels + 2 * kReach; ++row) {
        const float *staged = &shared.samples[1][first + row][column];
        const float v[2 * kReach + 1] = {staged[0], staged[1], staged[2], staged[3], staged[4]};
        const float kinds[3] = {thread_filtered_dis(v, o0, i0, c0), thread_filtered_dis(v, o1, i1, c1),
                                thread_filtered_dis(v, o2, i2, c2)};
        const float ref = thread_filtered_ref(&shared.samples[0][first + row][column]);
#pragma unroll
        for (int i = 0; i < kThreadPixels; ++i) {
            const int distance = row - kReach - i;
            if (distance == -kReach)
                f[i] = kinds[0];
            else if (distance > -kReach && distance <= kReach)
                f[i] += kinds[kReach - (distance < 0 ? -distance : distance)];
            if (distance == -1)
                a[i] = ref;
            else if (distance == 0)
                a[i] += 2 * ref; // doubling the row's sum doubles each of its terms, exactly
            else if (distance == 1)
                a[i] += ref;
        }
    }
#pragma unroll
    for (int i = 0; i < kThreadPixels; ++i) {
        const float difference = a[i] - f[i];
        shared.terms.at(0, first + i, column) = a[i] * a[i];
        shared.terms.at(1, first + i, column) = difference * difference;
    }
}

template <class Sample>
__device__ __forceinline__ void block_sum_strip(const FloatAnsnrKernelParams &params, unsigned strip,
                                                unsigned frame_index, unsigned thread)
{
    __shared__ Shared shared;
    const CudaPairFrame &frame = params.batch.frames[frame_index];
    const int top = static_cast<int>(strip) * kStripRows;
    const int column = static_cast<int>(thread) % kTileColumns;
    const int first = static_cast<int>(thread) / kTileColumns * kThreadPixels;
    float sum = 0;
    for (int left = 0; left < params.width_px; left += kTileColumns) {
        block_stage<Sample>(params, frame, top, left, thread, shared);
        __syncthreads();
        thread_terms(shared, first, column);
        __syncthreads();
        if (thread < kFloatAnsnrSums * kStripRows)
            shared.terms.add(thread, min(params.width_px - left, kTileColumns), sum);
    }
    const int y = top + static_cast<int>(thread % kStripRows);
    if (thread < kFloatAnsnrSums * kStripRows && y < params.height_px)
        params.row_sums[(frame_index * kFloatAnsnrSums + thread / kStripRows) *
                            static_cast<unsigned long long>(params.height_px) +
                        y] = sum;
}

} // namespace float_ansnr_kernels

// Grid: strips of rows, -, frames.
extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_ansnr_rows_8bit(const __grid_constant__ FloatAnsnrKernelParams params)
{
    block_sum_strip<std::uint8_t>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_ansnr_rows_16bit(const __grid_constant__ FloatAnsnrKernelParams params)
{
    block_sum_strip<std::uint16_t>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: sums, -, frames. A block is a warp.
extern "C" __global__ void __launch_bounds__(kWarpSize)
    vmaf_float_ansnr_sum(const __grid_constant__ FloatAnsnrKernelParams params)
{
    const unsigned sum = blockIdx.x, frame = blockIdx.z;
    const float *rows =
        params.row_sums + (frame * kFloatAnsnrSums + sum) * static_cast<unsigned long long>(params.height_px);
    const float total = warp_ordered_sum(rows, params.height_px, threadIdx.x);
    static_assert(sizeof(FloatAnsnrSums) == kFloatAnsnrSums * sizeof(float));
    if (threadIdx.x == 0)
        static_cast<float *>(params.batch.frames[frame].sums)[sum] = total;
}

} // namespace vmaf
