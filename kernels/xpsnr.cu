#include "common/common.cuh"
#include "feature/xpsnr/xpsnr_cuda_params.h"

// spec xpsnr 3.2 to 3.5 on batches of frames, all planes in one launch and the weights in a second, small one. Reads 2 samples a pixel of
// every plane and one or two of earlier luma, which is often still in L2; writes 40 bytes a block of the picture. 4:2:0, per luma pixel:
// 4 bytes at 8 bit (fps < 32; else 5), 14 operations (blocks of quads, above 2048x1152) or 17. Floor on an H200, at 4.2 TB/s and 16.6 T
// multiplications or additions a second: 2160p, 8 bit 33.2 MB = 7.9 us and 7.0 us of operations; 1080p 8.3 MB = 2.0 us and 2.1 us.
//
// As written it loads sample by sample: 6 loads a luma pixel with columns walked downwards (3 of the kernel's row, 1 earlier, 2 for the
// errors), 5 in quads, so loading and unpacking, not memory, sets its pace: some 40 instructions a pixel.

namespace vmaf {
namespace {

constexpr int kThreads = kXpsnrWarps * static_cast<int>(kWarpSize);
constexpr int kErrorThreads = kXpsnrErrorWarps * static_cast<int>(kWarpSize);

/// Black where there is no plane. Outside, the nearest sample.
template <class Sample> __device__ __forceinline__ int thread_sample(const CudaPlane &plane, int x, int y)
{
    return plane.data == nullptr ? 0 : __ldg(reinterpret_cast<const Sample *>(row_of(plane, y)) + x);
}

__device__ __forceinline__ int clamped(int index, int size)
{
    return min(max(index, 0), size - 1);
}

/// What a thread has of a block.
struct ThreadSums {
    unsigned long long spatial = 0;
    unsigned long long temporal = 0; ///< half of it
    unsigned long long sse[3] = {0, 0, 0};
};

/// Calls visit(x, first, end) for the thread's columns of a rectangle, every kXpsnrColumnRows rows: every `step`-th column.
template <class Visit>
__device__ __forceinline__ void thread_columns(int width, int height, int step, int thread, Visit &&visit)
{
    if (width <= 0 || height <= 0)
        return;
    const int columns = (width + step - 1) / step;
    const int items = columns * ((height + kXpsnrColumnRows - 1) / kXpsnrColumnRows);
    for (int item = thread; item < items; item += kThreads) {
        const int first = item / columns * kXpsnrColumnRows;
        visit(item % columns * step, first, min(first + kXpsnrColumnRows, height));
    }
}

template <class Sample>
__device__ __forceinline__ unsigned long long thread_sse(const CudaPlane &ref, const CudaPlane &dis,
                                                         const XpsnrPlanePart &part, int thread)
{
    unsigned long long sum = 0;
    thread_columns(part.width, part.height, 1, thread, [&](int x, int first, int end) {
        for (int y = first; y < end; ++y) {
            const int difference = thread_sample<Sample>(ref, part.left + x, part.top + y) -
                                   thread_sample<Sample>(dis, part.left + x, part.top + y);
            const unsigned size = static_cast<unsigned>(abs(difference));
            sum += static_cast<unsigned long long>(size) * size;
        }
    });
    return sum;
}

/// A frame's block, and how luma is read around it.
template <class Sample> struct BlockLuma {
    const XpsnrGrid &grid;
    const XpsnrFrame &frame;
    const XpsnrBlock &block;
    bool has_spatial;

    __device__ __forceinline__ int current(int x, int y) const
    {
        return thread_sample<Sample>(frame.pair.ref[0], x, y);
    }

    /// v less the sample itself.
    __device__ __forceinline__ int earlier(int x, int y) const
    {
        const int one_before = thread_sample<Sample>(frame.earlier[0], x, y);
        return grid.second_order != 0 ? thread_sample<Sample>(frame.earlier[1], x, y) - 2 * one_before : -one_before;
    }

    /// Of columns and rows in the block.
    __device__ __forceinline__ bool spatial_column(int x) const
    {
        return has_spatial && x >= block.x_begin && x < block.x_end;
    }
    __device__ __forceinline__ bool spatial_row(int y) const { return y >= block.y_begin && y < block.y_end; }
};

/// A row of the 3x3 kernel.
struct KernelRow {
    int outer;  ///< times 1 2 1
    int middle; ///< times -2 12 -2
    int sample;
};

/// spec xpsnr 3.2 and 3.3, m = 1.
template <class Sample>
__device__ __forceinline__ void thread_activity(const BlockLuma<Sample> &luma, int thread, ThreadSums &sums)
{
    const XpsnrBlock &block = luma.block;
    thread_columns(block.width, block.height, 1, thread, [&](int column, int first, int end) {
        const int x = block.left + column, left = clamped(x - 1, luma.grid.width_px),
                  right = clamped(x + 1, luma.grid.width_px);
        const bool spatial_column = luma.spatial_column(column);
        const auto row = [&](int y) {
            const int at = clamped(block.top + y, luma.grid.height_px);
            const int sides = luma.current(left, at) + luma.current(right, at), sample = luma.current(x, at);
            return KernelRow{sides + 2 * sample, 12 * sample - 2 * sides, sample};
        };
        unsigned spatial = 0, temporal = 0;
        KernelRow above = row(first - 1), same = row(first);
        for (int y = first; y < end; ++y) {
            const KernelRow below = row(y + 1);
            if (spatial_column && luma.spatial_row(y))
                spatial += static_cast<unsigned>(abs(same.middle - above.outer - below.outer));
            temporal += static_cast<unsigned>(abs(same.sample + luma.earlier(x, block.top + y)));
            above = same;
            same = below;
        }
        sums.spatial += spatial;
        sums.temporal += temporal;
    });
}

/// Two rows of the 6x6 kernel, which a quad lies on: what they add to its f, to that of the quad above and to that of the quad below.
struct KernelRows {
    int own, above, below;
    int quad; ///< the sum of its samples
};

/// spec xpsnr 3.2 and 3.3, m = 2.
template <class Sample>
__device__ __forceinline__ void thread_quad_activity(const BlockLuma<Sample> &luma, int thread, ThreadSums &sums)
{
    const XpsnrBlock &block = luma.block;
    thread_columns(block.width, block.height, 2, thread, [&](int column, int first, int end) {
        int x[6];
        for (int i = 0; i < 6; ++i)
            x[i] = clamped(block.left + column - 2 + i, luma.grid.width_px);
        const bool spatial_column = luma.spatial_column(column);
        const auto rows = [&](int y) {
            KernelRows rows{0, 0, 0, 0};
            for (int i = 0; i < 2; ++i) {
                const int at = clamped(block.top + y + i, luma.grid.height_px);
                const int middle = luma.current(x[2], at) + luma.current(x[3], at),
                          next = luma.current(x[1], at) + luma.current(x[4], at),
                          outer = luma.current(x[0], at) + luma.current(x[5], at);
                const int far = -middle - next, near = -3 * middle - 2 * next - outer;
                rows.own += 12 * middle - 3 * next - outer;
                rows.above += i == 0 ? near : far; // its rows y+2 and y+3
                rows.below += i == 0 ? far : near; // its rows y-2 and y-1
                rows.quad += middle;
            }
            return rows;
        };
        unsigned spatial = 0, temporal = 0;
        KernelRows above = rows(first - 2), same = rows(first);
        for (int y = first; y < end; y += 2) {
            const KernelRows below = rows(y + 2);
            if (spatial_column && luma.spatial_row(y))
                spatial += static_cast<unsigned>(abs(above.below + same.own + below.above));
            int v = same.quad;
            for (int i = 0; i < 2; ++i) {
                const int at = clamped(block.top + y + i, luma.grid.height_px);
                v += luma.earlier(x[2], at) + luma.earlier(x[3], at);
            }
            temporal += static_cast<unsigned>(abs(v));
            above = same;
            same = below;
        }
        sums.spatial += spatial;
        sums.temporal += temporal;
    });
}

/// The sum over the block of threads, in thread 0. `warp_sums` are nobody else's until all have returned.
__device__ __forceinline__ unsigned long long block_sum(unsigned long long value, int thread,
                                                        unsigned long long (&warp_sums)[kXpsnrWarps])
{
    value = warp_sum(value);
    if (thread % static_cast<int>(kWarpSize) == 0)
        warp_sums[thread / static_cast<int>(kWarpSize)] = value;
    __syncthreads();
    if (thread == 0)
        for (int warp = 1; warp < kXpsnrWarps; ++warp)
            value += warp_sums[warp];
    return value;
}

template <class Sample>
__device__ __forceinline__ void block_measure(const XpsnrKernelParams &params, uint3 block_index, int thread)
{
    __shared__ unsigned long long warp_sums[5][kXpsnrWarps];
    const XpsnrGrid &grid = params.grid;
    const XpsnrFrame &frame = params.frames[block_index.z];
    const int k = static_cast<int>(block_index.x), column = k % grid.columns, row = k / grid.columns;
    const XpsnrBlock block = xpsnr_block(grid, column, row);
    ThreadSums sums;
#pragma unroll
    for (int plane = 0; plane < 3; ++plane)
        if (plane < grid.plane_count)
            sums.sse[plane] = thread_sse<Sample>(frame.pair.ref[plane], frame.pair.dis[plane],
                                                 xpsnr_plane_part(grid, plane, column, row), thread);
    if (grid.unweighted == 0 && !block.is_thin()) {
        const BlockLuma<Sample> luma{grid, frame, block, xpsnr_has_spatial(grid, block)};
        if (grid.step == 1)
            thread_activity(luma, thread, sums);
        else
            thread_quad_activity(luma, thread, sums);
    }
    XpsnrBlockSums totals;
    totals.spatial = block_sum(sums.spatial, thread, warp_sums[0]);
    totals.temporal = 2 * block_sum(sums.temporal, thread, warp_sums[1]);
#pragma unroll
    for (int plane = 0; plane < 3; ++plane)
        totals.sse[plane] = block_sum(sums.sse[plane], thread, warp_sums[2 + plane]);
    if (thread == 0)
        params.block_sums[static_cast<long long>(block_index.z) * grid.columns * grid.rows + k] = totals;
}

/// spec xpsnr 3.4 and 3.5 of one frame: sums of products in raster order, one thread a plane.
__device__ __forceinline__ void block_errors(const XpsnrKernelParams &params, unsigned frame, int thread)
{
    __shared__ double products[3][kXpsnrChunk];
    const XpsnrGrid &grid = params.grid;
    const int blocks = grid.columns * grid.rows;
    const XpsnrBlockSums *sums = params.block_sums + static_cast<long long>(frame) * blocks;
    double *weights = params.weights + static_cast<long long>(frame) * blocks;
    std::uint64_t *errors = params.frames[frame].sums->error;
    if (grid.unweighted != 0) {
        if (thread < grid.plane_count)
            errors[thread] = sums->sse[thread];
        return;
    }
    for (int k = thread; k < blocks; k += kErrorThreads)
        weights[k] = xpsnr_weight(grid, xpsnr_block(grid, k % grid.columns, k / grid.columns), sums[k]);
    __syncthreads();
    if (xpsnr_smooths(grid)) {
        if (thread == 0)
            xpsnr_smooth(grid, weights);
        __syncthreads();
    }
    double weighted = 0;
    for (int start = 0; start < blocks; start += kXpsnrChunk) {
        const int count = min(kXpsnrChunk, blocks - start);
        for (int i = thread; i < count; i += kErrorThreads)
            for (int plane = 0; plane < grid.plane_count; ++plane)
                products[plane][i] = static_cast<double>(sums[start + i].sse[plane]) * weights[start + i];
        __syncthreads();
        if (thread < grid.plane_count)
            for (int i = 0; i < count; ++i)
                weighted = weighted + products[thread][i];
        __syncthreads();
    }
    if (thread < grid.plane_count)
        errors[thread] = xpsnr_error(grid, weighted);
}

} // namespace
} // namespace vmaf

extern "C" __global__ void __launch_bounds__(vmaf::kThreads)
    vmaf_xpsnr_blocks_8bit(const __grid_constant__ vmaf::XpsnrKernelParams params)
{
    vmaf::block_measure<std::uint8_t>(params, blockIdx, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void __launch_bounds__(vmaf::kThreads)
    vmaf_xpsnr_blocks_16bit(const __grid_constant__ vmaf::XpsnrKernelParams params)
{
    vmaf::block_measure<std::uint16_t>(params, blockIdx, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void __launch_bounds__(vmaf::kErrorThreads)
    vmaf_xpsnr_errors(const __grid_constant__ vmaf::XpsnrKernelParams params)
{
    vmaf::block_errors(params, blockIdx.z, static_cast<int>(threadIdx.x));
}
