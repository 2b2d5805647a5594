#include "common/filter_strip.cuh"
#include "common/prescale.cuh"
#include "feature/float_motion/float_motion_cuda_params.h"

// spec motion 7 on batches of frames, a launch for each plane that is measured. Reads 2 samples a
// pixel, one and a half times (L1, L2), and writes a sum a row. Operations a pixel: 36 for two
// pictures' filters, 3 for the term; with loads some 75 instructions. Floor at 2160p, 8 bit: 16.6
// MB = 4 us; 0.62 G lane instructions = 22 us.

namespace vmaf {
inline namespace float_motion_kernels {

constexpr int kPictures = 2; // current, earlier
constexpr int kTaps = kFloatMotionTaps;
constexpr int kColumnValues = kThreadPixels + kTaps - 1;
using Columns = FilteredColumns<kPictures, kTaps>;
using Terms = TileTerms<1>;

struct Shared {
    StripRows<kStripRows + kTaps - 1> rows[kPictures];
    Columns columns;
    Terms terms;
};

__device__ __forceinline__ float *row_sums_of(const FloatMotionKernelParams &params, unsigned frame, unsigned plane,
                                              unsigned scale)
{
    const unsigned list = (frame * kFloatMotionPlanes + plane) * kFloatMotionScales + scale;
    return params.row_sums + static_cast<unsigned long long>(list) * params.row_sum_rows;
}

__device__ __forceinline__ float *filtered_row(const FloatMotionKernelParams &params, unsigned frame, int picture,
                                               int y)
{
    return params.filtered + (frame * kPictures + picture) * params.picture_floats +
           static_cast<unsigned long long>(y) * params.pitch;
}

__device__ __forceinline__ bool is_compared(const FloatMotionFrame &frame)
{
    return frame.frame_index > 0 && frame.earlier[0].data != nullptr;
}

/// The vertical pass of one column, in the rows from `first` on; `at` is its place in the tile.
template <class Sample>
__device__ __forceinline__ void thread_filter_column(const FloatMotionKernelParams &params, Shared &shared, int x,
                                                     int first, int at)
{
    const int inner_x = mirror_often(x, params.width_px[params.plane][0]);
#pragma unroll
    for (int picture = 0; picture < kPictures; ++picture) {
        float values[kColumnValues], filtered[kThreadPixels];
#pragma unroll
        for (int i = 0; i < kColumnValues; ++i)
            values[i] = thread_value<Sample>(shared.rows[picture].row[first + i], inner_x, params.unit);
        thread_filter<kTaps>(values, params.taps, filtered);
        shared.columns.store(picture, first, at, filtered);
    }
}

/// The terms of kThreadPixels pixels of one row, and the filtered pixels if they are wanted.
__device__ __forceinline__ void thread_terms(const FloatMotionKernelParams &params, Shared &shared, unsigned frame,
                                             int top, int left, int row, int first)
{
    float filtered[kPictures][kThreadPixels];
#pragma unroll
    for (int picture = 0; picture < kPictures; ++picture)
        thread_filter_row(shared.columns, picture, row, first, params.taps, filtered[picture]);
#pragma unroll
    for (int i = 0; i < kThreadPixels; ++i)
        shared.terms.at(row, first + i) = fabsf(filtered[1][i] - filtered[0][i]);
    if (params.filtered == nullptr || top + row >= params.height_px[params.plane][0])
        return;
#pragma unroll
    for (int picture = 0; picture < kPictures; ++picture)
#pragma unroll
        for (int i = 0; i < kThreadPixels; ++i)
            if (left + first + i < params.width_px[params.plane][0])
                filtered_row(params, frame, picture, top + row)[left + first + i] = filtered[picture][i];
}

template <class Sample>
__device__ __forceinline__ void block_sum_strip(const FloatMotionKernelParams &params, unsigned strip,
                                                unsigned frame_index, unsigned thread)
{
    __shared__ Shared shared;
    const FloatMotionFrame &frame = params.frames[frame_index];
    if (!is_compared(frame))
        return;
    const int width = params.width_px[params.plane][0], height = params.height_px[params.plane][0];
    const int top = static_cast<int>(strip) * kStripRows;
    shared.rows[0].fill(frame.current[params.plane], top - Columns::kReach, height, thread);
    shared.rows[1].fill(frame.earlier[params.plane], top - Columns::kReach, height, thread);
    __syncthreads();
    const int column = static_cast<int>(thread) % kTileColumns;
    const int first_row = static_cast<int>(thread) / kTileColumns * kThreadPixels;
    const int row = static_cast<int>(thread) % kStripRows;
    const int first_column = static_cast<int>(thread) / kStripRows * kThreadPixels;
    float sum = 0;
    if (column < Columns::kHalo)
        thread_filter_column<Sample>(params, shared, column - Columns::kReach, first_row, column);
    for (int left = 0; left < width; left += kTileColumns) {
        if (left > 0)
            shared.columns.carry(first_row, Columns::kHalo + column);
        thread_filter_column<Sample>(params, shared, left + Columns::kReach + column, first_row,
                                     Columns::kHalo + column);
        __syncthreads();
        thread_terms(params, shared, frame_index, top, left, row, first_column);
        __syncthreads();
        if (thread < kStripRows)
            shared.terms.add(thread, min(width - left, kTileColumns), sum);
    }
    if (thread < kStripRows && top + row < height)
        row_sums_of(params, frame_index, params.plane, 0)[top + row] = sum;
}

/// Step 4: a strip of the halves of the filtered pictures.
__device__ __forceinline__ void block_sum_half_strip(const FloatMotionKernelParams &params, unsigned strip,
                                                     unsigned frame, unsigned thread)
{
    __shared__ Terms terms;
    if (!is_compared(params.frames[frame]))
        return;
    const int width = params.width_px[params.plane][1], height = params.height_px[params.plane][1];
    const int top = static_cast<int>(strip) * kStripRows;
    const auto half = [&](int picture, int x, int y) {
        return thread_prescaled(params.halver[params.plane], x, y, [&](int from_x, int from_y) {
            return filtered_row(params, frame, picture, from_y)[from_x];
        });
    };
    float sum = 0;
    for (int left = 0; left < width; left += kTileColumns) {
        for (int i = static_cast<int>(thread); i < kStripRows * kTileColumns; i += kStripThreads) {
            const int row = i / kTileColumns, column = i % kTileColumns;
            const int x = min(left + column, width - 1), y = min(top + row, height - 1);
            terms.at(row, column) = fabsf(half(1, x, y) - half(0, x, y));
        }
        __syncthreads();
        if (thread < kStripRows)
            terms.add(thread, min(width - left, kTileColumns), sum);
        __syncthreads();
    }
    const int y = top + static_cast<int>(thread);
    if (thread < kStripRows && y < height)
        row_sums_of(params, frame, params.plane, 1)[y] = sum;
}

} // namespace float_motion_kernels

// Grid: strips of rows, -, frames.
extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_motion_rows_8bit(const __grid_constant__ FloatMotionKernelParams params)
{
    block_sum_strip<std::uint8_t>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_motion_rows_16bit(const __grid_constant__ FloatMotionKernelParams params)
{
    block_sum_strip<std::uint16_t>(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kStripThreads)
    vmaf_float_motion_half_rows(const __grid_constant__ FloatMotionKernelParams params)
{
    block_sum_half_strip(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

// Grid: planes, scales, frames. A block is a warp.
extern "C" __global__ void __launch_bounds__(kWarpSize)
    vmaf_float_motion_sum(const __grid_constant__ FloatMotionKernelParams params)
{
    const unsigned plane = blockIdx.x, scale = blockIdx.y, lane = threadIdx.x;
    const FloatMotionFrame &frame = params.frames[blockIdx.z];
    if (lane == 0 && plane == 0 && scale == 0)
        frame.sums->frame_index = frame.frame_index;
    if (!is_compared(frame))
        return;
    const float total =
        warp_ordered_sum(row_sums_of(params, blockIdx.z, plane, scale), params.height_px[plane][scale], lane);
    if (lane == 0)
        frame.sums->difference[plane][scale] = total;
}

} // namespace vmaf
