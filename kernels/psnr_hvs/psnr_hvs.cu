#include "common/common.cuh"
#include "feature/psnr_hvs/psnr_hvs_cuda_params.h"

// spec psnr_hvs 3 on batches of frames. Three kernels for each part of a batch: the errors z of
// every coefficient; what each group of blocks adds to the accumulator, whose exponent is guessed;
// the accumulator, in order (spec psnr_hvs 5).
//
// A thread transforms one block of one picture, in registers. Operations of such a block: 64 loads,
// 64 conversions, 384 for the deviations, 16 transforms of 72, 250 for the mask; then half of the
// coefficients of both pictures, 14 each: 2,350. 2.04 blocks and pictures for every 49 luma pixels
// of 4:2:0: 200 a pixel, 0.015 ms at 1080p. Bytes: 3 read a pixel, and 8 for z, written and read
// once, that is 33 MB at 1080p = 0.008 ms.

namespace vmaf {
inline namespace psnr_hvs_kernels {

constexpr unsigned kSide = kHvsBlockPx, kHalf = kSide / 2;
constexpr unsigned kHalfCoefficients = kHvsCoefficients / 2;

__device__ __forceinline__ int thread_half(int a)
{
    return a / 2;
}

/// spec psnr_hvs 3.3: r.
template <int Factor, int Shift> __device__ __forceinline__ int thread_product(int a)
{
    return (a * Factor + (1 << (Shift - 1))) >> Shift;
}

/// A block of one picture: samples, then coefficients, in raster order.
struct Block {
    int v[kHvsCoefficients];

    /// spec psnr_hvs 3.2: gv.
    __device__ __forceinline__ float variance_ratio() const;

    /// spec psnr_hvs 3.3: the one-dimensional transform of eight numbers, Step apart.
    template <unsigned Step> __device__ __forceinline__ void transform(unsigned first);
};

/// `column` and `row` count blocks. Samples above `peak` count as `peak`.
template <class Sample>
__device__ __forceinline__ Block thread_load(const CudaPlane &plane, unsigned column, unsigned row, unsigned peak)
{
    const unsigned char *from =
        row_of(plane, static_cast<int>(kHvsStepPx * row)) + kHvsStepPx * column * sizeof(Sample);
    Block block;
#pragma unroll
    for (unsigned i = 0; i < kSide; ++i)
#pragma unroll
        for (unsigned j = 0; j < kSide; ++j) {
            const unsigned sample = __ldg(reinterpret_cast<const Sample *>(from + plane.stride_bytes * i) + j);
            block.v[kSide * i + j] = static_cast<int>(sizeof(Sample) == 1 ? sample : min(sample, peak));
        }
    return block;
}

__device__ __forceinline__ void thread_add_squared(float &sum, float sample, float mean)
{
    const float deviation = sample - mean;
    sum += deviation * deviation;
}

__device__ __forceinline__ float Block::variance_ratio() const
{
    constexpr float kWhole = 1.0F / 63.0F * 64.0F, kQuadrant = 1.0F / 15.0F * 16.0F;
    constexpr float kLeast = 0x1p-100F; // keeps 0 / 0 away, where every deviation is 0
    const auto quadrant = [](unsigned k) { return k % kSide / kHalf * 2 + k / (kSide * kHalf); }; // TL, BL, TR, BR
    int sums[4] = {};
#pragma unroll
    for (unsigned k = 0; k < kHvsCoefficients; ++k)
        sums[quadrant(k)] += v[k];
    const float mean = static_cast<float>((sums[0] + sums[1]) + (sums[2] + sums[3])) * (1.0F / 64.0F);
    float means[4], variances[4] = {}, variance = 0;
#pragma unroll
    for (unsigned q = 0; q < 4; ++q)
        means[q] = static_cast<float>(sums[q]) * (1.0F / 16.0F);
#pragma unroll
    for (unsigned k = 0; k < kHvsCoefficients; ++k) {
        const float sample = static_cast<float>(v[k]);
        thread_add_squared(variance, sample, mean);
        thread_add_squared(variances[quadrant(k)], sample, means[quadrant(k)]);
    }
#pragma unroll
    for (float &of_quadrant : variances)
        of_quadrant *= kQuadrant;
    return (((variances[0] + variances[1]) + variances[2]) + variances[3]) / fmaxf(variance * kWhole, kLeast);
}

template <unsigned Step> __device__ __forceinline__ void Block::transform(unsigned first)
{
    const auto x = [&](unsigned k) { return v[first + k * Step]; };
    int u1 = x(0) - x(7);
    const int k1 = thread_half(u1);
    int u0 = x(0) - k1;
    int u4 = x(1) + x(6);
    const int k4 = thread_half(u4);
    int u5 = x(6) - k4;
    int u3 = x(2) - x(5);
    int u2 = x(2) - thread_half(u3);
    int u6 = x(3) + x(4);
    const int k6 = thread_half(u6);
    int u7 = k6 - x(4);
    u0 += k6;
    u6 = u0 - u6;
    u2 = k4 - u2;
    u4 = u2 - u4;
    u0 -= thread_product<13573, 15>(u4);
    u4 += thread_product<11585, 14>(u0);
    u0 -= thread_product<13573, 15>(u4);
    u6 -= thread_product<21895, 15>(u2);
    u2 += thread_product<15137, 14>(u6);
    u6 -= thread_product<21895, 15>(u2);
    u3 += thread_product<19195, 15>(u5);
    u5 += thread_product<11585, 14>(u3);
    u3 -= thread_product<7489, 13>(u5);
    u7 = thread_half(u5) - u7;
    u5 -= u7;
    u3 = k1 - u3;
    u1 -= u3;
    u7 += thread_product<3227, 15>(u1);
    u1 -= thread_product<6393, 15>(u7);
    u7 += thread_product<3227, 15>(u1);
    u5 += thread_product<2485, 13>(u3);
    u3 -= thread_product<18205, 15>(u5);
    u5 += thread_product<2485, 13>(u3);
    const int u[kSide] = {u0, u1, u2, u3, u4, u5, u6, u7};
#pragma unroll
    for (unsigned k = 0; k < kSide; ++k)
        v[first + k * Step] = u[k];
}

/// What the two halves of a block of threads exchange: of ref and of dis.
struct HvsExchange {
    short coefficients[2][kHvsCoefficients][kHvsGroupBlocks];
    float masks[2][kHvsGroupBlocks];
};

/// The transforms along the rows, and the mask of spec psnr_hvs 3.4.
__device__ __forceinline__ void thread_transform_and_mask(Block &block, const HvsWeights &weights, unsigned picture,
                                                          unsigned slot, HvsExchange &exchange)
{
    const float ratio = block.variance_ratio();
#pragma unroll
    for (unsigned j = 0; j < kSide; ++j)
        block.transform<kSide>(j);
    float sum = 0;
#pragma unroll
    for (unsigned i = 0; i < kSide; ++i) {
        block.transform<1>(kSide * i);
#pragma unroll
        for (unsigned k = kSide * i; k < kSide * (i + 1); ++k) {
            exchange.coefficients[picture][k][slot] = static_cast<short>(block.v[k]);
            const float coefficient = static_cast<float>(block.v[k]);
            if (k > 0) // the product of two such floats is X * X rounded once
                sum += (coefficient * coefficient) * weights.mask[k];
        }
    }
    exchange.masks[picture][slot] = sqrtf(sum * ratio) * (1.0F / 32.0F);
}

/// z of half of a block's coefficients. @return about their sum.
__device__ __forceinline__ float thread_errors(const HvsExchange &exchange, const HvsKernelWeights &weights,
                                               unsigned half, unsigned slot, bool inside, HvsGroupErrors &errors)
{
    const float threshold = fmaxf(exchange.masks[0][slot], exchange.masks[1][slot]);
    float total = 0;
#pragma unroll
    for (unsigned i = 0; i < kHalfCoefficients; ++i) {
        const unsigned k = half * kHalfCoefficients + i;
        const int difference = exchange.coefficients[0][k][slot] - exchange.coefficients[1][k][slot];
        const float hidden = k == 0 ? 0 : hvs_quotient(threshold, weights.weights.mask[k], weights.inverse_mask[k]);
        const float weighted = fmaxf(static_cast<float>(abs(difference)) - hidden, 0) * weights.weights.csf[k];
        const float z = inside ? weighted * weighted : 0;
        errors.z[k][slot] = z;
        total += z;
    }
    return total;
}

template <class T> __device__ __forceinline__ T warp_sum_of(T value)
{
    for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
        value += __shfl_xor_sync(kFullWarp, value, static_cast<int>(distance));
    return value;
}

/// The sum over the block's threads, in every thread.
template <unsigned Warps, class T> __device__ __forceinline__ T block_sum_of(T value, unsigned thread)
{
    __shared__ T warp_sums[Warps];
    value = warp_sum_of(value);
    if (thread % kWarpSize == 0)
        warp_sums[thread / kWarpSize] = value;
    __syncthreads();
    value = 0;
#pragma unroll
    for (unsigned warp = 0; warp < Warps; ++warp)
        value += warp_sums[warp];
    return value;
}

/// Where a group of a part is among the frame's slots of scratch memory, and all frames'.
__device__ __forceinline__ unsigned long long slot_of(const PsnrHvsKernelParams &params, unsigned plane, unsigned frame,
                                                      unsigned group_of_part)
{
    return static_cast<unsigned long long>(frame) * params.frame_slots + params.planes[plane].first_slot +
           group_of_part;
}

/// The groups of a plane in this part.
__device__ __forceinline__ unsigned groups_of_part(const PsnrHvsKernelParams &params, unsigned plane)
{
    const unsigned groups = params.planes[plane].groups;
    return groups > params.first_group ? min(groups - params.first_group, params.part_groups) : 0;
}

template <class Sample>
__device__ __forceinline__ void block_errors(const PsnrHvsKernelParams &params, uint3 block, unsigned thread)
{
    __shared__ HvsExchange exchange;
    const unsigned plane = block.y;
    if (block.x >= groups_of_part(params, plane))
        return;
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const HvsKernelPlane &geometry = params.planes[plane];
    const HvsKernelWeights &weights = params.weights[plane];
    const unsigned side = thread / kHvsGroupBlocks, slot = thread % kHvsGroupBlocks; // a warp is of one side
    const unsigned number = (params.first_group + block.x) * kHvsGroupBlocks + slot;
    const bool inside = number < geometry.blocks;
    const unsigned place = inside ? number : geometry.blocks - 1;
    Block samples = thread_load<Sample>(side == 0 ? frame.ref[plane] : frame.dis[plane], place % geometry.columns,
                                        place / geometry.columns, params.peak);
    thread_transform_and_mask(samples, weights.weights, side, slot, exchange);
    __syncthreads();
    const unsigned long long group = slot_of(params, plane, block.z, block.x);
    const float total = thread_errors(exchange, weights, side, slot, inside, params.errors[group]);
    const float sum = block_sum_of<kHvsErrorThreads / kWarpSize>(total, thread);
    if (thread == 0)
        params.totals[group] = sum;
}

// The sum in the order of the chapter. An accumulator is its bits: adding is adding to them while
// the exponent stays.

constexpr unsigned kExponent = 0x7f800000U;
/// More than what leaves an exponent as it is; sums of it over kHvsAddThreads threads stay below
/// 2^31.
constexpr unsigned kTooMuch = 1U << 23;

__device__ __forceinline__ bool same_exponent(unsigned a, unsigned b)
{
    return ((a ^ b) & kExponent) == 0;
}

__device__ __forceinline__ unsigned thread_increment(const HvsIncrement &increment, unsigned accumulator)
{
    return (accumulator & 1) != 0 ? increment.of_odd : increment.of_even;
}

/// What two runs add, one after the other.
__device__ __forceinline__ HvsIncrement thread_compose(const HvsIncrement &first, const HvsIncrement &second)
{
    return {first.of_even + thread_increment(second, first.of_even),
            first.of_odd + thread_increment(second, first.of_odd + 1)};
}

/// The errors of one block, in registers.
struct HvsRun {
    float z[kHvsCoefficients];

    __device__ __forceinline__ void load(const HvsGroupErrors &errors, unsigned slot)
    {
#pragma unroll
        for (unsigned k = 0; k < kHvsCoefficients; ++k)
            z[k] = slot < kHvsGroupBlocks ? errors.z[k][slot] : 0;
    }

    /// What the run adds to an accumulator whose exponent is `exponent`: added to the smallest
    /// such, and to the next one.
    __device__ __forceinline__ HvsIncrement increment(unsigned exponent) const
    {
        float even = __uint_as_float(exponent), odd = __uint_as_float(exponent | 1);
#pragma unroll
        for (unsigned k = 0; k < kHvsCoefficients; ++k) {
            even += z[k];
            odd += z[k];
        }
        return {min(__float_as_uint(even) - exponent, kTooMuch), min(__float_as_uint(odd) - (exponent | 1), kTooMuch)};
    }

    __device__ __forceinline__ unsigned add_in_order(unsigned accumulator) const
    {
        float sum = __uint_as_float(accumulator);
#pragma unroll
        for (unsigned k = 0; k < kHvsCoefficients; ++k)
            sum += z[k];
        return __float_as_uint(sum);
    }
};

/// What the threads' runs up to each thread's own add, in the order of the threads.
template <unsigned Warps> __device__ __forceinline__ HvsIncrement block_scan(HvsIncrement run, unsigned thread)
{
    __shared__ HvsIncrement warp_totals[Warps];
    const unsigned lane = thread % kWarpSize, warp = thread / kWarpSize;
#pragma unroll
    for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
        const HvsIncrement before{__shfl_up_sync(kFullWarp, run.of_even, distance),
                                  __shfl_up_sync(kFullWarp, run.of_odd, distance)};
        if (lane >= distance)
            run = thread_compose(before, run);
    }
    __syncthreads(); // everyone is past the totals of the scan before
    if (lane == kWarpSize - 1)
        warp_totals[warp] = run;
    __syncthreads();
    HvsIncrement before{};
    for (unsigned other = 0; other < warp; ++other)
        before = thread_compose(before, warp_totals[other]);
    return thread_compose(before, run);
}

/// What a group adds, if its exponent is that of the estimated sum of all that is before it.
__device__ __forceinline__ void block_increment(const PsnrHvsKernelParams &params, uint3 block, unsigned thread)
{
    constexpr unsigned kWarps = kHvsGroupBlocks / kWarpSize;
    const unsigned plane = block.y;
    if (block.x >= groups_of_part(params, plane))
        return;
    const unsigned long long first = slot_of(params, plane, block.z, 0), group = first + block.x;
    double before = 0;
    for (unsigned i = thread; i < block.x; i += kHvsGroupBlocks)
        before += static_cast<double>(params.totals[first + i]);
    const PsnrHvsSums &sums = *static_cast<const PsnrHvsSums *>(params.batch.frames[block.z].sums);
    const double estimate = block_sum_of<kWarps>(before, thread) + static_cast<double>(sums.accumulator[plane]);
    const unsigned exponent = __float_as_uint(static_cast<float>(estimate)) & kExponent;
    HvsRun run{};
    if (params.totals[group] != 0)
        run.load(params.errors[group], thread);
    const HvsIncrement total = block_scan<kWarps>(run.increment(exponent), thread);
    if (thread == kHvsGroupBlocks - 1)
        params.increments[group] = {exponent, {min(total.of_even, kTooMuch), min(total.of_odd, kTooMuch)}};
}

/// Adds the runs of the threads in their order, as many as leave the exponent as it is.
/// @return how many.
__device__ __forceinline__ unsigned block_add_runs(const HvsIncrement &run, unsigned thread, unsigned &accumulator)
{
    __shared__ unsigned reached;
    const HvsIncrement up_to = block_scan<kHvsAddThreads / kWarpSize>(run, thread);
    const unsigned end = accumulator + thread_increment(up_to, accumulator);
    const auto count = static_cast<unsigned>(__syncthreads_count(same_exponent(end, accumulator)));
    if (count == 0)
        return 0;
    if (thread == count - 1)
        reached = end;
    __syncthreads();
    accumulator = reached;
    return count;
}

/// Adds a group in which the exponent changes, or whose exponent was not guessed: block by block
/// where it changes.
__device__ __forceinline__ void block_add_group(const HvsGroupErrors &errors, unsigned thread, unsigned &accumulator)
{
    __shared__ unsigned reached;
    HvsRun run;
    run.load(errors, thread);
    for (unsigned first = 0; first < kHvsGroupBlocks;) {
        const HvsIncrement none{};
        const unsigned next =
            block_add_runs(thread < first ? none : run.increment(accumulator & kExponent), thread, accumulator);
        if (next >= kHvsGroupBlocks)
            return;
        if (thread == next)
            reached = run.add_in_order(accumulator);
        __syncthreads();
        accumulator = reached;
        first = next + 1;
    }
}

/// The accumulator of a plane after the groups of this part.
__device__ __forceinline__ void block_accumulate(const PsnrHvsKernelParams &params, unsigned plane, unsigned frame,
                                                 unsigned thread)
{
    const unsigned groups = groups_of_part(params, plane);
    const unsigned long long first = slot_of(params, plane, frame, 0);
    float &result = static_cast<PsnrHvsSums *>(params.batch.frames[frame].sums)->accumulator[plane];
    unsigned accumulator = __float_as_uint(result);
    for (unsigned next = 0; next < groups;) {
        HvsIncrement run{};
        if (next + thread < groups) {
            const HvsGroupIncrement group = params.increments[first + next + thread];
            run = same_exponent(group.exponent, accumulator) ? group.increment : HvsIncrement{kTooMuch, kTooMuch};
        }
        const unsigned count = block_add_runs(run, thread, accumulator);
        next += count;
        if (count < kHvsAddThreads && next < groups)
            block_add_group(params.errors[first + next++], thread, accumulator);
    }
    if (thread == 0)
        result = __uint_as_float(accumulator);
}

} // namespace psnr_hvs_kernels

// Grid: groups of the part, planes, frames.
extern "C" __global__ void __launch_bounds__(kHvsErrorThreads, 5)
    vmaf_psnr_hvs_errors_8bit(const __grid_constant__ PsnrHvsKernelParams params)
{
    block_errors<std::uint8_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kHvsErrorThreads, 5)
    vmaf_psnr_hvs_errors_16bit(const __grid_constant__ PsnrHvsKernelParams params)
{
    block_errors<std::uint16_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kHvsGroupBlocks)
    vmaf_psnr_hvs_increments(const __grid_constant__ PsnrHvsKernelParams params)
{
    block_increment(params, blockIdx, threadIdx.x);
}

// Grid: planes, -, frames.
extern "C" __global__ void __launch_bounds__(kHvsAddThreads)
    vmaf_psnr_hvs_accumulate(const __grid_constant__ PsnrHvsKernelParams params)
{
    block_accumulate(params, blockIdx.x, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
