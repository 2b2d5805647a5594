#pragma once

#include "vif/vif_common.cuh"

// Integer VIF, scale 0 of up to 12 bits, on tensor cores (spec vif 5). A 17-tap filter of 16
// outputs reads exactly 32 inputs, so both passes are products with one banded matrix of 16 x 32
// coefficients; coefficients and inputs are split in bytes, and products of equal weight are added
// up by the tensor cores.
//
// A warp makes 16 rows of results and walks along them by chunks of 32 columns. With the columns of
// a chunk dealt to the lanes as tile_column() has it, a lane's results of the vertical products
// are, packed by bytes, its operands of the horizontal ones: nothing passes between lanes. What
// waits lies in the warp's own part of shared memory, each lane its own.

namespace vmaf {
inline namespace vif_kernels {
namespace vif_tensor {

/// Rows and columns that the filter reads on each side.
constexpr int kReach = 8;
constexpr int kChunk = static_cast<int>(kVifTensorColumns);
constexpr int kRows = static_cast<int>(kVifTensorRows);
/// 8 x 8 blocks of a chunk's results: two rows of them, in each the left and the right half of the
/// chunk.
constexpr int kBlockRows = 2, kHalves = 2;

/// A warp's operands in tensor instructions (m16n8k32), as the lanes hold them.
struct Matrix {
    u32 words[4];
};
struct Sums {
    u32 at[4];
};

/// What a warp keeps between its steps. `Bytes`: of a sample.
template <int Bytes> struct WarpStage {
    uint4 samples[2][2 * Bytes][kWarpSize];            ///< of ref and dis: LaneWords
    uint4 mean_carry[2][kWarpSize];                    ///< the last half of the chunk before, packed
    uint4 square_carry[3][2][kWarpSize];               ///< the same chunk's squares
    uint4 moments[3][kBlockRows * kHalves][kWarpSize]; ///< M1, M2, then S1, S2; S12
};
static_assert(sizeof(WarpStage<1>) == vif_tensor_warp_bytes(1) && sizeof(WarpStage<2>) == vif_tensor_warp_bytes(2));

/// From shared memory at each use: the compiler would hold 24 registers for them, or compute them
/// again and again.
__device__ __forceinline__ Matrix warp_load_matrix(const VifTensorTables &tables, VifTensorMatrix which, unsigned lane)
{
    Matrix matrix;
#ifdef VMAF_EMULATED_KERNELS
    for (int i = 0; i < 4; ++i)
        matrix.words[i] = tables.matrices[which][lane][i];
#else
    const auto address = static_cast<u32>(__cvta_generic_to_shared(&tables.matrices[which][lane]));
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(matrix.words[0]), "=r"(matrix.words[1]), "=r"(matrix.words[2]), "=r"(matrix.words[3])
                 : "r"(address));
#endif
    return matrix;
}

/// start + matrix * (two words a lane)
__device__ __forceinline__ Sums warp_multiply(const Matrix &matrix, u32 first, u32 second, const Sums &start)
{
    Sums sums;
#ifdef VMAF_EMULATED_KERNELS
    emulation::warp_multiply_bytes(matrix.words, first, second, start.at, sums.at);
#else
    asm("mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
        "{%10, %11, %12, %13};"
        : "=r"(sums.at[0]), "=r"(sums.at[1]), "=r"(sums.at[2]), "=r"(sums.at[3])
        : "r"(matrix.words[0]), "r"(matrix.words[1]), "r"(matrix.words[2]), "r"(matrix.words[3]), "r"(first),
          "r"(second), "r"(start.at[0]), "r"(start.at[1]), "r"(start.at[2]), "r"(start.at[3]));
#endif
    return sums;
}

/// A filter: the low and the high bytes of its coefficients.
struct Filter {
    Matrix low, high;
};

/// Filter sums of values of `Bytes` bytes by weight: 256^i * sums[i]. `values[byte]` are words for
/// the first and the second 16 inputs. sums[0] starts with `rounding`.
template <int Bytes> struct ByteSums {
    Sums sums[Bytes + 1];

    __device__ __forceinline__ ByteSums(const Filter &filter, const u32 (&values)[Bytes][2], u32 rounding) : sums{}
    {
        sums[0] = {{rounding, rounding, rounding, rounding}};
#pragma unroll
        for (int byte = 0; byte < Bytes; ++byte) {
            sums[byte] = warp_multiply(filter.low, values[byte][0], values[byte][1], sums[byte]);
            sums[byte + 1] = warp_multiply(filter.high, values[byte][0], values[byte][1], sums[byte + 1]);
        }
    }
};

/// In place: word i becomes the bytes i of all four.
__device__ __forceinline__ void transpose_bytes(u32 &a, u32 &b, u32 &c, u32 &d)
{
    const u32 ab01 = __byte_perm(a, b, 0x5140), ab23 = __byte_perm(a, b, 0x7362);
    const u32 cd01 = __byte_perm(c, d, 0x5140), cd23 = __byte_perm(c, d, 0x7362);
    a = __byte_perm(ab01, cd01, 0x5410);
    b = __byte_perm(ab01, cd01, 0x7632);
    c = __byte_perm(ab23, cd23, 0x5410);
    d = __byte_perm(ab23, cd23, 0x7632);
}

/// The low and the high bytes of four 16-bit values.
__device__ __forceinline__ void split_bytes(u32 a, u32 b, u32 c, u32 d, u32 &low, u32 &high)
{
    const u32 ab = __byte_perm(a, b, 0x5140), cd = __byte_perm(c, d, 0x5140);
    low = __byte_perm(ab, cd, 0x5410);
    high = __byte_perm(ab, cd, 0x7632);
}

/// Where a warp is.
struct ChunkAt {
    unsigned lane;
    int x_px, y_px;          ///< first pixel that the chunk's results are for
    int width_px, height_px; ///< of the picture
    unsigned bpc;            ///< of the picture
    bool only_carry;         ///< left of the warp's first chunk, which needs its last columns

    __device__ __forceinline__ int group() const { return static_cast<int>(lane / 4); }
    __device__ __forceinline__ int in_group() const { return static_cast<int>(lane % 4); }
    /// The input lies 8 columns right of the results, so that half of it is shared with the next
    /// chunk's.
    __device__ __forceinline__ int input_x_px() const { return x_px + kReach; }
    __device__ __forceinline__ bool input_inside() const
    {
        return input_x_px() >= 0 && input_x_px() + kChunk <= width_px;
    }
};

/// First of the four columns of the chunk that a lane loads: lanes of one row take the left and the
/// right half in turn.
__device__ __forceinline__ int tile_column(const ChunkAt &at)
{
    return at.group() / 2 * 4 + at.group() % 2 * (kChunk / 2);
}

/// Rows 4t..4t+3 and 16+4t..16+4t+3 of the 32 that the vertical products read, for the lane's t;
/// two in a word.
struct LaneRows {
    u32 pairs[4];

    __device__ __forceinline__ explicit LaneRows(const ChunkAt &at)
    {
#pragma unroll
        for (int pair = 0; pair < 4; ++pair) {
            const int y = at.y_px - kReach + pair / 2 * kRows + at.in_group() * 4 + pair % 2 * 2;
            pairs[pair] =
                static_cast<u32>(mirror_far(y, at.height_px)) | static_cast<u32>(mirror_far(y + 1, at.height_px)) << 16;
        }
    }
    /// Row i of the first or the second four.
    __device__ __forceinline__ u32 row(int half, int i) const
    {
        return __byte_perm(pairs[2 * half + i / 2], 0, i % 2 == 0 ? 0x4410 : 0x4432);
    }
};

/// Four columns of the lane's rows as they lie in memory: of the first and of the second half of
/// the rows.
template <int Bytes> struct LaneWords {
    u32 words[2][4][Bytes];
};

/// Four neighbouring samples of a row.
template <int Bytes>
__device__ __forceinline__ void thread_load_four(const unsigned char *row, int x, u32 (&words)[Bytes])
{
    if constexpr (Bytes == 1) {
        words[0] = __ldg(reinterpret_cast<const u32 *>(row + x));
    } else {
        const uint2 both = __ldg(reinterpret_cast<const uint2 *>(row + 2 * static_cast<long long>(x)));
        words[0] = both.x, words[1] = both.y;
    }
}

/// Loads samples, mirrored at the borders.
template <int Bytes>
__device__ __forceinline__ void thread_load_mirrored(const unsigned char *row, int x, int width_px, u32 (&words)[Bytes])
{
#pragma unroll
    for (u32 &word : words)
        word = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int at = mirror_far(x + i, width_px);
        const u32 sample = Bytes == 1 ? __ldg(row + at) : __ldg(reinterpret_cast<const u16 *>(row) + at);
        words[i * Bytes / 4] |= sample << (8 * Bytes * i % 32);
    }
}

template <int Bytes>
__device__ __forceinline__ LaneWords<Bytes> thread_load_words(const CudaPlane &plane, const ChunkAt &at,
                                                              const LaneRows &rows)
{
    const int x = at.input_x_px() + tile_column(at);
    const auto stride = static_cast<u32>(plane.stride_bytes);
    const auto row_of_lane = [&](int half, int i) {
        return plane.data + static_cast<unsigned long long>(rows.row(half, i)) * stride;
    };
    LaneWords<Bytes> loaded;
#pragma unroll
    for (int half = 0; half < 2; ++half)
        if (at.input_inside()) {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                thread_load_four(row_of_lane(half, i), x, loaded.words[half][i]);
        } else {
#pragma unroll
            for (int i = 0; i < 4; ++i)
                thread_load_mirrored(row_of_lane(half, i), x, at.width_px, loaded.words[half][i]);
        }
    return loaded;
}

/// The lane's operands of the vertical products: bytes of its column of a tile, rows of the first
/// and of the second half.
template <int Bytes> struct TileSamples {
    u32 words[4][Bytes][2]; ///< by tile

    __device__ __forceinline__ explicit TileSamples(LaneWords<Bytes> loaded)
    {
        constexpr int kTiles = 4 / Bytes; // that a word of a row has samples of
#pragma unroll
        for (int half = 0; half < 2; ++half)
#pragma unroll
            for (int i = 0; i < Bytes; ++i) {
                u32 word[4] = {loaded.words[half][0][i], loaded.words[half][1][i], loaded.words[half][2][i],
                               loaded.words[half][3][i]};
                transpose_bytes(word[0], word[1], word[2], word[3]);
#pragma unroll
                for (int k = 0; k < 4; ++k)
                    words[i * kTiles + k / Bytes][k % Bytes][half] = word[k];
            }
    }
};

template <int Bytes>
__device__ __forceinline__ void store_words(const LaneWords<Bytes> &loaded, unsigned lane,
                                            uint4 (&stage)[2 * Bytes][kWarpSize])
{
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int i = 0; i < Bytes; ++i)
            stage[half * Bytes + i][lane] = {loaded.words[half][0][i], loaded.words[half][1][i],
                                             loaded.words[half][2][i], loaded.words[half][3][i]};
}

