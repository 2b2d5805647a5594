#pragma once

#include <cstdint>

#include "cuda/batch.h"

namespace vmaf {

constexpr unsigned kWarpSize = 32;
constexpr unsigned kFullWarp = 0xffffffffU;

/// Reflection that does not repeat the edge: -1 -> 1, n -> n-2. One reflection: for -n < index <
/// 2n - 1.
__device__ __forceinline__ int mirror(int index, int size)
{
    const int last = size - 1;
    return last - abs(last - abs(index));
}

/// Mirrors with more reflections: for -2 (size - 1) <= index <= 3 (size - 1). Beyond, some index
/// inside.
__device__ __forceinline__ int mirror_far(int index, int size)
{
    const int last = size - 1;
    return min(abs(last - abs(last - abs(index))), last);
}

/// Reflection that repeats the edge, once: -1 -> 0, n -> n-1. Beyond, some index inside.
__device__ __forceinline__ int mirror_with_edge(int index, int size)
{
    const int inside = index < 0 ? -1 - index : index >= size ? 2 * size - 1 - index : index;
    return min(max(inside, 0), size - 1);
}

__device__ __forceinline__ const unsigned char *row_of(const CudaPlane &plane, int y)
{
    return plane.data + plane.stride_bytes * y;
}

/// Two samples of 16 bits, each at most `max_sample`.
__device__ __forceinline__ unsigned limited_pair(unsigned samples, unsigned max_sample)
{
    return __vminu2(samples, max_sample << 16 | max_sample);
}

/// The block's dynamic shared memory, aligned to 16 bytes.
__device__ __forceinline__ unsigned char *dynamic_shared()
{
#ifdef VMAF_EMULATED_KERNELS
    return emulation::dynamic_shared_memory();
#else
    extern __shared__ uint4 dynamic_shared_vectors[];
    return reinterpret_cast<unsigned char *>(dynamic_shared_vectors);
#endif
}

/// The sum over the warp's lanes, in lane 0. Of floating-point values the same bits in every run.
template <class T> __device__ __forceinline__ T warp_total(T value)
{
    for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(kFullWarp, value, distance);
    return value;
}

/// Sum over the warp of values of any smaller type.
__device__ __forceinline__ unsigned long long warp_sum(unsigned long long value)
{
    return warp_total(value);
}
__device__ __forceinline__ double warp_sum_in_fixed_order(double value)
{
    return warp_total(value);
}

/// The sum of `value` over a block of `Warps` x 32 threads, in thread 0. Every thread of the block
/// must call it. `warp_sums` is shared memory that nobody else uses until all have returned.
template <unsigned Warps, class T>
__device__ __forceinline__ T block_total(T value, unsigned thread, T (&warp_sums)[Warps])
{
    value = warp_total(value);
    if (thread % kWarpSize == 0)
        warp_sums[thread / kWarpSize] = value;
    __syncthreads();
    if (thread == 0)
        for (unsigned warp = 1; warp < Warps; ++warp)
            value += warp_sums[warp];
    return value;
}

/// Adds the sum of `value` over a block of `Warps` x 32 threads to `*total`. Every thread of the
/// block must call it, once.
template <unsigned Warps>
__device__ __forceinline__ void block_add(unsigned long long value, unsigned thread, std::uint64_t *total)
{
    __shared__ unsigned long long warp_sums[Warps];
    value = block_total(value, thread, warp_sums);
    if (thread == 0 && value != 0)
        atomicAdd(reinterpret_cast<unsigned long long *>(total), value);
}

} // namespace vmaf
