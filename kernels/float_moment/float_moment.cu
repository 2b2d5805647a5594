#include "common/pair_rows.cuh"
#include "feature/float_moment/float_moment_cuda_params.h"

// spec float_features 3.11 on batches of frames: luma. Reads 2 samples a pixel, writes four sums.
// Operations a pixel: 1 at 8 bit (four samples, then four squares added, an instruction each), 7
// above, 11 at 16 bit. Floor at 2160p, 8 bit: 16.6 MB = 4 us.

namespace vmaf {
inline namespace float_moment_kernels {

constexpr unsigned kThreads = kFloatMomentBlockWarps * kWarpSize;

/// A lane's moments of one picture. Those of 8 bits fit 32 bits: 66051 squares do.
template <class Sample, bool Rounded> struct LaneMoments {
    unsigned sum = 0;
    std::uint64_t squares = 0;

    __device__ __forceinline__ void sample(unsigned value)
    {
        sum += value;
        if constexpr (Rounded) {
            const float exact = __uint2float_rn(value);
            squares += __float2uint_rz(exact * exact);
        } else {
            squares += static_cast<std::uint64_t>(value) * value;
        }
    }
    __device__ __forceinline__ void word(unsigned samples)
    {
        sample(samples & 0xffff);
        sample(samples >> 16);
    }
};

template <> struct LaneMoments<std::uint8_t, false> {
    unsigned sum = 0;
    unsigned squares = 0;

    __device__ __forceinline__ void sample(unsigned value)
    {
        sum += value;
        squares += value * value;
    }
    __device__ __forceinline__ void word(unsigned samples)
    {
        sum = __dp4a(samples, 0x01010101U, sum);
        squares = __dp4a(samples, samples, squares);
    }
};

template <class Moments> struct PairMoments {
    Moments ref, dis;

    __device__ __forceinline__ void vector(const uint4 &r, const uint4 &d)
    {
        take(ref, r);
        take(dis, d);
    }
    __device__ __forceinline__ void sample(unsigned r, unsigned d)
    {
        ref.sample(r);
        dis.sample(d);
    }

  private:
    static __device__ __forceinline__ void take(Moments &moments, const uint4 &samples)
    {
        moments.word(samples.x);
        moments.word(samples.y);
        moments.word(samples.z);
        moments.word(samples.w);
    }
};

/// Adds the sums of `values` over the block to `totals`.
__device__ __forceinline__ void block_add_all(const unsigned long long (&values)[4], unsigned thread,
                                              FloatMomentSums *totals)
{
    __shared__ unsigned long long warp_sums[kFloatMomentBlockWarps][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const unsigned long long sum = warp_sum(values[i]);
        if (thread % kWarpSize == 0)
            warp_sums[thread / kWarpSize][i] = sum;
    }
    __syncthreads();
    if (thread >= 4)
        return;
    unsigned long long sum = 0;
    for (unsigned warp = 0; warp < kFloatMomentBlockWarps; ++warp)
        sum += warp_sums[warp][thread];
    atomicAdd(reinterpret_cast<unsigned long long *>(totals) + thread, sum);
}

template <class Sample, bool Rounded>
__device__ __forceinline__ void block_moments(const FloatMomentKernelParams &params, uint3 block, unsigned thread)
{
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const int top = static_cast<int>(block.x * kFloatMomentBlockWarps + thread / kWarpSize) * kFloatMomentWarpRows;
    const int rows = min(params.height_px - top, kFloatMomentWarpRows);
    PairMoments<LaneMoments<Sample, Rounded>> lane;
    if (rows > 0)
        warp_take_rows<Sample, kFloatMomentWarpRows>(frame.ref[0], frame.dis[0], top, rows, params.width_px,
                                                     thread % kWarpSize, lane);
    static_assert(offsetof(FloatMomentSums, dis) == 2 * sizeof(std::uint64_t), "sum and squares of ref, then of dis");
    block_add_all({lane.ref.sum, lane.ref.squares, lane.dis.sum, lane.dis.squares}, thread,
                  static_cast<FloatMomentSums *>(frame.sums));
}

} // namespace float_moment_kernels

extern "C" __global__ void __launch_bounds__(kThreads)
    vmaf_float_moment_8bit(const __grid_constant__ FloatMomentKernelParams params)
{
    block_moments<std::uint8_t, false>(params, blockIdx, threadIdx.x);
}

// 10 and 12 bit.
extern "C" __global__ void __launch_bounds__(kThreads)
    vmaf_float_moment_12bit(const __grid_constant__ FloatMomentKernelParams params)
{
    block_moments<std::uint16_t, false>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kThreads)
    vmaf_float_moment_16bit(const __grid_constant__ FloatMomentKernelParams params)
{
    block_moments<std::uint16_t, true>(params, blockIdx, threadIdx.x);
}

} // namespace vmaf