template <int Bytes>
__device__ __forceinline__ LaneWords<Bytes> load_words(const uint4 (&stage)[2 * Bytes][kWarpSize], unsigned lane)
{
    LaneWords<Bytes> loaded;
#pragma unroll
    for (int half = 0; half < 2; ++half)
#pragma unroll
        for (int i = 0; i < Bytes; ++i) {
            const uint4 rows = stage[half * Bytes + i][lane];
            loaded.words[half][0][i] = rows.x, loaded.words[half][1][i] = rows.y;
            loaded.words[half][2][i] = rows.z, loaded.words[half][3][i] = rows.w;
        }
    return loaded;
}

/// The next scale's picture (spec vif 3.2) under the chunk. One matrix holds both bytes of the
/// coefficients: its rows are 8 outputs.
template <int Bytes>
__device__ __forceinline__ void warp_make_next(const TileSamples<Bytes> &samples, const VifTensorTables &tables,
                                               const ChunkAt &at, const CudaPlane &next, int next_width_px,
                                               int next_height_px, uint2 &carry)
{
    const Matrix matrix = warp_load_matrix(tables, kVifTensorNext, at.lane);
    u32 v[4][2]; // of the lane's row, in its columns of the left and the right half
#pragma unroll
    for (int tile = 0; tile < 4; ++tile) {
        const u32 rounding = 1U << (at.bpc - 1);
        const Sums low =
            warp_multiply(matrix, samples.words[tile][0][0], samples.words[tile][0][1], {{rounding, rounding, 0, 0}});
        if constexpr (Bytes == 1) {
            v[tile][0] = low.at[2] + (low.at[0] >> 8);
            v[tile][1] = low.at[3] + (low.at[1] >> 8);
        } else {
            const Sums high = warp_multiply(matrix, samples.words[tile][1][0], samples.words[tile][1][1], {});
#pragma unroll
            for (int half = 0; half < 2; ++half)
                v[tile][half] =
                    (low.at[half] + ((low.at[2 + half] + high.at[half]) << 8) + (high.at[2 + half] << 16)) >> at.bpc;
        }
    }
    u32 low[2], high[2];
#pragma unroll
    for (int half = 0; half < 2; ++half)
        split_bytes(v[0][half], v[1][half], v[2][half], v[3][half], low[half], high[half]);
    const uint2 left = carry;
    carry = {low[1], high[1]};
    if (at.only_carry)
        return;
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
        const Matrix filter = half == 0 ? matrix : warp_load_matrix(tables, kVifTensorNextSwapped, at.lane);
        const Sums low_sums = warp_multiply(filter, half == 0 ? left.x : low[1], low[0], {{1U << 15, 1U << 15, 0, 0}});
        const Sums high_sums = warp_multiply(filter, half == 0 ? left.y : high[1], high[0], {});
        const int x = (at.x_px + half * kRows) / 2 + at.group(), y = at.y_px / 2 + at.in_group() * 2;
        auto *out = reinterpret_cast<std::uint16_t *>(const_cast<unsigned char *>(row_of(next, y))) + x;
#pragma unroll
        for (int i = 0; i < 2; ++i, out += next.stride_bytes / static_cast<int>(sizeof(*out)))
            if (x < next_width_px && y + i < next_height_px)
                *out = static_cast<std::uint16_t>(
                    (low_sums.at[i] + ((low_sums.at[2 + i] + high_sums.at[i]) << 8) + (high_sums.at[2 + i] << 16)) >>
                    16);
    }
}

