#pragma once

#include "cambi/cambi_common.cuh"

// spec cambi 3.2 to 3.4: samples above their depth; 10 bits, mask and mode filter of scale 0.

namespace vmaf {
inline namespace cambi_kernels {

/// The largest of the lane's samples of a row.
__device__ __forceinline__ unsigned thread_largest(const CudaPlane &plane, int y, int width_px, unsigned lane)
{
    constexpr int kVectorSamples = 8;
    const auto *row = reinterpret_cast<const unsigned short *>(row_of(plane, y));
    unsigned largest = 0;
    int first = 0;
    if (rows_are_aligned(plane, sizeof(uint4))) {
        first = width_px / kVectorSamples * kVectorSamples;
        for (int x = static_cast<int>(lane) * kVectorSamples; x < first; x += kWarpSize * kVectorSamples) {
            const uint4 v = __ldg(reinterpret_cast<const uint4 *>(row + x));
            largest = __vmaxu2(largest, __vmaxu2(__vmaxu2(v.x, v.y), __vmaxu2(v.z, v.w)));
        }
        largest = max(largest & 0xffff, largest >> 16);
    }
    for (int x = first + static_cast<int>(lane); x < width_px; x += kWarpSize)
        largest = max(largest, static_cast<unsigned>(__ldg(row + x)));
    return largest;
}

__device__ __forceinline__ void warp_check_row(const CambiKernelParams &params, const CambiFrame &frame, int y,
                                               unsigned lane)
{
    unsigned largest = thread_largest(frame.luma, y, static_cast<int>(params.picture_width_px), lane);
    for (unsigned distance = kWarpSize / 2; distance > 0; distance /= 2)
        largest = max(largest, __shfl_xor_sync(kFullWarp, largest, distance));
    if (lane == 0 && largest >> params.bpc != 0)
        atomicMax(frame.bad_sample, (0xffffU - static_cast<unsigned>(y)) << 16 | largest);
}

constexpr int kTileColumns = kCambiTileColumns, kTileRows = kCambiTileRows;
constexpr int kMaskReach = kCambiMaskReach;
constexpr int kRegionColumns = kTileColumns + 2 * kMaskReach + 1; // and the samples that flat ones are compared with
constexpr int kRegionRows = kTileRows + 2 * kMaskReach + 1;
constexpr int kRegionPitch = 72;
constexpr int kFlatRows = kRegionRows - 1, kFlatColumns = kRegionColumns - 1;
constexpr int kFlatWords = 3, kMaskWords = kTileColumns / static_cast<int>(kWarpSize);
constexpr int kRegionGroups = 3; // of rows that a thread makes one after the other
constexpr int kGroupRows = kRegionRows / kRegionGroups;
static_assert(kRegionRows % kRegionGroups == 0 && kRegionGroups * kRegionPitch <= kCambiPreprocessThreads);
static_assert(kRegionColumns <= kRegionPitch && kFlatColumns <= kFlatWords * static_cast<int>(kWarpSize));

struct __attribute__((may_alias)) SamplePairs {
    alignas(8) unsigned low;
    unsigned high;
};

struct Tile {
    alignas(8) unsigned short samples[kRegionRows]
                                     [kRegionPitch]; ///< 10 bits, kMaskReach rows and columns before the tile on
    unsigned flat[kFlatRows][kFlatWords];            ///< z, a bit a column
    unsigned in_row[kFlatRows][kMaskWords][3];       ///< the bits of the sums of z over seven columns
    unsigned mask[kTileRows][kMaskWords];            ///< m
};

/// Luma at the size of processing, which is the picture's or another.
template <class Sample, bool Resized> struct LumaSource {
    const CambiKernelParams &params;
    const CudaPlane &plane;

    __device__ __forceinline__ unsigned at(int column, int y) const
    {
        const int row = Resized ? static_cast<int>(__ldg(params.source_rows + y)) : y;
        const unsigned sample = __ldg(reinterpret_cast<const Sample *>(row_of(plane, row)) + column);
        return sizeof(Sample) == 1 ? sample << 2 : ((sample << params.widening) + params.rounding) >> params.narrowing;
    }
    __device__ __forceinline__ int column(int x) const
    {
        return Resized ? static_cast<int>(__ldg(params.source_columns + x)) : x;
    }
};

/// A part of one column of the tile. Beyond the picture's edge the edge repeats: so the anti-dither
/// filter needs no exceptions there, and nothing else looks at it.
template <class Sample, bool Resized>
__device__ __forceinline__ void thread_fill_column(const LumaSource<Sample, Resized> &luma, int tile_x, int tile_y,
                                                   int column, int first_row, Tile &tile)
{
    const int width = static_cast<int>(luma.params.width_px), height = static_cast<int>(luma.params.height_px);
    const int x = tile_x - kMaskReach + column, y = tile_y - kMaskReach + first_row;
    const int here = luma.column(clamp_index(x, width)), right = luma.column(clamp_index(x + 1, width));
    if (luma.params.smooths == 0) {
#pragma unroll
        for (int i = 0; i < kGroupRows; ++i)
            tile.samples[first_row + i][column] =
                static_cast<unsigned short>(luma.at(here, clamp_index(y + i, height)));
        return;
    }
    const auto pair = [&](int row) {
        const int inside = clamp_index(row, height);
        return luma.at(here, inside) + luma.at(right, inside);
    };
    unsigned above = pair(y);
#pragma unroll
    for (int i = 0; i < kGroupRows; ++i) {
        const unsigned below = pair(y + i + 1);
        tile.samples[first_row + i][column] = static_cast<unsigned short>((above + below) >> 2);
        above = below;
    }
}

template <class Sample, bool Resized>
__device__ __forceinline__ void block_fill(const CambiKernelParams &params, const CudaPlane &plane, int tile_x,
                                           int tile_y, int thread, Tile &tile)
{
    const LumaSource<Sample, Resized> luma{params, plane};
    if (thread < kRegionGroups * kRegionPitch && thread % kRegionPitch < kRegionColumns)
        thread_fill_column(luma, tile_x, tile_y, thread % kRegionPitch, thread / kRegionPitch * kGroupRows, tile);
}

// The most frequent case, bytes that are smoothed, four columns at a time. Four times the samples,
// a quarter of their sum.

constexpr int kWordPixels = 4;
constexpr int kByteWords = kRegionPitch / kWordPixels + 1, kByteRows = kRegionRows + 1;
constexpr int kSmoothRows = 3; // of a thread
static_assert(kRegionRows % kSmoothRows == 0 &&
              kRegionPitch / kWordPixels * (kRegionRows / kSmoothRows) <= kCambiPreprocessThreads);
static_assert(kMaskReach + 1 == kWordPixels, "a column more makes the first word whole");

struct ByteTile {
    unsigned words[kByteRows][kByteWords]; ///< from one column before the tile's samples on
};

__device__ __forceinline__ unsigned thread_load_bytes(const CudaPlane &plane, bool aligned, int x, int y, int width)
{
    const unsigned char *row = row_of(plane, y);
    if (aligned && x >= 0 && x + kWordPixels <= width)
        return __ldg(reinterpret_cast<const unsigned *>(row + x));
    unsigned word = 0;
#pragma unroll
    for (int i = 0; i < kWordPixels; ++i)
        word |= static_cast<unsigned>(__ldg(row + clamp_index(x + i, width))) << (8 * i);
    return word;
}

/// The sums of neighbours in a row, of four columns in two pairs.
__device__ __forceinline__ uint2 thread_sum_neighbours(unsigned low, unsigned high)
{
    constexpr unsigned kLowPair = 0x4140, kHighPair = 0x4342; // bytes as 16 bits
    const unsigned left = __funnelshift_r(low, high, 8), right = __funnelshift_r(low, high, 16);
    return make_uint2(__byte_perm(left, 0, kLowPair) + __byte_perm(right, 0, kLowPair),
                      __byte_perm(left, 0, kHighPair) + __byte_perm(right, 0, kHighPair));
}

__device__ __forceinline__ void block_smooth_bytes(const CambiKernelParams &params, const CudaPlane &plane, int tile_x,
                                                   int tile_y, int thread, Tile &tile)
{
    __shared__ ByteTile bytes;
    const int width = static_cast<int>(params.width_px), height = static_cast<int>(params.height_px);
    const bool aligned = rows_are_aligned(plane, sizeof(unsigned));
    for (int i = thread; i < kByteRows * kByteWords; i += kCambiPreprocessThreads) {
        const int row = i / kByteWords, word = i % kByteWords;
        bytes.words[row][word] = thread_load_bytes(plane, aligned, tile_x - kMaskReach - 1 + word * kWordPixels,
                                                   clamp_index(tile_y - kMaskReach + row, height), width);
    }
    __syncthreads();
    constexpr int kWords = kRegionPitch / kWordPixels;
    const int word = thread % kWords, first = thread / kWords * kSmoothRows;
    if (first >= kRegionRows)
        return;
    uint2 above = thread_sum_neighbours(bytes.words[first][word], bytes.words[first][word + 1]);
#pragma unroll
    for (int i = 0; i < kSmoothRows; ++i) {
        const unsigned(&row)[kByteWords] = bytes.words[first + i + 1];
        const uint2 below = thread_sum_neighbours(row[word], row[word + 1]);
        *reinterpret_cast<SamplePairs *>(&tile.samples[first + i][word * kWordPixels]) =
            SamplePairs{above.x + below.x, above.y + below.y};
        above = below;
    }
}

/// spec cambi 3.3: z of one word of some rows. Beyond the picture's edge the edge repeats, so
/// nothing differs from what is there.
template <int Rows>
__device__ __forceinline__ void warp_find_flat(const CambiKernelParams &params, int tile_x, int tile_y, int first_row,
                                               int word, unsigned lane, Tile &tile)
{
    const int in_word = word * static_cast<int>(kWarpSize) + static_cast<int>(lane), x = tile_x - kMaskReach + in_word;
    const unsigned inside =
        __ballot_sync(kFullWarp, in_word < kFlatColumns && x >= 0 && x < static_cast<int>(params.width_px));
    const int column = min(in_word, kFlatColumns - 1);
    unsigned here = tile.samples[first_row][column];
#pragma unroll
    for (int i = 0; i < Rows; ++i) {
        const int row = first_row + i, y = tile_y - kMaskReach + row;
        if (row >= kFlatRows)
            break;
        const unsigned right = tile.samples[row][column + 1], below = tile.samples[row + 1][column];
        const unsigned flat = __ballot_sync(kFullWarp, here == right && here == below);
        if (lane == 0)
            tile.flat[row][word] = y >= 0 && y < static_cast<int>(params.height_px) ? flat & inside : 0;
        here = below;
    }
}

struct BitSum {
    unsigned sum, carry;
};

/// Adds three words bit by bit.
__device__ __forceinline__ BitSum thread_add_bits(unsigned a, unsigned b, unsigned c)
{
    return {a ^ b ^ c, (a & b) | (c & (a | b))};
}

/// The sums of z over seven columns, of 32 neighbouring ones: bit by bit.
__device__ __forceinline__ void thread_sum_in_row(Tile &tile, int row, int word)
{
    static_assert(kMaskReach == 3);
    const unsigned low = tile.flat[row][word], high = tile.flat[row][word + 1];
    const BitSum a = thread_add_bits(low, __funnelshift_r(low, high, 1), __funnelshift_r(low, high, 2));
    const BitSum b =
        thread_add_bits(__funnelshift_r(low, high, 3), __funnelshift_r(low, high, 4), __funnelshift_r(low, high, 5));
    const BitSum ones = thread_add_bits(a.sum, b.sum, __funnelshift_r(low, high, 6));
    const BitSum twos = thread_add_bits(a.carry, b.carry, ones.carry);
    tile.in_row[row][word][0] = ones.sum;
    tile.in_row[row][word][1] = twos.sum;
    tile.in_row[row][word][2] = twos.carry;
}

/// m of 32 neighbouring columns.
__device__ __forceinline__ void thread_make_mask(Tile &tile, int row, int word, unsigned threshold)
{
    constexpr int kBits = 6; // 49
    unsigned sum[kBits] = {};
#pragma unroll
    for (int i = 0; i < 2 * kMaskReach + 1; ++i) {
        unsigned carry = 0;
#pragma unroll
        for (int bit = 0; bit < kBits; ++bit) {
            const BitSum added = thread_add_bits(sum[bit], bit < 3 ? tile.in_row[row + i][word][bit] : 0, carry);
            sum[bit] = added.sum;
            carry = added.carry;
        }
    }
    unsigned greater = 0, equal = ~0U;
#pragma unroll
    for (int bit = kBits - 1; bit >= 0; --bit) {
        const unsigned of_threshold = 0U - (threshold >> bit & 1);
        greater |= equal & sum[bit] & ~of_threshold;
        equal &= ~(sum[bit] ^ of_threshold);
    }
    tile.mask[row][word] = greater;
}

/// spec cambi 3.4: mode3.
__device__ __forceinline__ unsigned thread_mode(unsigned a, unsigned b, unsigned c)
{
    const unsigned other = b == c ? b : min(min(a, b), c);
    return a == b || a == c ? a : other;
}

/// The mode filter of one pixel: `p(dx, dy)` are the pixels around it.
template <class Pixel> __device__ __forceinline__ unsigned thread_filter(int x, int y, int width, int height, Pixel &&p)
{
    if (y == 0 || y == height - 1)
        return p(0, 0);
    const bool edge = x == 0 || x == width - 1;
    const auto along_row = [&](int dy) { return edge ? p(0, dy) : thread_mode(p(-1, dy), p(0, dy), p(1, dy)); };
    return thread_mode(along_row(-1), along_row(0), along_row(1));
}

/// Pixels of scale 0: every Step-th row and column of the tile. A thread filters a part of a
/// column.
template <int Step>
__device__ __forceinline__ void block_write_scale0(const CambiKernelParams &params, int tile_x, int tile_y,
                                                   unsigned frame, int thread, const Tile &tile)
{
    constexpr int kColumns = kTileColumns / Step, kGroups = kCambiPreprocessThreads / kColumns;
    constexpr int kRows = kTileRows / Step / kGroups;
    static_assert(kGroups * kRows * Step == kTileRows);
    const CambiLevel &level = params.levels[0];
    const int width = static_cast<int>(level.width_px), height = static_cast<int>(level.height_px);
    const int column = thread % kColumns, first_row = thread / kColumns * kRows;
    const int x = tile_x / Step + column, first_y = tile_y / Step + first_row;
    if (x >= width)
        return;
    const bool edge = x == 0 || x == width - 1;
    struct Pixel {
        unsigned value, along_row;
    };
    const auto pixel = [&](int row) -> Pixel {
        const unsigned short *at = &tile.samples[kMaskReach + Step * row][kMaskReach + Step * column];
        return {at[0], edge ? at[0] : thread_mode(at[-Step], at[0], at[Step])};
    };
    unsigned short *to = samples_of(params, level, frame) + static_cast<unsigned long long>(first_y) * level.pitch + x;
    Pixel above = pixel(first_row - 1), here = pixel(first_row);
#pragma unroll
    for (int i = 0; i < kRows; ++i) {
        const int row = first_row + i, y = first_y + i;
        const Pixel below = pixel(row + 1);
        const unsigned value =
            y == 0 || y == height - 1 ? here.value : thread_mode(above.along_row, here.along_row, below.along_row);
        const unsigned counts = tile.mask[Step * row][Step * column / kWarpSize] >> (Step * column % kWarpSize) & 1;
        if (y < height)
            to[static_cast<unsigned long long>(i) * level.pitch] =
                static_cast<unsigned short>(value | (counts != 0 ? 0 : kCambiNotCounted));
        above = here;
        here = below;
    }
}

/// The grid's share of clearing the frame's selections.
__device__ __forceinline__ void thread_clear_selections(const CambiKernelParams &params, unsigned frame,
                                                        unsigned thread, unsigned thread_count)
{
    auto *words = reinterpret_cast<unsigned long long *>(params.selections + frame * kCambiScales);
    constexpr unsigned kWords = kCambiScales * sizeof(CambiSelection) / sizeof(unsigned long long);
    for (unsigned i = thread; i < kWords; i += thread_count)
        words[i] = 0;
}

/// A row of some scale, counted from scale 0 on: what lies beside the picture does not count.
__device__ __forceinline__ void warp_fill_margins(const CambiKernelParams &params, unsigned frame, unsigned row,
                                                  unsigned lane)
{
    unsigned scale = 0;
    while (scale < kCambiScales && row >= params.levels[scale].height_px)
        row -= params.levels[scale++].height_px;
    if (scale == kCambiScales)
        return;
    const CambiLevel &level = params.levels[scale];
    unsigned short *samples = samples_of(params, level, frame) + static_cast<unsigned long long>(row) * level.pitch;
    static_assert(kCambiMargin % kWarpSize == 0);
    for (int x = -static_cast<int>(kCambiMargin - lane); x < 0; x += kWarpSize)
        samples[x] = kCambiNotCounted;
    for (unsigned x = level.width_px + lane; x < level.pitch - kCambiMargin; x += kWarpSize)
        samples[x] = kCambiNotCounted;
}

template <class Sample, int Step>
__device__ __forceinline__ void block_preprocess(const CambiKernelParams &params, uint3 block, dim3 grid, int thread)
{
    __shared__ Tile tile;
    const unsigned frame = block.z;
    thread_clear_selections(params, frame,
                            (block.y * grid.x + block.x) * kCambiPreprocessThreads + static_cast<unsigned>(thread),
                            grid.x * grid.y * kCambiPreprocessThreads);
    constexpr int kWarps = kCambiPreprocessThreads / kWarpSize;
    const int warp = thread / static_cast<int>(kWarpSize);
    const unsigned lane = static_cast<unsigned>(thread) % kWarpSize;
    for (unsigned row = (block.y * grid.x + block.x) * kWarps + static_cast<unsigned>(warp); row < params.row_count;
         row += grid.x * grid.y * kWarps)
        warp_fill_margins(params, frame, row, lane);
    const int tile_x = static_cast<int>(block.x) * kTileColumns, tile_y = static_cast<int>(block.y) * kTileRows;
    const CudaPlane &plane = params.frames[frame].luma;
    if (params.source_rows != nullptr)
        block_fill<Sample, true>(params, plane, tile_x, tile_y, thread, tile);
    else if (sizeof(Sample) == 1 && params.smooths != 0)
        block_smooth_bytes(params, plane, tile_x, tile_y, thread, tile);
    else
        block_fill<Sample, false>(params, plane, tile_x, tile_y, thread, tile);
    __syncthreads();
    constexpr int kWarpRows = (kFlatRows + kWarps - 1) / kWarps;
    for (int word = 0; word < kFlatWords; ++word)
        warp_find_flat<kWarpRows>(params, tile_x, tile_y, warp * kWarpRows, word, lane, tile);
    __syncthreads();
    if (thread < kFlatRows * kMaskWords)
        thread_sum_in_row(tile, thread / kMaskWords, thread % kMaskWords);
    __syncthreads();
    if (thread < kTileRows * kMaskWords)
        thread_make_mask(tile, thread / kMaskWords, thread % kMaskWords, params.mask_threshold);
    __syncthreads();
    block_write_scale0<Step>(params, tile_x, tile_y, frame, thread, tile);
}

} // namespace cambi_kernels
} // namespace vmaf
