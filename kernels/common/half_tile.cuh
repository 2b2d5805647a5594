#pragma once

#include "common/filter_strip.cuh"

namespace vmaf {

/// Tiles of a picture at half its size: every second row and column of a separable filter,
/// downwards first, `acc = acc + tap * value` from the first tap on. Operations a pixel made: 4.2
/// times the taps for the vertical pass, twice the taps for the other one.

/// Columns of a tile after the vertical pass.
template <int MostTaps> struct HalfTile {
    StripRows<2 * (kStripRows - 1) + MostTaps> rows;
    float columns[kStripRows][2 * (kHalfTileColumns - 1) + MostTaps];
};

struct HalfSource {
    CudaPlane plane;
    int width_px;
    int height_px;
    FloatUnit unit;
    const float *taps;
    int tap_count;
    int reach; ///< the first tap of output i is at input 2 i - reach
};

/// kThreadPixels values of one column of the tile, from row `first` of the result on.
template <class Sample, int Taps, class Shared>
__device__ __forceinline__ void thread_halve_column(const HalfSource &source, const Shared &shared, int x, int first,
                                                    float (&sums)[kThreadPixels])
{
    const auto value = [&](int row) { return thread_value<Sample>(shared.rows.row[2 * first + row], x, source.unit); };
    if constexpr (Taps > 0) {
        float values[2 * (kThreadPixels - 1) + Taps];
#pragma unroll
        for (int i = 0; i < 2 * (kThreadPixels - 1) + Taps; ++i)
            values[i] = value(i);
        thread_filter<Taps, 2>(values, source.taps, sums);
    } else {
        for (int i = 0; i < kThreadPixels; ++i)
            sums[i] = source.taps[0] * value(2 * i);
        for (int k = 1; k < source.tap_count; ++k)
            for (int i = 0; i < kThreadPixels; ++i)
                sums[i] += source.taps[k] * value(2 * i + k);
    }
}

/// Taps: 0 where they are counted at run time. `reflect(index, size)` is an index inside; `store(x,
/// y, value)` gets pixels beyond the picture's edges too.
template <class Sample, int Taps, class Shared, class Reflect, class Store>
__device__ __forceinline__ void block_halve(const HalfSource &source, int left, int top, unsigned thread,
                                            Shared &shared, Reflect &&reflect, Store &&store)
{
    const int tap_count = Taps == 0 ? source.tap_count : Taps;
    shared.rows.fill(source.plane, 2 * top - source.reach, source.height_px, thread, reflect);
    __syncthreads();
    const int first = static_cast<int>(thread) / kTileColumns * kThreadPixels;
    for (int column = static_cast<int>(thread) % kTileColumns; column < 2 * (kHalfTileColumns - 1) + tap_count;
         column += kTileColumns) {
        float sums[kThreadPixels];
        thread_halve_column<Sample, Taps>(source, shared, reflect(2 * left - source.reach + column, source.width_px),
                                          first, sums);
#pragma unroll
        for (int i = 0; i < kThreadPixels; ++i)
            shared.columns[first + i][column] = sums[i];
    }
    __syncthreads();
    constexpr int kRowThreads = kStripThreads / kStripRows;
    const int row = static_cast<int>(thread) / kRowThreads;
    for (int x = static_cast<int>(thread) % kRowThreads; x < kHalfTileColumns; x += kRowThreads) {
        const float *column = &shared.columns[row][2 * x];
        float sum = source.taps[0] * column[0];
#pragma unroll
        for (int k = 1; k < tap_count; ++k)
            sum += source.taps[k] * column[k];
        store(left + x, top + row, sum);
    }
}

} // namespace vmaf