/// The vertical results of a lane, packed by bytes, and those of the chunk before that the
/// horizontal products still need.
template <int Bytes> struct PackedRows {
    u32 bytes[Bytes][4]; ///< 2 * block row, and one more in the right half of the chunk
    u32 left[Bytes][kBlockRows];

    /// A block's operands, for the first and the second 16 inputs: swapped in the right half, where
    /// the middle comes first.
    __device__ __forceinline__ void operands(int half, int row, u32 (&words)[Bytes][2]) const
    {
#pragma unroll
        for (int byte = 0; byte < Bytes; ++byte) {
            words[byte][0] = half == 0 ? left[byte][row] : bytes[byte][2 * row + 1];
            words[byte][1] = bytes[byte][2 * row];
        }
    }
};

/// sums of three weights, modulo 2^32
__device__ __forceinline__ u32 combine(const ByteSums<2> &sums, int i)
{
    return sums.sums[0].at[i] + (sums.sums[1].at[i] << 8) + (sums.sums[2].at[i] << 16);
}

__device__ __forceinline__ Filter warp_load_filter(const VifTensorTables &tables, int half, unsigned lane)
{
    if (half == 0)
        return {warp_load_matrix(tables, kVifTensorLow, lane), warp_load_matrix(tables, kVifTensorHigh, lane)};
    return {warp_load_matrix(tables, kVifTensorLowSwapped, lane),
            warp_load_matrix(tables, kVifTensorHighSwapped, lane)};
}

