#include "common/common.cuh"
#include "common/lane_samples.cuh"
#include "common/square_error.cuh"
#include "feature/xpsnr/xpsnr_cuda_params.h"

// spec xpsnr 3.2 to 3.5 on batches of frames, all planes in one launch and the weights in a second,
// small one. Reads 2 samples a pixel of every plane and one or two of earlier luma, which is often
// still in L2; writes 40 bytes a block of the picture. 4:2:0, per luma pixel: 4 bytes at 8 bit (fps
// < 32; else 5), 14 operations (blocks of quads, above 2048x1152) or 17. Floor on an H200, at 4.2
// TB/s and 16.6 T multiplications or additions a second: 2160p, 8 bit 33.2 MB = 7.9 us and 7.0 us
// of operations; 1080p 8.3 MB = 2.0 us and 2.1 us.
//
// A thread walks down four columns. Of a row it loads four samples at once: its own, those on both
// sides, those of the earlier pictures; the squared errors are a walk of their own, over samples
// that the first-level cache still has.

namespace vmaf {
inline namespace xpsnr_kernels {

constexpr int kThreads = kXpsnrWarps * static_cast<int>(kWarpSize);
constexpr int kErrorThreads = kXpsnrErrorWarps * static_cast<int>(kWarpSize);

constexpr int kPixels = 4; ///< columns of a thread; blocks of luma begin at a multiple of them
template <class Sample> using Four = LaneSamples<Sample, kPixels>;

__device__ __forceinline__ int clamped(int index, int size)
{
    return min(max(index, 0), size - 1);
}

/// Where `plane` has a row and `x` its first of four columns there. Outside, the nearest sample;
/// not inlined: only the edges of pictures and unaligned rows bring a thread here.
template <class Sample>
__device__ __noinline__ Four<Sample> thread_load_clamped(const unsigned char *row, int x, int width)
{
    Four<Sample> loaded{};
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        loaded.put(i, __ldg(reinterpret_cast<const Sample *>(row) + clamped(x + i, width)));
    return loaded;
}

/// A plane with its width: how a thread reads four samples.
template <class Sample> struct Columns {
    CudaPlane plane;
    int width_px;
    bool vectors; ///< every row begins where four samples may be read at once

    __device__ __forceinline__ Columns(const CudaPlane &of, int width)
        : plane(of), width_px(width), vectors(rows_are_aligned(of, Four<Sample>::kBytes))
    {
    }

    /// `x` is a multiple of four. Black where there is no plane. Outside, the nearest sample.
    __device__ __forceinline__ Four<Sample> load(int x, int y) const
    {
        Four<Sample> samples{};
        if (plane.data == nullptr)
            return samples;
        const unsigned char *row = row_of(plane, y);
        if (vectors && x >= 0 && x + kPixels <= width_px)
            thread_load_vector(row + x * static_cast<long long>(sizeof(Sample)), samples);
        else
            samples = thread_load_clamped<Sample>(row, x, width_px);
        return samples;
    }
};

/// What a thread has of a block.
struct ThreadSums {
    unsigned long long spatial = 0;
    unsigned long long temporal = 0; ///< half of it
    unsigned long long sse[3] = {0, 0, 0};
};

/// Calls visit(column, first, end) for the thread's parts of `columns` columns of `height` rows: as
/// many rows as give every thread one part, but at least `least` and a multiple of it.
template <class Visit>
__device__ __forceinline__ void thread_columns(int columns, int height, int least, int thread, Visit &&visit)
{
    const int rows = ((columns * height + kThreads - 1) / kThreads + least - 1) / least * least;
    const int items = columns * ((height + rows - 1) / rows);
    for (int item = thread; item < items; item += kThreads) {
        const int first = item / columns * rows;
        visit(item % columns, first, min(first + rows, height));
    }
}

/// Zero but where `first` <= i < `end`.
template <class Sample> __device__ __forceinline__ void thread_keep(Four<Sample> &samples, int first, int end)
{
    constexpr int kSampleBits = 8 * static_cast<int>(sizeof(Sample));
    constexpr unsigned kSample = (1U << kSampleBits) - 1;
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        if (i < first || i >= end)
            samples.words[i / Four<Sample>::kPerWord] &= ~(kSample << i % Four<Sample>::kPerWord * kSampleBits);
}

/// A part of a chroma plane begins anywhere: what lies beside it in its first and last four samples
/// is left out.
template <class Sample>
__device__ __forceinline__ unsigned long long thread_sse(const CudaPlane &ref, const CudaPlane &dis, int plane_width,
                                                         const XpsnrPlanePart &part, int thread)
{
    if (part.width <= 0)
        return 0;
    const Columns<Sample> of_ref(ref, plane_width), of_dis(dis, plane_width);
    const int begin = part.left / kPixels * kPixels, right = part.left + part.width;
    unsigned long long sum = 0;
    thread_columns((right - begin + kPixels - 1) / kPixels, part.height, 1, thread,
                   [&](int column, int first, int end) {
                       const int x = begin + column * kPixels;
                       const bool whole = x >= part.left && x + kPixels <= right;
                       for (int y = part.top + first; y < part.top + end; ++y) {
                           Four<Sample> r = of_ref.load(x, y), d = of_dis.load(x, y);
                           if (!whole) {
                               thread_keep<Sample>(r, part.left - x, right - x);
                               thread_keep<Sample>(d, part.left - x, right - x);
                           }
#pragma unroll
                           for (int i = 0; i < Four<Sample>::kWords; ++i)
                               sum += thread_word_sse(r.words[i], d.words[i], Sample{});
                       }
                   });
    return sum;
}

/// A row of luma around a thread's columns.
template <class Sample> struct RowAround {
    Four<Sample> before, own, behind;

    /// `i` from -kPixels on: the thread's first column is 0.
    __device__ __forceinline__ int sample(int i) const
    {
        return i < 0 ? before.sample(i + kPixels) : i < kPixels ? own.sample(i) : behind.sample(i - kPixels);
    }
};

/// A frame's block, and how luma is read around it.
template <class Sample> struct BlockLuma {
    const XpsnrGrid &grid;
    const XpsnrBlock &block;
    Columns<Sample> current, earlier[kXpsnrLookBack];
    bool has_spatial;

    __device__ __forceinline__ BlockLuma(const XpsnrGrid &the_grid, const XpsnrFrame &frame,
                                         const XpsnrBlock &the_block)
        : grid(the_grid), block(the_block),
          current(frame.pair.ref[0], the_grid.width_px), earlier{{frame.earlier[0], the_grid.width_px},
                                                                 {frame.earlier[1], the_grid.width_px}},
          has_spatial(xpsnr_has_spatial(the_grid, the_block))
    {
    }

    /// Samples around a column and row relative to the block. Rows outside the picture are the
    /// nearest one.
    __device__ __forceinline__ RowAround<Sample> around(int column, int row) const
    {
        const int x = block.left + column, y = clamped(block.top + row, grid.height_px);
        return {current.load(x - kPixels, y), current.load(x, y), current.load(x + kPixels, y)};
    }

    /// v of a row's four columns, less the samples themselves.
    __device__ __forceinline__ void add_earlier(int column, int row, int (&v)[kPixels]) const
    {
        const int x = block.left + column, y = clamped(block.top + row, grid.height_px);
        const Four<Sample> one_before = earlier[0].load(x, y);
        if (grid.second_order == 0) {
#pragma unroll
            for (int i = 0; i < kPixels; ++i)
                v[i] -= one_before.sample(i);
            return;
        }
        const Four<Sample> two_before = earlier[1].load(x, y);
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            v[i] += two_before.sample(i) - 2 * one_before.sample(i);
    }

    /// Whether a column relative to the block counts.
    __device__ __forceinline__ bool spatial_column(int column) const
    {
        return has_spatial && column >= block.x_begin && column < block.x_end;
    }
    __device__ __forceinline__ bool spatial_row(int row) const
    {
        return row >= block.y_begin && row < block.y_end;
    }

    /// Calls visit(column, first, end) for the thread's columns.
    template <class Visit> __device__ __forceinline__ void columns(int thread, Visit &&visit) const
    {
        constexpr int kLeastRows = 4; // four more are read above and below
        thread_columns((block.width + kPixels - 1) / kPixels, block.height, kLeastRows, thread,
                       [&](int column, int first, int end) { visit(column * kPixels, first, end); });
    }
};

/// A row of the 3x3 kernel, for each of the thread's columns.
struct KernelRow {
    int outer[kPixels];  ///< times 1 2 1
    int middle[kPixels]; ///< times -2 12 -2
    int sample[kPixels];
};

/// spec xpsnr 3.2 and 3.3, m = 1.
template <class Sample>
__device__ __forceinline__ void thread_activity(const BlockLuma<Sample> &luma, int thread, ThreadSums &sums)
{
    luma.columns(thread, [&](int column, int first, int end) {
        const auto row = [&](int y) {
            const RowAround<Sample> samples = luma.around(column, y);
            KernelRow row;
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                const int sides = samples.sample(i - 1) + samples.sample(i + 1);
                row.sample[i] = samples.sample(i);
                row.outer[i] = sides + 2 * row.sample[i];
                row.middle[i] = 12 * row.sample[i] - 2 * sides;
            }
            return row;
        };
        bool is_measured[kPixels];
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            is_measured[i] = luma.spatial_column(column + i);
        unsigned spatial = 0, temporal = 0;
        KernelRow above = row(first - 1), same = row(first);
        for (int y = first; y < end; ++y) {
            const KernelRow below = row(y + 1);
            const bool spatial_row = luma.spatial_row(y);
            int v[kPixels];
#pragma unroll
            for (int i = 0; i < kPixels; ++i) {
                v[i] = same.sample[i];
                if (spatial_row && is_measured[i])
                    spatial += static_cast<unsigned>(abs(same.middle[i] - above.outer[i] - below.outer[i]));
            }
            luma.add_earlier(column, y, v);
#pragma unroll
            for (int i = 0; i < kPixels; ++i)
                if (column + i < luma.block.width)
                    temporal += static_cast<unsigned>(abs(v[i]));
            above = same;
            same = below;
        }
        sums.spatial += spatial;
        sums.temporal += temporal;
    });
}

constexpr int kQuads = kPixels / 2;

/// Two rows of the 6x6 kernel, which the thread's quads lie on: what they add to a quad's f, to
/// that of the quad above and to that of the quad below.
struct KernelRows {
    int own[kQuads], above[kQuads], below[kQuads];
    int quad[kQuads]; ///< the sum of its samples
};

/// spec xpsnr 3.2 and 3.3, m = 2.
template <class Sample>
__device__ __forceinline__ void thread_quad_activity(const BlockLuma<Sample> &luma, int thread, ThreadSums &sums)
{
    luma.columns(thread, [&](int column, int first, int end) {
        const auto rows = [&](int y) {
            KernelRows rows{};
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const RowAround<Sample> samples = luma.around(column, y + i);
#pragma unroll
                for (int q = 0; q < kQuads; ++q) {
                    const int x = 2 * q;
                    const int middle = samples.sample(x) + samples.sample(x + 1),
                              next = samples.sample(x - 1) + samples.sample(x + 2),
                              outer = samples.sample(x - 2) + samples.sample(x + 3);
                    const int far = -middle - next, near = -3 * middle - 2 * next - outer;
                    rows.own[q] += 12 * middle - 3 * next - outer;
                    rows.above[q] += i == 0 ? near : far; // its rows y+2 and y+3
                    rows.below[q] += i == 0 ? far : near; // its rows y-2 and y-1
                    rows.quad[q] += middle;
                }
            }
            return rows;
        };
        bool is_measured[kQuads];
#pragma unroll
        for (int q = 0; q < kQuads; ++q)
            is_measured[q] = luma.spatial_column(column + 2 * q);
        unsigned spatial = 0, temporal = 0;
        KernelRows above = rows(first - 2), same = rows(first);
        for (int y = first; y < end; y += 2) {
            const KernelRows below = rows(y + 2);
            const bool spatial_row = luma.spatial_row(y);
            int v[kPixels] = {};
            luma.add_earlier(column, y, v);
            luma.add_earlier(column, y + 1, v);
#pragma unroll
            for (int q = 0; q < kQuads; ++q) {
                if (spatial_row && is_measured[q])
                    spatial += static_cast<unsigned>(abs(above.below[q] + same.own[q] + below.above[q]));
                if (column + 2 * q < luma.block.width)
                    temporal += static_cast<unsigned>(abs(same.quad[q] + v[2 * q] + v[2 * q + 1]));
            }
            above = same;
            same = below;
        }
        sums.spatial += spatial;
        sums.temporal += temporal;
    });
}

