#pragma once

#include "cambi/cambi_common.cuh"

// spec cambi 3.6: the sum of the K largest c-values.

namespace vmaf {
inline namespace cambi_kernels {

constexpr unsigned kSelectWarps = kCambiSelectThreads / kWarpSize;

struct FoundBin {
    unsigned bin;
    unsigned wanted; ///< the rank in the bin, from 1 on
    unsigned total;  ///< of all bins
};

/// The bin of the `wanted`-th largest value, counted from 1; bin and rank mean nothing if there are
/// fewer.
template <unsigned Bins>
__device__ __forceinline__ FoundBin block_find_bin(const unsigned *counts, unsigned wanted, unsigned thread)
{
    constexpr unsigned kPerThread = (Bins + kCambiSelectThreads - 1) / kCambiSelectThreads;
    __shared__ unsigned warp_sums[kSelectWarps];
    __shared__ FoundBin found;
    const unsigned lane = thread % kWarpSize, warp = thread / kWarpSize;
    // Thread 0 has the highest bins.
    const int highest = static_cast<int>(Bins) - 1 - static_cast<int>(thread * kPerThread);
    unsigned own[kPerThread], sum = 0;
#pragma unroll
    for (int i = 0; i < static_cast<int>(kPerThread); ++i) {
        own[i] = highest - i >= 0 ? __ldcg(counts + highest - i) : 0;
        sum += own[i];
    }
    unsigned upto = sum; // this thread's and the higher ones
    for (unsigned distance = 1; distance < kWarpSize; distance *= 2) {
        const unsigned before = __shfl_up_sync(kFullWarp, upto, distance);
        upto += lane >= distance ? before : 0;
    }
    if (lane == kWarpSize - 1)
        warp_sums[warp] = upto;
    if (thread == 0)
        found.bin = found.wanted = 0;
    __syncthreads();
    for (unsigned i = 0; i < warp; ++i)
        upto += warp_sums[i];
    if (thread == kCambiSelectThreads - 1)
        found.total = upto;
    unsigned above = upto - sum;
    if (above < wanted && upto >= wanted)
#pragma unroll
        for (int i = 0; i < static_cast<int>(kPerThread); ++i) {
            if (above < wanted && above + own[i] >= wanted) {
                found.bin = static_cast<unsigned>(highest - i);
                found.wanted = wanted - above;
            }
            above += own[i];
        }
    __syncthreads();
    return found;
}

/// c * 2^24 of a value in [0.5, 2^14).
__device__ __forceinline__ unsigned long long thread_units(unsigned bits)
{
    return static_cast<unsigned long long>((bits & 0x7fffff) | 0x800000) << ((bits >> 23) - 126);
}

/// Calls body(bits of a c-value) for those of a block that are not 0.
template <class Body>
__device__ __forceinline__ void block_for_values(const CambiKernelParams &params, const CambiLevel &level,
                                                 unsigned frame, unsigned block, unsigned thread, Body &&body)
{
    const float *c = params.c + frame * params.frame_c + level.c_offset;
    const unsigned count = level.width_px * level.height_px;
    const unsigned first = block * kCambiSelectValues, end = min(first + kCambiSelectValues, count);
    const auto look_at = [&](float value) {
        if (value > 0)
            body(__float_as_uint(value));
    };
    constexpr unsigned kVector = 4;
    for (unsigned i = first + kVector * thread; i < end; i += kVector * kCambiSelectThreads) {
        if (i + kVector <= end) {
            const float4 values = *reinterpret_cast<const float4 *>(c + i);
            look_at(values.x);
            look_at(values.y);
            look_at(values.z);
            look_at(values.w);
        } else {
            for (unsigned at = i; at < end; ++at)
                look_at(c[at]);
        }
    }
}

__device__ __forceinline__ unsigned thread_first_bin(unsigned bits)
{
    return (bits >> 16) - kCambiSmallestFirst;
}
__device__ __forceinline__ unsigned thread_middle_bin(unsigned bits)
{
    return bits >> 5 & (kCambiMiddleBins - 1);
}

/// Adds up what a block found.
struct UnitSum {
    unsigned long long units = 0, bits = 0;

    __device__ __forceinline__ void add(unsigned value)
    {
        const unsigned long long of_value = thread_units(value);
        units += of_value;
        bits |= of_value;
    }
    __device__ __forceinline__ void block_store(unsigned thread, CambiSelection &selection)
    {
        block_add<kSelectWarps>(units, thread, reinterpret_cast<std::uint64_t *>(&selection.units));
        for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
            bits |= __shfl_xor_sync(kFullWarp, bits, distance);
        if (thread % kWarpSize == 0 && bits != 0)
            atomicOr(&selection.bits, bits);
    }
};

/// The scale that a block of the search looks at, and its place there.
__device__ __forceinline__ unsigned select_scale(const CambiKernelParams &params, unsigned block)
{
    unsigned scale = 0;
    while (scale + 1 < kCambiScales && block >= params.levels[scale + 1].first_select_block)
        ++scale;
    return scale;
}

template <unsigned Bins> __device__ __forceinline__ void block_clear(unsigned (&bins)[Bins], unsigned thread)
{
    for (unsigned i = thread; i < Bins; i += kCambiSelectThreads)
        bins[i] = 0;
    __syncthreads();
}

template <unsigned Bins>
__device__ __forceinline__ void block_flush(const unsigned (&bins)[Bins], unsigned *to, unsigned thread)
{
    __syncthreads();
    for (unsigned i = thread; i < Bins; i += kCambiSelectThreads)
        if (bins[i] != 0)
            atomicAdd(to + i, bins[i]);
}

/// Finds the first digit of the K-th largest value, adds up what is above it and counts the second
/// digits.
__device__ __forceinline__ void block_select_first(const CambiKernelParams &params, unsigned block, unsigned frame,
                                                   unsigned thread)
{
    __shared__ unsigned bins[kCambiMiddleBins];
    const unsigned scale = select_scale(params, block);
    const CambiLevel &level = params.levels[scale];
    CambiSelection &selection = params.selections[frame * kCambiScales + scale];
    const FoundBin found = block_find_bin<kCambiFirstBins>(selection.first, level.top_count, thread);
    const bool selects = found.total > level.top_count;
    block_clear(bins, thread);
    UnitSum sum;
    block_for_values(params, level, frame, block - level.first_select_block, thread, [&](unsigned bits) {
        const unsigned bin = thread_first_bin(bits);
        if (!selects || bin > found.bin)
            sum.add(bits);
        else if (bin == found.bin)
            atomicAdd(&bins[thread_middle_bin(bits)], 1U);
    });
    sum.block_store(thread, selection);
    block_flush(bins, selection.middle, thread);
    if (block == level.first_select_block && thread == 0) {
        selection.selects = selects;
        selection.first_bin = found.bin;
        selection.wanted_of_first = found.wanted;
    }
}

/// Selects the second digit.
__device__ __forceinline__ void block_select_middle(const CambiKernelParams &params, unsigned block, unsigned frame,
                                                    unsigned thread)
{
    __shared__ unsigned bins[kCambiLastBins];
    const unsigned scale = select_scale(params, block);
    const CambiLevel &level = params.levels[scale];
    CambiSelection &selection = params.selections[frame * kCambiScales + scale];
    if (selection.selects == 0)
        return;
    const unsigned first_bin = selection.first_bin;
    const FoundBin found = block_find_bin<kCambiMiddleBins>(selection.middle, selection.wanted_of_first, thread);
    block_clear(bins, thread);
    UnitSum sum;
    block_for_values(params, level, frame, block - level.first_select_block, thread, [&](unsigned bits) {
        if (thread_first_bin(bits) != first_bin)
            return;
        const unsigned bin = thread_middle_bin(bits);
        if (bin > found.bin)
            sum.add(bits);
        else if (bin == found.bin)
            atomicAdd(&bins[bits % kCambiLastBins], 1U);
    });
    sum.block_store(thread, selection);
    block_flush(bins, selection.last, thread);
    if (block == level.first_select_block && thread == 0) {
        selection.middle_bin = found.bin;
        selection.wanted_of_middle = found.wanted;
    }
}

constexpr unsigned long long kMaxExact = 1ULL << 53;

/// Adds the values with the K-th largest's first two digits. If no order of adding up can round,
/// that is the sum.
__device__ __forceinline__ void thread_finish(const CambiKernelParams &params, unsigned scale, unsigned frame)
{
    CambiSelection &selection = params.selections[frame * kCambiScales + scale];
    unsigned long long units = selection.units, bits = selection.bits;
    if (selection.selects != 0) {
        unsigned wanted = selection.wanted_of_middle;
        for (unsigned last = kCambiLastBins; last-- > 0 && wanted > 0;) {
            const unsigned taken = min(selection.last[last], wanted);
            const unsigned long long of_value =
                thread_units((selection.first_bin + kCambiSmallestFirst) << 16 | selection.middle_bin << 5 | last);
            units += taken * of_value;
            bits |= taken != 0 ? of_value : 0;
            wanted -= taken;
        }
    }
    if (units > kMaxExact && units >> (__ffsll(static_cast<long long>(bits)) - 1) > kMaxExact)
        selection.ordered = 1;
    else
        params.frames[frame].top_sums[scale] = __ull2double_rn(units) * (1.0 / (1 << 24));
}

} // namespace cambi_kernels
} // namespace vmaf