/// M of one picture (spec vif 3.3).
template <int Bytes>
__device__ __forceinline__ void warp_make_means(const TileSamples<Bytes> &samples, const VifTensorTables &tables,
                                                const ChunkAt &at, uint4 (&carry)[kWarpSize],
                                                uint4 (&means)[kBlockRows * kHalves][kWarpSize])
{
    const Filter vertical = warp_load_filter(tables, 0, at.lane);
    u32 v[4][4];
#pragma unroll
    for (int tile = 0; tile < 4; ++tile) {
        const ByteSums<Bytes> sums(vertical, samples.words[tile], 1U << (at.bpc - 1));
#pragma unroll
        for (int i = 0; i < 4; ++i)
            if constexpr (Bytes == 1)
                v[tile][i] = sums.sums[1].at[i] + (sums.sums[0].at[i] >> 8);
            else
                v[tile][i] = combine(sums, i) >> at.bpc;
    }
    const uint4 left = carry[at.lane];
    PackedRows<2> packed{{}, {{left.x, left.z}, {left.y, left.w}}};
    u32(&bytes)[2][4] = packed.bytes;
#pragma unroll
    for (int i = 0; i < 4; ++i)
        split_bytes(v[0][i], v[1][i], v[2][i], v[3][i], bytes[0][i], bytes[1][i]);
    carry[at.lane] = {bytes[0][1], bytes[1][1], bytes[0][3], bytes[1][3]};
    if (at.only_carry)
        return;
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
        const Filter filter = warp_load_filter(tables, half, at.lane);
#pragma unroll
        for (int row = 0; row < kBlockRows; ++row) {
            u32 words[2][2];
            packed.operands(half, row, words);
            const ByteSums<2> sums(filter, words, 0);
            means[row * kHalves + half][at.lane] = {combine(sums, 0), combine(sums, 1), combine(sums, 2),
                                                    combine(sums, 3)};
        }
    }
}

