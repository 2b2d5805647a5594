#include "common/common.cuh"
#include "common/lane_samples.cuh"
#include "feature/motion/motion_cuda_params.h"
#include "feature/motion/motion_params.h"

// spec motion 3 on batches of frames. Reads 2 samples a pixel (the earlier picture is often still
// in L2), writes one sum. Operations a pixel: 3 for the difference, 8 for each of the two filters,
// 2 for the sum, half a shuffle; the differences of 4/20 of the rows and all of 2/32 of the columns
// are computed twice. Floor at 2160p, 8 bit: 16.6 MB = 4 us; some 200 M lane instructions = 7 us.

namespace vmaf {
inline namespace motion_kernels {

constexpr int kPixels = kMotionLanePixels;
constexpr int kReach = 2; // rows and columns on each side of the centre
constexpr int kTapRows = 2 * kReach + 1;
static_assert(kMotionWarpRows % kTapRows == 0, "the ring of rows is unrolled");
static_assert(kMotionWarpRows * kPixels * 65535LL < (1LL << 32), "a lane's sum fits 32 bits");
static_assert(kMotionWarpWidth == static_cast<int>(kWarpSize - 2) * kPixels, "two lanes supply the halo");

// floor((sum of tap * value + 2^(shift-1)) / 2^shift). The sum itself reaches 2^32. Two of the taps
// are even, so halving before adding drops only a bit that the shift drops anyway, and everything
// fits 32 bits: at most 65535 * 32768 + 16384 in magnitude for values up to 65535.
__device__ __forceinline__ int thread_low_pass(int outer_pair, int inner_pair, int centre, int shift)
{
    constexpr int kOuter = kMotionTaps[0], kHalfInner = kMotionTaps[1] / 2, kHalfCentre = kMotionTaps[2] / 2;
    static_assert(kMotionTaps[1] % 2 == 0 && kMotionTaps[2] % 2 == 0, "halved");
    const int outer = (kOuter * outer_pair + (1 << (shift - 1))) >> 1;
    return (outer + kHalfInner * inner_pair + kHalfCentre * centre) >> (shift - 1);
}

template <class Sample> using MotionSamples = LaneSamples<Sample, kPixels>;

/// The first `count` samples, one by one; 0 for the others. Not inlined: only odd widths and
/// strides bring a lane here.
template <class Sample>
__device__ __noinline__ MotionSamples<Sample> thread_load_samples(const unsigned char *from, int count)
{
    MotionSamples<Sample> loaded{};
#pragma unroll
    for (int i = 0; i < kPixels; ++i)
        if (i < count)
            loaded.put(i, __ldg(reinterpret_cast<const Sample *>(from) + i));
    return loaded;
}

__device__ __forceinline__ void thread_clamp(MotionSamples<std::uint8_t> &, unsigned) {}

__device__ __forceinline__ void thread_clamp(MotionSamples<std::uint16_t> &samples, unsigned max_sample)
{
#pragma unroll
    for (unsigned &word : samples.words)
        word = limited_pair(word, max_sample);
}

/// One row of both pictures.
template <class Sample> struct LanePair {
    MotionSamples<Sample> earlier, current;

    /// Step 1.
    __device__ __forceinline__ void difference(unsigned max_sample, int (&difference)[kPixels])
    {
        thread_clamp(earlier, max_sample);
        thread_clamp(current, max_sample);
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            difference[i] = earlier.sample(i) - current.sample(i);
    }
};

/// The columns of one lane.
template <class Sample> struct LaneColumns {
    CudaPlane earlier, current;
    int height_px;
    int x;            ///< of the first column; negative or beyond the width in lanes that only supply a halo
    int columns_left; ///< from the first column to the end of the row
    bool vector_loads;

    __device__ __forceinline__ MotionSamples<Sample> load(const CudaPlane &plane, int y) const
    {
        MotionSamples<Sample> samples{};
        const unsigned char *from = row_of(plane, mirror(y, height_px)) + x * static_cast<long long>(sizeof(Sample));
        if (vector_loads)
            thread_load_vector(from, samples);
        else if (x >= 0 && columns_left > 0)
            samples = thread_load_samples<Sample>(from, columns_left);
        return samples;
    }

    __device__ __forceinline__ LanePair<Sample> load(int y) const { return {load(earlier, y), load(current, y)}; }
};

/// A lane's values of a filtered row with their neighbours: those of the next lanes, or reflected
/// at the ends of the plane.
struct WideRow {
    int values[kPixels + 2 * kReach];

    __device__ __forceinline__ WideRow(const int (&v)[kPixels], int x, int columns_left)
    {
#pragma unroll
        for (int i = 0; i < kPixels; ++i)
            values[kReach + i] = v[i];
#pragma unroll
        for (int i = 0; i < kReach; ++i) {
            const int left = __shfl_up_sync(kFullWarp, v[kPixels - kReach + i], 1);
            values[i] = x == 0 ? v[kReach - i] : left;
            values[kReach + kPixels + i] = __shfl_down_sync(kFullWarp, v[i], 1);
        }
        if (columns_left < kPixels + kReach)
            reflect_right(columns_left);
    }

    /// `columns_left` is the plane's width as seen from the lane's first column.
    __device__ __forceinline__ void reflect_right(int columns_left)
    {
#pragma unroll
        for (int width = 1; width < kPixels + kReach; ++width)
            if (columns_left == width) {
                values[kReach + width] = values[kReach + width - 2];
                if (width < kPixels + kReach - 1)
                    values[kReach + width + 1] = values[kReach + width - 3];
            }
    }

    /// Steps 3 and 4: the first `count` columns.
    __device__ __forceinline__ unsigned sad(int count) const
    {
        unsigned sum = 0;
#pragma unroll
        for (int i = 0; i < kPixels; ++i) {
            const int *v = values + i;
            const int z = thread_low_pass(v[0] + v[4], v[1] + v[3], v[2], 16);
            if (i < count)
                sum += abs(z);
        }
        return sum;
    }
};

/// The rows from `top` on, at most kMotionWarpRows, of a warp's columns: the lane's share of the
/// sum.
template <class Sample>
__device__ __forceinline__ unsigned warp_sad(const LaneColumns<Sample> &columns, int top, int bpc, bool halo_lane)
{
    const int count = halo_lane ? 0 : columns.columns_left;
    const unsigned max_sample = (1U << bpc) - 1;
    int rows[kTapRows][kPixels]; // difference rows, a ring
#pragma unroll
    for (int i = 0; i < kTapRows - 1; ++i)
        columns.load(top - kReach + i).difference(max_sample, rows[i]);
    LanePair<Sample> next = columns.load(top + kReach);
    unsigned sad = 0;
    for (int start = 0; start < kMotionWarpRows; start += kTapRows) {
#pragma unroll
        for (int step = 0; step < kTapRows; ++step) {
            const int y = top + start + step;
            if (y >= columns.height_px)
                return sad;
            const auto &d0 = rows[step], &d1 = rows[(step + 1) % kTapRows], &d2 = rows[(step + 2) % kTapRows],
                       &d3 = rows[(step + 3) % kTapRows];
            auto &d4 = rows[(step + 4) % kTapRows];
            LanePair<Sample> pair = next;
            if (y + 1 < columns.height_px)
                next = columns.load(y + 1 + kReach); // in flight during the arithmetic of this row
            pair.difference(max_sample, d4);
            int v[kPixels];
#pragma unroll
            for (int i = 0; i < kPixels; ++i)
                v[i] = thread_low_pass(d0[i] + d4[i], d1[i] + d3[i], d2[i], bpc);
            sad += WideRow(v, columns.x, columns.columns_left).sad(count);
        }
    }
    return sad;
}

template <class Sample>
__device__ __forceinline__ void block_motion(const MotionKernelParams &params, const MotionFrame &frame, uint2 tile,
                                             unsigned thread)
{
    const int lane = static_cast<int>(thread % kWarpSize), warp = static_cast<int>(thread / kWarpSize);
    const int top = (static_cast<int>(tile.y) * kMotionBlockWarps + warp) * kMotionWarpRows;
    LaneColumns<Sample> columns;
    columns.earlier = frame.earlier;
    columns.current = frame.current;
    columns.height_px = params.height_px;
    columns.x = static_cast<int>(tile.x) * kMotionWarpWidth + (lane - 1) * kPixels;
    columns.columns_left = params.width_px - columns.x;
    columns.vector_loads = columns.x >= 0 && columns.columns_left >= kPixels &&
                           rows_are_aligned(columns.earlier, MotionSamples<Sample>::kBytes) &&
                           rows_are_aligned(columns.current, MotionSamples<Sample>::kBytes);
    const bool halo_lane = lane == 0 || lane == static_cast<int>(kWarpSize) - 1;
    const unsigned sad = top < params.height_px ? warp_sad(columns, top, params.bpc, halo_lane) : 0;
    block_add<kMotionBlockWarps>(sad, thread, &frame.sums->sad);
}

} // namespace motion_kernels

extern "C" __global__ void __launch_bounds__(kMotionBlockWarps *kWarpSize)
    vmaf_motion_sad_8bit(const __grid_constant__ MotionKernelParams params)
{
    const MotionFrame &frame = params.frames[blockIdx.z];
    if (frame.earlier.data != nullptr)
        block_motion<std::uint8_t>(params, frame, make_uint2(blockIdx.x, blockIdx.y), threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kMotionBlockWarps *kWarpSize)
    vmaf_motion_sad_16bit(const __grid_constant__ MotionKernelParams params)
{
    const MotionFrame &frame = params.frames[blockIdx.z];
    if (frame.earlier.data != nullptr)
        block_motion<std::uint16_t>(params, frame, make_uint2(blockIdx.x, blockIdx.y), threadIdx.x);
}

} // namespace vmaf