template <class Sample>
__device__ __forceinline__ void block_measure(const XpsnrKernelParams &params, uint3 block_index, int thread)
{
    __shared__ unsigned long long warp_sums[5][kXpsnrWarps]; // a line each: thread 0 may be a call behind
    const XpsnrGrid &grid = params.grid;
    const XpsnrFrame &frame = params.frames[block_index.z];
    const int k = static_cast<int>(block_index.x), column = k % grid.columns, row = k / grid.columns;
    const XpsnrBlock block = xpsnr_block(grid, column, row);
    ThreadSums sums;
#pragma unroll
    for (int plane = 0; plane < 3; ++plane)
        if (plane < grid.plane_count)
            sums.sse[plane] = thread_sse<Sample>(frame.pair.ref[plane], frame.pair.dis[plane],
                                                 plane == 0 ? grid.width_px : grid.width_px >> grid.chroma_shift_x,
                                                 xpsnr_plane_part(grid, plane, column, row), thread);
    if (grid.unweighted == 0 && !block.is_thin()) {
        const BlockLuma<Sample> luma(grid, frame, block);
        if (grid.step == 1)
            thread_activity(luma, thread, sums);
        else
            thread_quad_activity(luma, thread, sums);
    }
    const auto index = static_cast<unsigned>(thread);
    XpsnrBlockSums totals;
    totals.spatial = block_total(sums.spatial, index, warp_sums[0]);
    totals.temporal = 2 * block_total(sums.temporal, index, warp_sums[1]);
#pragma unroll
    for (int plane = 0; plane < 3; ++plane)
        totals.sse[plane] = block_total(sums.sse[plane], index, warp_sums[2 + plane]);
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

} // namespace xpsnr_kernels

extern "C" __global__ void __launch_bounds__(kThreads)
    vmaf_xpsnr_blocks_8bit(const __grid_constant__ XpsnrKernelParams params)
{
    block_measure<std::uint8_t>(params, blockIdx, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void __launch_bounds__(kThreads)
    vmaf_xpsnr_blocks_16bit(const __grid_constant__ XpsnrKernelParams params)
{
    block_measure<std::uint16_t>(params, blockIdx, static_cast<int>(threadIdx.x));
}

extern "C" __global__ void __launch_bounds__(kErrorThreads)
    vmaf_xpsnr_errors(const __grid_constant__ XpsnrKernelParams params)
{
    block_errors(params, blockIdx.z, static_cast<int>(threadIdx.x));
}

} // namespace vmaf
