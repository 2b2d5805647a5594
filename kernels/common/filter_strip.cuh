#pragma once

#include "common/ordered_sums.cuh"

namespace vmaf {

/// Separable filters of `Taps` taps on a strip of rows, downwards, then along the rows: `acc =
/// acc + tap * value` from the first tap on, as spec float_features 3.2 has it. Of a tile's columns
/// the last `kHalo` are also the next tile's first.

/// The strip's columns after the vertical pass.
template <int Images, int Taps> struct FilteredColumns {
    static constexpr int kHalo = Taps - 1;
    static constexpr int kReach = kHalo / 2;
    // Rows a multiple of 16 bytes apart that is odd: eight lanes that read 16 bytes of as many rows
    // meet all banks.
    static constexpr int kPitch = ((kTileColumns + kHalo + 3) / 4 | 1) * 4;

    alignas(16) float value[Images][kStripRows][kPitch];

    /// Moves what the next tile shares with this one, of the rows and the column that the thread is
    /// about to write. `at` is the column's place in the tile.
    __device__ __forceinline__ void carry(int first_row, int at)
    {
        if (at < kTileColumns)
            return;
        for (int image = 0; image < Images; ++image)
#pragma unroll
            for (int i = 0; i < kThreadPixels; ++i)
                value[image][first_row + i][at - kTileColumns] = value[image][first_row + i][at];
    }

    __device__ __forceinline__ void store(int image, int first_row, int at, const float (&column)[kThreadPixels])
    {
#pragma unroll
        for (int i = 0; i < kThreadPixels; ++i)
            value[image][first_row + i][at] = column[i];
    }
};

/// kThreadPixels outputs of a filter, `Step` inputs apart.
template <int Taps, int Step = 1>
__device__ __forceinline__ void thread_filter(const float (&values)[Step * (kThreadPixels - 1) + Taps],
                                              const float *taps, float (&filtered)[kThreadPixels])
{
#pragma unroll
    for (int i = 0; i < kThreadPixels; ++i)
        filtered[i] = taps[0] * values[Step * i];
#pragma unroll
    for (int k = 1; k < Taps; ++k)
#pragma unroll
        for (int i = 0; i < kThreadPixels; ++i)
            filtered[i] += taps[k] * values[Step * i + k];
}

/// The horizontal pass: the kThreadPixels pixels of a row from `first` on, a multiple of 4.
template <int Images, int Taps>
__device__ __forceinline__ void thread_filter_row(const FilteredColumns<Images, Taps> &columns, int image, int row,
                                                  int first, const float *taps, float (&filtered)[kThreadPixels])
{
    constexpr int kValues = kThreadPixels + Taps - 1, kVectors = (kValues + 3) / 4;
    const auto *vectors = reinterpret_cast<const float4 *>(&columns.value[image][row][first]);
    float values[kValues];
#pragma unroll
    for (int i = 0; i < kVectors; ++i) {
        const float4 vector = vectors[i];
        const float loaded[4] = {vector.x, vector.y, vector.z, vector.w};
#pragma unroll
        for (int j = 0; j < 4; ++j)
            if (4 * i + j < kValues)
                values[4 * i + j] = loaded[j];
    }
    thread_filter<Taps>(values, taps, filtered);
}

/// Where the rows under a strip's filter start, beyond the picture's edges too. Filled by the
/// block, which then waits.
template <int Rows> struct StripRows {
    const unsigned char *row[Rows];

    /// `reflect(y, height_px)` is a row inside.
    template <class Reflect>
    __device__ __forceinline__ void fill(const CudaPlane &plane, int first, int height_px, unsigned thread,
                                         Reflect &&reflect)
    {
        for (int i = static_cast<int>(thread); i < Rows; i += static_cast<int>(blockDim.x))
            row[i] = row_of(plane, reflect(first + i, height_px));
    }
    __device__ __forceinline__ void fill(const CudaPlane &plane, int first, int height_px, unsigned thread)
    {
        fill(plane, first, height_px, thread, mirror_often);
    }
};

} // namespace vmaf