/// Bytes of a product of two samples: 12 bits at most.
template <int Bytes> constexpr int kProductBytes = Bytes == 1 ? 2 : 3;

/// Bytes of the products of the samples of one tile: words for the first and the second half of the
/// rows.
template <int Bytes>
__device__ __forceinline__ void multiply_tile(const LaneWords<Bytes> &a, const LaneWords<Bytes> &b, int tile,
                                              u32 (&out)[kProductBytes<Bytes>][2])
{
#pragma unroll
    for (int half = 0; half < 2; ++half) {
        u32 products[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const u32 word_a = a.words[half][i][tile * Bytes / 4], word_b = b.words[half][i][tile * Bytes / 4];
            if constexpr (Bytes == 1)
                products[i] = __dp4a(word_a & (0xffU << (8 * tile)), word_b, 0U);
            else
                products[i] = tile % 2 == 0 ? (word_a & 0xffff) * (word_b & 0xffff) : (word_a >> 16) * (word_b >> 16);
        }
        if constexpr (Bytes == 1) {
            split_bytes(products[0], products[1], products[2], products[3], out[0][half], out[1][half]);
        } else {
            transpose_bytes(products[0], products[1], products[2], products[3]);
#pragma unroll
            for (int byte = 0; byte < kProductBytes<Bytes>; ++byte)
                out[byte][half] = products[byte];
        }
    }
}

/// spec vif 3.3: (mean_a * mean_b + 2^31) >> 32
__device__ __forceinline__ u32 mean_product(u32 mean_a, u32 mean_b)
{
    return static_cast<u32>((static_cast<unsigned long long>(mean_a) * mean_b + 0x80000000U) >> 32);
}

