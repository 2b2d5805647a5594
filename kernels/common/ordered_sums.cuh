#pragma once

#include "common/common.cuh"
#include "feature/common/ordered_sums_cuda.h"

namespace vmaf {

/// A sample as a float, or a float that an earlier kernel left.
template <class Sample>
__device__ __forceinline__ float thread_value(const unsigned char *row, int x, const FloatUnit &unit)
{
    const Sample sample = __ldg(reinterpret_cast<const Sample *>(row) + x);
    if constexpr (sizeof(Sample) == sizeof(float)) {
        return sample;
    } else {
        const float less_128 = __uint_as_float(0x4b000000U | sample) - unit.bias;
        return sizeof(Sample) == 1 ? less_128 : less_128 * unit.scale;
    }
}

/// Reflection that does not repeat the edge, as often as it takes. A line of one sample repeats it.
__device__ __forceinline__ int mirror_often(int index, int size)
{
    if (index >= 0 && index < size)
        return index;
    if (size == 1)
        return 0;
    const int period = 2 * (size - 1);
    const int folded = (index % period + period) % period;
    return min(folded, period - folded);
}

/// The terms of a tile, for `Sums` sums. Chain c is row c % kStripRows of sum c / kStripRows: no
/// two lanes of a warp that add one each read the same bank.
template <int Sums, int Columns = kTileColumns> struct TileTerms {
    static constexpr int kPitch = Columns | 1;
    float value[Sums * kStripRows][kPitch];

    __device__ __forceinline__ float &at(int sum, int row, int column) { return value[sum * kStripRows + row][column]; }
    __device__ __forceinline__ float &at(int row, int column) { return value[row][column]; }

    /// Adds the terms of one chain from the left.
    __device__ __forceinline__ void add(unsigned chain, int columns, float &sum) const
    {
        const float *terms = value[chain];
        if (columns == Columns) {
#pragma unroll 16
            for (int x = 0; x < Columns; ++x)
                sum += terms[x];
        } else {
            for (int x = 0; x < columns; ++x)
                sum += terms[x];
        }
    }
};

/// The sum of `count` values from the first on, in every lane.
__device__ __forceinline__ float warp_ordered_sum(const float *values, int count, unsigned lane)
{
    float sum = 0;
    for (int start = 0; start < count; start += kWarpSize) {
        const int rest = count - start;
        const float own = static_cast<int>(lane) < rest ? values[start + static_cast<int>(lane)] : 0;
        if (rest >= static_cast<int>(kWarpSize)) {
#pragma unroll
            for (int i = 0; i < static_cast<int>(kWarpSize); ++i)
                sum += __shfl_sync(kFullWarp, own, i);
        } else {
            for (int i = 0; i < rest; ++i)
                sum += __shfl_sync(kFullWarp, own, i);
        }
    }
    return sum;
}

} // namespace vmaf
