#pragma once

#include "cambi/cambi_preprocess.cuh"

// spec cambi 3.4: scales 1 to 4.

namespace vmaf {
inline namespace cambi_kernels {

constexpr int kPyramidTile = kCambiPyramidTile;

/// What one block makes of a scale.
template <int Scale> struct PyramidPart {
    static constexpr int kTile = kPyramidTile >> (Scale - 1);
    /// Pixels around the tile that its filter and those of the scales after it reach.
    static constexpr int kReach = (1 << (kCambiScales - Scale)) - 1;
    static constexpr int kRead = kTile + 2 * kReach; ///< side of what is read
    static constexpr int kFiltered = kRead - 2;      ///< side of what is filtered
};

template <int Side> struct Square {
    unsigned short samples[Side][Side];
};

/// Filters scale `Scale`, of which `from` holds the square and what is around it; `to` gets the
/// pixels that the next scale is made from.
template <int Scale, int FromSide, int ToSide>
__device__ __forceinline__ void block_filter(const CambiKernelParams &params, uint3 block, int thread,
                                             const Square<FromSide> &from, Square<ToSide> &to)
{
    using Part = PyramidPart<Scale>;
    constexpr int kTile = Part::kTile, kReach = Part::kReach, kSide = Part::kFiltered;
    constexpr bool kLast = Scale == kCambiScales - 1;
    static_assert(FromSide >= Part::kRead && (kLast || ToSide >= kSide));
    const CambiLevel &level = params.levels[Scale];
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    unsigned short *picture = samples_of(params, level, block.z);
    for (int i = thread; i < kSide * kSide; i += kCambiPyramidThreads) {
        const int column = i % kSide + 1, row = i / kSide + 1;
        const int in_tile_x = column - kReach, in_tile_y = row - kReach;
        const int x = static_cast<int>(block.x) * kTile + in_tile_x, y = static_cast<int>(block.y) * kTile + in_tile_y;
        if (x < 0 || x >= width || y < 0 || y >= height)
            continue;
        const unsigned value = thread_filter(x, y, width, height, [&](int dx, int dy) -> unsigned {
            return from.samples[row + dy][column + dx] & ~kCambiNotCounted;
        });
        const auto flagged = static_cast<unsigned short>(value | (from.samples[row][column] & kCambiNotCounted));
        if (!kLast)
            to.samples[row - 1][column - 1] = flagged;
        if (in_tile_x >= 0 && in_tile_x < kTile && in_tile_y >= 0 && in_tile_y < kTile)
            picture[static_cast<unsigned long long>(y) * level.pitch + x] = flagged;
    }
    __syncthreads();
}

/// Scale `Scale` before its filter, from the one before after its own.
template <int Scale, int FromSide, int ToSide>
__device__ __forceinline__ void block_halve(int thread, const Square<FromSide> &from, Square<ToSide> &to)
{
    using Part = PyramidPart<Scale>;
    using Before = PyramidPart<Scale - 1>;
    constexpr int kSide = Part::kRead;
    static_assert(Before::kReach - 1 == 2 * Part::kReach, "its first pixel is the first of the part before");
    static_assert(2 * (kSide - 1) < Before::kFiltered && kSide <= ToSide);
    for (int i = thread; i < kSide * kSide; i += kCambiPyramidThreads)
        to.samples[i / kSide][i % kSide] = from.samples[2 * (i / kSide)][2 * (i % kSide)];
    __syncthreads();
}

__device__ __forceinline__ void block_make_pyramid(const CambiKernelParams &params, uint3 block, int thread)
{
    using First = PyramidPart<1>;
    constexpr int kSide = First::kRead, kReach = First::kReach;
    __shared__ Square<First::kRead> picture;
    __shared__ Square<First::kFiltered> filtered;
    const CambiLevel &whole = params.levels[0], &level = params.levels[1];
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const unsigned short *from = samples_of(params, whole, block.z);
    for (int i = thread; i < kSide * kSide; i += kCambiPyramidThreads) {
        const int x = clamp_index(static_cast<int>(block.x) * kPyramidTile - kReach + i % kSide, width);
        const int y = clamp_index(static_cast<int>(block.y) * kPyramidTile - kReach + i / kSide, height);
        picture.samples[i / kSide][i % kSide] = from[2ULL * y * whole.pitch + 2 * x];
    }
    __syncthreads();
    block_filter<1>(params, block, thread, picture, filtered);
    block_halve<2>(thread, filtered, picture);
    block_filter<2>(params, block, thread, picture, filtered);
    block_halve<3>(thread, filtered, picture);
    block_filter<3>(params, block, thread, picture, filtered);
    block_halve<4>(thread, filtered, picture);
    block_filter<4>(params, block, thread, picture, filtered);
}

} // namespace cambi_kernels
} // namespace vmaf
