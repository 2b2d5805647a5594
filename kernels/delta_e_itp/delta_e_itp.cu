#include "common/common.cuh"
#include "common/rgb.cuh"
#include "feature/delta_e_itp/delta_e_itp_cuda_params.h"
#include "feature/delta_e_itp/delta_e_itp_pixel.h"

// spec hdr 4 on batches of frames: the differences of all pixels, with a sum for each block; the
// percentile, by three digits of their bits; the sums in a fixed order. The CPU computes the same
// operations in the same order, each rounded by itself.
//
// Operations: some 120 of binary64 a pixel, a root among them, and 192 bytes of the table. Other
// bytes: 3 read and 4 written a pixel of 4:2:0, 12 read again.

namespace vmaf {
inline namespace delta_e_itp_kernels {

__device__ __forceinline__ Itp thread_itp(const DeltaEItpKernelParams &params, const Rgb &light)
{
    return itp_of_light(params.pq, light.r, light.g, light.b);
}

__device__ __forceinline__ float *differences_of(const DeltaEItpKernelParams &params, unsigned frame)
{
    return params.planes + frame * params.frame_floats;
}

__device__ __forceinline__ DeltaEItpSelection &selection_of(const DeltaEItpKernelParams &params, unsigned frame)
{
    const unsigned long long pixels = static_cast<unsigned long long>(params.width_px) * params.height_px;
    return *reinterpret_cast<DeltaEItpSelection *>(differences_of(params, frame) + pixels);
}

template <class Sample, ChromaRows Chroma>
__device__ __forceinline__ void block_differences(const DeltaEItpKernelParams &params, uint3 block, unsigned thread)
{
    if (block.x == 0 && block.y == 0) {
        DeltaEItpSelection &selection = selection_of(params, block.z);
        for (unsigned i = thread; i < kDeltaEItpBins; i += kDeltaEItpColumns)
            selection.counts[i] = 0;
        if (thread == 0) {
            selection.prefix = 0;
            selection.rank = params.rank;
        }
    }
    const CudaPairFrame &frame = params.batch.frames[block.z];
    const unsigned x = block.x * kDeltaEItpColumns + thread;
    const int height = static_cast<int>(params.height_px);
    double sum = 0;
    if (x < params.width_px)
        for (int y = static_cast<int>(block.y * kDeltaEItpRows),
                 end = min(y + static_cast<int>(kDeltaEItpRows), height);
             y < end; y += 2) {
            const int rows[2] = {y, min(y + 1, height - 1)};
            Rgb ref[2], dis[2];
            thread_load_rgb<Sample, Chroma, RgbLight::tagged>(params.sampling, frame.ref, static_cast<int>(x), rows,
                                                              ref);
            thread_load_rgb<Sample, Chroma, RgbLight::tagged>(params.sampling, frame.dis, static_cast<int>(x), rows,
                                                              dis);
            float *out = differences_of(params, block.z) + static_cast<unsigned long long>(y) * params.width_px + x;
            for (int i = 0; i < 2 && y + i < end; ++i, out += params.width_px) {
                *out = delta_e_itp(thread_itp(params, ref[i]), thread_itp(params, dis[i]));
                sum += *out;
            }
        }
    __shared__ double warp_sums[kDeltaEItpColumns / kWarpSize];
    sum = block_total(sum, thread, warp_sums);
    if (thread == 0)
        params.slots[static_cast<unsigned long long>(block.z) * params.block_count + block.y * params.blocks_across +
                     block.x] = sum;
}

/// Counts one of each lane's digits; most lanes of a warp may have the same.
__device__ __forceinline__ void warp_count(unsigned digit, bool counts, unsigned lane, unsigned *bins)
{
    const unsigned of_first = __shfl_sync(kFullWarp, digit, 0);
    if (__all_sync(kFullWarp, counts && digit == of_first)) {
        if (lane == 0)
            atomicAdd(&bins[digit], kWarpSize);
    } else if (counts) {
        atomicAdd(&bins[digit], 1U);
    }
}

__device__ __forceinline__ void block_count(const DeltaEItpKernelParams &params, uint3 block, unsigned thread)
{
    __shared__ unsigned bins[kDeltaEItpBins];
    for (unsigned i = thread; i < kDeltaEItpBins; i += kDeltaEItpCountThreads)
        bins[i] = 0;
    __syncthreads();
    DeltaEItpSelection &selection = selection_of(params, block.z);
    const unsigned prefix = selection.prefix, pixels = params.width_px * params.height_px;
    const unsigned bits = delta_e_itp_digit_bits(params.digit), shift = 10 * (kDeltaEItpDigits - 1 - params.digit);
    const unsigned begin = block.x * kDeltaEItpCountPixels;
    const float *differences = differences_of(params, block.z);
    for (unsigned i = begin; i < begin + kDeltaEItpCountPixels && i < pixels; i += kDeltaEItpCountThreads) {
        const bool inside = i + thread < pixels;
        const unsigned value = inside ? __float_as_uint(differences[i + thread]) : 0;
        warp_count(value >> shift & ((1U << bits) - 1), inside && value >> (shift + bits) == prefix, thread % kWarpSize,
                   bins);
    }
    __syncthreads();
    for (unsigned i = thread; i < 1U << bits; i += kDeltaEItpCountThreads)
        if (bins[i] != 0)
            atomicAdd(&selection.counts[i], bins[i]);
}

/// Appends the digit that holds the rank to the prefix.
__device__ __forceinline__ void block_select(DeltaEItpSelection &selection, unsigned bits, unsigned thread)
{
    constexpr unsigned kShare = kDeltaEItpBins / kDeltaEItpSumThreads; // of bins, a thread's
    __shared__ unsigned shares[kDeltaEItpSumThreads];
    unsigned share = 0;
    for (unsigned i = 0; i < kShare; ++i)
        share += selection.counts[thread * kShare + i];
    shares[thread] = share;
    __syncthreads();
    if (thread == 0) {
        unsigned rank = selection.rank, bin = 0;
        while (rank >= shares[bin])
            rank -= shares[bin++];
        bin *= kShare;
        while (rank >= selection.counts[bin])
            rank -= selection.counts[bin++];
        selection.prefix = selection.prefix << bits | bin;
        selection.rank = rank;
    }
    __syncthreads();
    for (unsigned i = thread; i < kDeltaEItpBins; i += kDeltaEItpSumThreads)
        selection.counts[i] = 0;
}

__device__ __forceinline__ void block_finish(const DeltaEItpKernelParams &params, unsigned frame, unsigned thread)
{
    const double *slots = params.slots + static_cast<unsigned long long>(frame) * params.block_count;
    double sum = 0;
    for (unsigned i = thread; i < params.block_count; i += kDeltaEItpSumThreads)
        sum += slots[i];
    __shared__ double warp_sums[kDeltaEItpSumThreads / kWarpSize];
    sum = block_total(sum, thread, warp_sums);
    if (thread == 0) {
        DeltaEItpSums &sums = *static_cast<DeltaEItpSums *>(params.batch.frames[frame].sums);
        sums.sum = sum;
        sums.percentile = __uint_as_float(selection_of(params, frame).prefix);
    }
}

} // namespace delta_e_itp_kernels

// Grid: blocks over the picture, frames.
extern "C" __global__ void __launch_bounds__(kDeltaEItpColumns)
    vmaf_delta_e_itp_differences_8bit(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_differences<std::uint8_t, ChromaRows::two>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kDeltaEItpColumns)
    vmaf_delta_e_itp_differences_16bit(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_differences<std::uint16_t, ChromaRows::two>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kDeltaEItpColumns)
    vmaf_delta_e_itp_differences_grey_8bit(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_differences<std::uint8_t, ChromaRows::none>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kDeltaEItpColumns)
    vmaf_delta_e_itp_differences_grey_16bit(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_differences<std::uint16_t, ChromaRows::none>(params, blockIdx, threadIdx.x);
}

// Grid: blocks of differences, -, frames.
extern "C" __global__ void __launch_bounds__(kDeltaEItpCountThreads)
    vmaf_delta_e_itp_count(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_count(params, blockIdx, threadIdx.x);
}

// Grid: -, -, frames.
extern "C" __global__ void __launch_bounds__(kDeltaEItpSumThreads)
    vmaf_delta_e_itp_select(const __grid_constant__ DeltaEItpKernelParams params)
{
    block_select(selection_of(params, blockIdx.z), delta_e_itp_digit_bits(params.digit), threadIdx.x);
    if (params.digit + 1 == kDeltaEItpDigits)
        block_finish(params, blockIdx.z, threadIdx.x);
}

} // namespace vmaf