/// S of the pictures a and b (spec vif 3.3). `moments` may lie over either means.
template <int Bytes>
__device__ __forceinline__ void warp_make_moments(const LaneWords<Bytes> &a, const LaneWords<Bytes> &b,
                                                  const VifTensorTables &tables, const ChunkAt &at,
                                                  uint4 (&carry)[2][kWarpSize],
                                                  const uint4 (&means_a)[kBlockRows * kHalves][kWarpSize],
                                                  const uint4 (&means_b)[kBlockRows * kHalves][kWarpSize],
                                                  uint4 (&moments)[kBlockRows * kHalves][kWarpSize])
{
    PackedRows<4> packed;
    u32(&bytes)[4][4] = packed.bytes; // first by tile
    {
        const Filter vertical = warp_load_filter(tables, 0, at.lane);
#pragma unroll
        for (int tile = 0; tile < 4; ++tile) {
            u32 words[kProductBytes<Bytes>][2];
            multiply_tile(a, b, tile, words);
            const unsigned shift = Bytes == 1 ? 0 : 2 * (at.bpc - 8); // spec vif 3.3: q
            const ByteSums<kProductBytes<Bytes>> sums(vertical, words, Bytes == 1 ? 0 : 1U << (shift - 1));
#pragma unroll
            for (int i = 0; i < 4; ++i)
                if constexpr (Bytes == 1)
                    bytes[tile][i] = combine(sums, i);
                else
                    bytes[tile][i] = ((sums.sums[2].at[i] + (sums.sums[3].at[i] << 8)) << (16 - shift)) +
                                     ((sums.sums[0].at[i] + (sums.sums[1].at[i] << 8)) >> shift);
        }
    }
#pragma unroll
    for (int i = 0; i < 4; ++i)
        transpose_bytes(bytes[0][i], bytes[1][i], bytes[2][i], bytes[3][i]);
#pragma unroll
    for (int row = 0; row < kBlockRows; ++row) {
        const uint4 before = carry[row][at.lane];
        packed.left[0][row] = before.x, packed.left[1][row] = before.y;
        packed.left[2][row] = before.z, packed.left[3][row] = before.w;
        carry[row][at.lane] = {bytes[0][2 * row + 1], bytes[1][2 * row + 1], bytes[2][2 * row + 1],
                               bytes[3][2 * row + 1]};
    }
    if (at.only_carry)
        return;
#pragma unroll
    for (int half = 0; half < kHalves; ++half) {
        const Filter filter = warp_load_filter(tables, half, at.lane);
#pragma unroll
        for (int row = 0; row < kBlockRows; ++row) {
            u32 words[4][2];
            packed.operands(half, row, words);
            const ByteSums<4> sums(filter, words, 1U << 15);
            const int block = row * kHalves + half;
            const uint4 mean_a = means_a[block][at.lane], mean_b = means_b[block][at.lane];
            const u32 means[4] = {mean_product(mean_a.x, mean_b.x), mean_product(mean_a.y, mean_b.y),
                                  mean_product(mean_a.z, mean_b.z), mean_product(mean_a.w, mean_b.w)};
            u32 s[4];
#pragma unroll
            for (int i = 0; i < 4; ++i)
                s[i] = ((sums.sums[0].at[i] + (sums.sums[1].at[i] << 8)) >> 16) + sums.sums[2].at[i] +
                       (sums.sums[3].at[i] << 8) + (sums.sums[4].at[i] << 16) - means[i];
            moments[block][at.lane] = {s[0], s[1], s[2], s[3]};
        }
    }
}

constexpr int kScorePixels = 4 * kHalves;

/// Bit 4 * half + i: whether result i of a block in that half of the chunk lies in the picture.
__device__ __forceinline__ unsigned thread_valid_pixels(const ChunkAt &at, int row)
{
    constexpr unsigned kAll = (1U << kScorePixels) - 1;
    if (at.x_px + kChunk <= at.width_px && at.y_px + kRows <= at.height_px)
        return kAll;
    unsigned valid = 0;
#pragma unroll
    for (int pixel = 0; pixel < kScorePixels; ++pixel) {
        const int x = at.x_px + pixel / 4 * kRows + pixel % 4 / 2 * 8 + at.group();
        const int y = at.y_px + row * 8 + at.in_group() * 2 + pixel % 2;
        valid |= static_cast<unsigned>(x < at.width_px && y < at.height_px) << pixel;
    }
    return valid;
}

template <int Bytes>
__device__ __forceinline__ void warp_score(const WarpStage<Bytes> &stage, const VifTensorTables &tables,
                                           const ChunkAt &at, const VifGainLimit &gain_limit, VifThreadSums &sums)
{
#pragma unroll 1
    for (int row = 0; row < kBlockRows; ++row) {
        VifGroup<kScorePixels> group;
#pragma unroll
        for (int half = 0; half < kHalves; ++half) {
            const auto load = [&](int which, int *to) {
                const uint4 four = stage.moments[which][row * kHalves + half][at.lane];
                to[4 * half] = static_cast<int>(four.x), to[4 * half + 1] = static_cast<int>(four.y);
                to[4 * half + 2] = static_cast<int>(four.z), to[4 * half + 3] = static_cast<int>(four.w);
            };
            load(0, group.s1);
            load(1, group.s2);
            load(2, group.s12);
        }
        thread_add_group(group, thread_valid_pixels(at, row), gain_limit, VifByteLog{tables.log}, sums);
    }
}

/// An index that could select either picture would make the compiler put arrays in local memory.
__device__ __forceinline__ CudaPlane choose(const Pictures &pictures, int side)
{
    const CudaPlane ref = pictures.side[0], dis = pictures.side[1];
    return {side == 0 ? ref.data : dis.data, side == 0 ? ref.stride_bytes : dis.stride_bytes};
}

/// spec vif 3 for `count` chunks of a row of chunks, from the chunk `first`.
template <int Bytes>
__device__ __forceinline__ void warp_walk(const VifCudaParams &params, unsigned frame, unsigned row, unsigned first,
                                          unsigned count, const VifTensorTables &tables, WarpStage<Bytes> &stage)
{
    const Pictures pictures = pictures_of<0>(params, frame), next = pictures_of<1>(params, frame);
    ChunkAt at{threadIdx.x % kWarpSize,
               (static_cast<int>(first) - 1) * kChunk,
               static_cast<int>(row) * kRows,
               pictures.width_px,
               pictures.height_px,
               Bytes == 1 ? 8 : params.bpc,
               true};
    const LaneRows rows(at);
    uint2 next_carry[2]{}; // like WarpStage::mean_carry, of the next scale's pictures
    const VifGainLimit gain_limit(params.gain_limit);
    VifThreadSums sums{};
    LaneWords<Bytes> words = thread_load_words<Bytes>(pictures.side[0], at, rows);
#pragma unroll 1
    for (unsigned i = 0; i <= count; ++i, at.x_px += kChunk, at.only_carry = false) {
#pragma unroll 1
        for (int side = 0; side < 2; ++side) {
            const CudaPlane next_plane = choose(next, side);
            const TileSamples<Bytes> samples(words);
            store_words(words, at.lane, stage.samples[side]);
            ChunkAt ahead = at;
            ahead.x_px += side * kChunk;
            words = thread_load_words<Bytes>(choose(pictures, side ^ 1), ahead, rows);
            warp_make_next(samples, tables, at, next_plane, next.width_px, next.height_px, next_carry[0]);
            const uint2 swapped = next_carry[0];
            next_carry[0] = next_carry[1];
            next_carry[1] = swapped;
            warp_make_means(samples, tables, at, stage.mean_carry[side], stage.moments[side]);
        }
#pragma unroll 1
        for (int product = 0; product < 3; ++product) {
            // S12 first: S1 and S2 take the places of M1 and M2.
            const int a = product == 2 ? 1 : 0, b = product == 1 ? 0 : 1, to = product == 0 ? 2 : product - 1;
            warp_make_moments(load_words<Bytes>(stage.samples[a], at.lane),
                              load_words<Bytes>(stage.samples[b], at.lane), tables, at, stage.square_carry[product],
                              stage.moments[a], stage.moments[b], stage.moments[to]);
        }
        if (!at.only_carry)
            warp_score(stage, tables, at, gain_limit, sums);
    }
    warp_add_sums(sums, sums_of<0>(params, frame));
}

/// Each warp takes an equal share of the chunks of all frames.
template <int Bytes> __device__ __forceinline__ void block_process(const VifCudaParams &params)
{
    auto *shared = reinterpret_cast<uint4 *>(dynamic_shared());
    const VifTensorTables &tables = *reinterpret_cast<const VifTensorTables *>(shared);
    for (unsigned i = threadIdx.x; i < sizeof(VifTensorTables) / sizeof(uint4); i += blockDim.x)
        shared[i] = __ldg(reinterpret_cast<const uint4 *>(params.tensor_tables) + i);
    __syncthreads();

    const unsigned warps_a_block = blockDim.x / kWarpSize;
    WarpStage<Bytes> &stage =
        reinterpret_cast<WarpStage<Bytes> *>(shared + sizeof(VifTensorTables) / sizeof(uint4))[threadIdx.x / kWarpSize];
    const VifLevel &level = params.levels[0];
    const unsigned chunks = (level.width_px + kVifTensorColumns - 1) / kVifTensorColumns,
                   rows = (level.height_px + kVifTensorRows - 1) / kVifTensorRows;
    const u64 total = static_cast<u64>(chunks) * rows * params.batch.count;
    const unsigned warp = blockIdx.x * warps_a_block + threadIdx.x / kWarpSize, warps = gridDim.x * warps_a_block;
    const auto last = static_cast<unsigned>(total * (warp + 1) / warps);
    for (auto first = static_cast<unsigned>(total * warp / warps); first < last;) {
        const unsigned row = first / chunks, chunk = first % chunks, count = min(last - first, chunks - chunk);
        warp_walk(params, row / rows, row % rows, chunk, count, tables, stage);
        first += count;
    }
}

} // namespace vif_tensor
} // namespace vif_kernels
} // namespace vmaf
