#include "vif/vif_common.cuh"
#include "vif/vif_tensor.cuh"

// Integer VIF: one kernel a scale, and nothing but the next scale's pictures leaves it.
//
// A block filters a tile vertically, a thread a column, from global to shared memory; then
// horizontally, a thread 4 pixels of a row at a time, and feeds these to the statistic. The next
// scale's filter runs beside it. All filter sums are 32-bit: taps at the same distance are folded,
// 32-bit operands are split in halves (spec vif 5).

namespace vmaf {
inline namespace vif_kernels {

constexpr int kVifGroupPx = 4; ///< pixels of a row that a thread works on together
constexpr int kThreads = kVifBlockThreads;
constexpr int kTileRows = kVifTileRows;
/// Rows of shared memory are 4 banks apart, so that 16-byte loads of 8 lanes from 8 rows do not
/// collide.
constexpr int kRowWords = kThreads + 4;

/// Results of the vertical pass (spec vif 3.2, 3.3).
struct Tile {
    u32 means[kTileRows][kRowWords];      ///< v1, v2 in the lower and upper half
    u32 squares[3][kTileRows][kRowWords]; ///< v11, v22, v12
    u32 next[kTileRows / 2][kRowWords];   ///< V of ref and dis for even rows, as `means`
    u16 log_table[kVifLogBlocks];
};

struct TileAt {
    int x_px, y_px; ///< of the first scored pixel
};

/// spec vif 3.1. By value in device code: folded away where the distance is known.
template <int Scale> __device__ __forceinline__ constexpr u32 tap(int distance)
{
    constexpr u32 taps[] = {kVifFilter[Scale][0], kVifFilter[Scale][1], kVifFilter[Scale][2],
                            kVifFilter[Scale][3], kVifFilter[Scale][4], kVifFilter[Scale][5],
                            kVifFilter[Scale][6], kVifFilter[Scale][7], kVifFilter[Scale][8]};
    return taps[distance < 0 ? -distance : distance];
}

template <int Scale> constexpr int kHalf = static_cast<int>(kVifHalf[Scale]);
template <int Scale> constexpr int kHalo = static_cast<int>(vif_halo_px(Scale));
template <int Scale> constexpr int kTileColumns = static_cast<int>(vif_tile_columns(Scale));

/// `start` plus the filter sum around values[centre], modulo 2^32. That of 16-bit values does not
/// reach it.
template <int Scale, int Count>
__device__ __forceinline__ u32 filter_sum(const u32 (&values)[Count], int centre, u32 start)
{
    u32 sum = start + tap<Scale>(0) * values[centre];
#pragma unroll
    for (int d = 1; d <= kHalf<Scale>; ++d)
        sum += tap<Scale>(d) * (values[centre - d] + values[centre + d]);
    return sum;
}

/// Filter sums of the lower and the upper halves of 32-bit values (spec vif 5).
struct Halves {
    u32 low, high;
};

/// @param high values >> 16. Nobody needs the lower halves: the sum of the values is low + (high <<
/// 16), modulo 2^32.
template <int Scale, int Count>
__device__ __forceinline__ Halves split_filter_sum(const u32 (&values)[Count], const u32 (&high)[Count], int centre)
{
    const u32 high_sum = filter_sum<Scale>(high, centre, 0);
    return {filter_sum<Scale>(values, centre, 0) - (high_sum << 16), high_sum};
}

/// A run of samples down a column, mirrored at the borders.
template <class Sample, int Count>
__device__ __forceinline__ void load_column(const CudaPlane &plane, int x, int first_y, int height_px,
                                            u32 (&samples)[Count])
{
    const unsigned char *column = plane.data + static_cast<long long>(x) * static_cast<int>(sizeof(Sample));
    if (first_y >= 0 && first_y + Count <= height_px) {
        column += plane.stride_bytes * first_y;
#pragma unroll
        for (int i = 0; i < Count; ++i, column += plane.stride_bytes)
            samples[i] = __ldg(reinterpret_cast<const Sample *>(column));
    } else {
#pragma unroll
        for (int i = 0; i < Count; ++i)
            samples[i] = __ldg(
                reinterpret_cast<const Sample *>(column + plane.stride_bytes * mirror_far(first_y + i, height_px)));
    }
}

/// Four 8-bit samples a word, for the two-way dot products.
template <int Count> __device__ __forceinline__ void pack_bytes(const u32 (&samples)[Count], u32 (&words)[Count / 4])
{
#pragma unroll
    for (int i = 0; i < Count / 4; ++i)
        words[i] = __byte_perm(__byte_perm(samples[4 * i], samples[4 * i + 1], 0x0040),
                               __byte_perm(samples[4 * i + 2], samples[4 * i + 3], 0x0040), 0x5410);
}

/// filter_sum of bytes: pairs of neighbouring samples instead of folded ones. The window may begin
/// with either of a pair.
template <int Scale, int Words>
__device__ __forceinline__ u32 byte_filter_sum(const u32 (&words)[Words], int centre, u32 sum)
{
    const int first = centre - kHalf<Scale>, first_pair = first / 2;
#pragma unroll
    for (int pair = first_pair; 2 * pair <= centre + kHalf<Scale>; ++pair) {
        const int d = 2 * pair - centre;
        const u32 c0 = d < -kHalf<Scale> ? 0 : tap<Scale>(d), c1 = d + 1 > kHalf<Scale> ? 0 : tap<Scale>(d + 1);
        sum = pair % 2 == 0 ? __dp2a_lo(c0 | c1 << 16, words[pair / 2], sum)
                            : __dp2a_hi(c0 | c1 << 16, words[pair / 2], sum);
    }
    return sum;
}

/// What the vertical pass makes of a column of the tile from the samples around it.
template <int Scale, class Sample> class ColumnRun;

/// 8 bit, scale 0: products fit 16 bits and their filter sums 32, and nothing is shifted.
template <int Scale> class ColumnRun<Scale, u8> {
  public:
    static constexpr int kCount = kTileRows + 2 * kHalf<Scale>;
    using Samples = u32[kCount];

    __device__ __forceinline__ explicit ColumnRun(unsigned) {}

    __device__ __forceinline__ void store_means(const Samples &ref, const Samples &dis, int column, Tile &tile) const
    {
        const Packed ref_words(ref), dis_words(dis);
#pragma unroll
        for (int i = 0; i < kTileRows; ++i)
            tile.means[i][column] = ref_words.template mean<Scale>(i) | dis_words.template mean<Scale>(i) << 16;
    }

    __device__ __forceinline__ void store_next(const Samples &ref, const Samples &dis, int column, Tile &tile) const
    {
        const Packed ref_words(ref), dis_words(dis);
#pragma unroll
        for (int i = 0; i < kTileRows; i += 2)
            tile.next[i / 2][column] = ref_words.template mean<Scale + 1>(i) | dis_words.template mean<Scale + 1>(i)
                                                                                   << 16;
    }

    __device__ __forceinline__ void store_squares(const Samples &a, const Samples &b, u32 *out) const
    {
        u32 products[kCount];
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            products[i] = a[i] * b[i];
#pragma unroll
        for (int i = 0; i < kTileRows; ++i)
            out[i * kRowWords] = filter_sum<Scale>(products, i + kHalf<Scale>, 0);
    }

  private:
    struct Packed {
        u32 words[kCount / 4];

        __device__ __forceinline__ explicit Packed(const Samples &samples) { pack_bytes(samples, words); }

        template <int Filter> __device__ __forceinline__ u32 mean(int i) const
        {
            return byte_filter_sum<Filter>(words, i + kHalf<Scale>, 1U << 7) >> 8;
        }
    };
};

template <int Scale> class ColumnRun<Scale, u16> {
  public:
    static constexpr int kCount = kTileRows + 2 * kHalf<Scale>;
    using Samples = u32[kCount];

    __device__ __forceinline__ explicit ColumnRun(unsigned bpc)
        : mean_shift_(Scale == 0 ? bpc : 16), square_shift_(Scale == 0 ? 2 * (bpc - 8) : 16)
    {
    }

    __device__ __forceinline__ void store_means(const Samples &ref, const Samples &dis, int column, Tile &tile) const
    {
#pragma unroll
        for (int i = 0; i < kTileRows; ++i)
            tile.means[i][column] = mean<Scale>(ref, i) | mean<Scale>(dis, i) << 16;
    }

    __device__ __forceinline__ void store_next(const Samples &ref, const Samples &dis, int column, Tile &tile) const
    {
#pragma unroll
        for (int i = 0; i < kTileRows; i += 2)
            tile.next[i / 2][column] = mean<Scale + 1>(ref, i) | mean<Scale + 1>(dis, i) << 16;
    }

    __device__ __forceinline__ void store_squares(const Samples &a, const Samples &b, u32 *out) const
    {
        u32 products[kCount], high[kCount];
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            products[i] = a[i] * b[i];
            high[i] = products[i] >> 16;
        }
        const u32 rounding = 1U << (square_shift_ - 1);
#pragma unroll
        for (int i = 0; i < kTileRows; ++i) {
            const Halves sum = split_filter_sum<Scale>(products, high, i + kHalf<Scale>);
            out[i * kRowWords] = (sum.high << (16 - square_shift_)) + ((sum.low + rounding) >> square_shift_);
        }
    }

  private:
    template <int Filter> __device__ __forceinline__ u32 mean(const Samples &samples, int i) const
    {
        return filter_sum<Filter>(samples, i + kHalf<Scale>, 1U << (mean_shift_ - 1)) >> mean_shift_;
    }

    unsigned mean_shift_, square_shift_; ///< spec vif 3.3: b and q
};

template <int Scale, class Sample>
__device__ __forceinline__ void block_vertical(const VifCudaParams &params, const Pictures &pictures, TileAt at,
                                               bool scored, Tile &tile)
{
    using Run = ColumnRun<Scale, Sample>;
    const Run run(params.bpc);
    const int column = static_cast<int>(threadIdx.x);
    const int x = mirror_far(at.x_px - kHalo<Scale> + column, pictures.width_px);
    const int first_y = at.y_px - kHalf<Scale>;
    u32 ref[Run::kCount], dis[Run::kCount];
    load_column<Sample>(pictures.side[0], x, first_y, pictures.height_px, ref);
    load_column<Sample>(pictures.side[1], x, first_y, pictures.height_px, dis);
    if (scored)
        run.store_means(ref, dis, column, tile);
    if constexpr (Scale + 1 < static_cast<int>(kVifScales))
        run.store_next(ref, dis, column, tile);
    if (!scored)
        return;
    run.store_squares(ref, ref, &tile.squares[0][0][column]);
    run.store_squares(ref, dis, &tile.squares[2][0][column]);
    run.store_squares(dis, dis, &tile.squares[1][0][column]);
}

/// Neighbouring pixels of a row and their neighbours.
template <int Scale, int Pixels> struct Window {
    static constexpr int kCount = Pixels + 2 * kHalo<Scale>;
    u32 values[kCount];

    /// @param row starts at the left neighbours; 16-byte aligned.
    __device__ __forceinline__ explicit Window(const u32 *row)
    {
#pragma unroll
        for (int i = 0; i < kCount; i += 4) {
            const uint4 four = *reinterpret_cast<const uint4 *>(row + i);
            values[i] = four.x, values[i + 1] = four.y, values[i + 2] = four.z, values[i + 3] = four.w;
        }
    }
};

template <int Scale, int Pixels> struct SplitWindow : Window<Scale, Pixels> {
    u32 high[Window<Scale, Pixels>::kCount]; ///< halves of the values

    __device__ __forceinline__ explicit SplitWindow(const u32 *row) : Window<Scale, Pixels>(row)
    {
#pragma unroll
        for (int i = 0; i < Window<Scale, Pixels>::kCount; ++i)
            high[i] = this->values[i] >> 16;
    }

    /// Around pixel i.
    template <int Filter> __device__ __forceinline__ Halves filter_sum_at(int i) const
    {
        return split_filter_sum<Filter>(this->values, high, i + kHalo<Scale>);
    }
};

/// spec vif 3.3: X - N for a group of pixels.
template <int Scale>
__device__ __forceinline__ void thread_moments(const u32 *row, const u32 (&mean_a)[kVifGroupPx],
                                               const u32 (&mean_b)[kVifGroupPx], int (&moments)[kVifGroupPx])
{
    const SplitWindow<Scale, kVifGroupPx> window(row);
#pragma unroll
    for (int i = 0; i < kVifGroupPx; ++i) {
        const Halves sum = window.template filter_sum_at<Scale>(i);
        const u32 x = sum.high + ((sum.low + 0x8000) >> 16);
        const u64 n = static_cast<u64>(mean_a[i]) * mean_b[i] + 0x80000000U;
        moments[i] = static_cast<int>(x - static_cast<u32>(n >> 32));
    }
}

template <int Scale>
__device__ __forceinline__ void thread_score_group(const Tile &tile, int row, int column, unsigned valid,
                                                   const VifGainLimit &gain_limit, VifThreadSums &sums)
{
    u32 mean1[kVifGroupPx], mean2[kVifGroupPx];
    const SplitWindow<Scale, kVifGroupPx> window(&tile.means[row][column]);
#pragma unroll
    for (int i = 0; i < kVifGroupPx; ++i) {
        const Halves sum = window.template filter_sum_at<Scale>(i);
        mean1[i] = sum.low;
        mean2[i] = sum.high;
    }
    VifGroup<kVifGroupPx> group;
    thread_moments<Scale>(&tile.squares[0][row][column], mean1, mean1, group.s1);
    thread_moments<Scale>(&tile.squares[1][row][column], mean2, mean2, group.s2);
    thread_moments<Scale>(&tile.squares[2][row][column], mean1, mean2, group.s12);
    thread_add_group(group, valid, gain_limit, VifBlockLog{tile.log_table}, sums);
}

/// Every pixel of the tile that lies in the picture.
template <int Scale>
__device__ __forceinline__ void block_score(const Pictures &pictures, TileAt at, const VifGainLimit &gain_limit,
                                            const Tile &tile, VifThreadSums &sums)
{
    constexpr int kGroups = kTileColumns<Scale> / kVifGroupPx * kTileRows;
#pragma unroll 1
    for (int i = static_cast<int>(threadIdx.x); i < kGroups; i += kThreads) {
        const int row = i % kTileRows, column = i / kTileRows * kVifGroupPx;
        const int columns_left = pictures.width_px - (at.x_px + column);
        if (at.y_px + row >= pictures.height_px || columns_left <= 0)
            continue;
        const unsigned valid = columns_left >= kVifGroupPx ? (1U << kVifGroupPx) - 1 : (1U << columns_left) - 1;
        thread_score_group<Scale>(tile, row, column, valid, gain_limit, sums);
    }
}

/// Samples of the next scale that a thread makes of each picture.
constexpr int kNextPx = 4;

/// Samples beyond the width fall into the row's padding.
__device__ __forceinline__ void store_next(const CudaPlane &plane, int x, int y, const u32 (&samples)[kNextPx])
{
    unsigned char *out = const_cast<unsigned char *>(row_of(plane, y)) + x * sizeof(u16);
    *reinterpret_cast<uint2 *>(out) = {samples[0] | samples[1] << 16, samples[2] | samples[3] << 16};
}

/// The tile's part of the next scale's pictures (spec vif 3.2): four samples of both a thread.
template <int Scale>
__device__ __forceinline__ void block_make_next(const VifCudaParams &params, unsigned frame, TileAt at,
                                                const Tile &tile)
{
    constexpr int kNextRows = kTileRows / 2;
    constexpr int kGroups = kTileColumns<Scale> / (2 * kNextPx) * kNextRows;
    static_assert(kGroups <= kThreads);
    const Pictures next = pictures_of<Scale + 1>(params, frame);
    const int thread = static_cast<int>(threadIdx.x), row = thread % kNextRows,
              column = thread / kNextRows * (2 * kNextPx);
    const int x = (at.x_px + column) / 2, y = at.y_px / 2 + row;
    if (thread >= kGroups || y >= next.height_px || x >= next.width_px)
        return;
    const SplitWindow<Scale, 2 * kNextPx> window(&tile.next[row][column]);
    u32 ref[kNextPx], dis[kNextPx];
#pragma unroll
    for (int i = 0; i < kNextPx; ++i) {
        const Halves sum = window.template filter_sum_at<Scale + 1>(2 * i);
        ref[i] = (sum.low + 0x8000) >> 16;
        dis[i] = (sum.high + 0x8000) >> 16;
    }
    store_next(next.side[0], x, y, ref);
    store_next(next.side[1], x, y, dis);
}

__device__ __forceinline__ void block_load_log_table(const u16 *__restrict__ from, Tile &tile)
{
    constexpr unsigned kPerLoad = sizeof(uint4) / sizeof(u16);
#pragma unroll
    for (unsigned i = threadIdx.x; i < kVifLogBlocks / kPerLoad; i += kThreads)
        reinterpret_cast<uint4 *>(tile.log_table)[i] = __ldg(reinterpret_cast<const uint4 *>(from) + i);
}

__device__ __forceinline__ void block_add_sums(const VifThreadSums &sums, VifScaleSums &total)
{
    __shared__ VifThreadSums block;
    if (threadIdx.x == 0)
        block = {};
    __syncthreads();
    const u64 log_num = warp_sum(sums.log_num), log_den = warp_sum(sums.log_den);
    const bool any_low = __any_sync(kFullWarp, sums.low_count != 0);
    const u64 low_count = any_low ? warp_sum(sums.low_count) : 0, low_var2 = any_low ? warp_sum(sums.low_var2) : 0;
    if (threadIdx.x % kWarpSize == 0) {
        atomicAdd(&block.log_num, static_cast<u32>(log_num));
        atomicAdd(&block.log_den, static_cast<u32>(log_den));
        if (any_low) {
            atomicAdd(&block.low_count, static_cast<u32>(low_count));
            atomicAdd(&block.low_var2, low_var2);
        }
    }
    __syncthreads();
    if (threadIdx.x == 0)
        thread_add_sums(block.log_num, block.log_den, block.low_count, block.low_var2, total);
}

template <int Scale, class Sample>
__device__ __forceinline__ void block_process(const VifCudaParams &params, unsigned tile_x, unsigned tile_y,
                                              unsigned frame)
{
    __shared__ __align__(16) Tile tile;
    const TileAt at{static_cast<int>(tile_x) * kTileColumns<Scale>, static_cast<int>(tile_y) * kTileRows};
    const Pictures pictures = pictures_of<Scale>(params, frame);
    const bool scored = Scale > 0 || params.score_scale0;
    if (scored)
        block_load_log_table(params.log_table, tile);
    block_vertical<Scale, Sample>(params, pictures, at, scored, tile);
    __syncthreads();
    if constexpr (Scale + 1 < static_cast<int>(kVifScales))
        block_make_next<Scale>(params, frame, at, tile);
    if (!scored)
        return;
    VifThreadSums sums{};
    block_score<Scale>(pictures, at, VifGainLimit(params.gain_limit), tile, sums);
    block_add_sums(sums, sums_of<Scale>(params, frame));
}

/// Results of the vertical pass for one column, plainly.
struct ColumnResult {
    u64 v[2];
    u64 squares[3];
};

/// The vertical pass at one column; `row_at(side, d)` is the picture's row at distance d.
template <int Scale, class RowAt> __device__ ColumnResult thread_column(RowAt row_at, int x)
{
    ColumnResult sums{};
    for (int d = -kHalf<Scale>; d <= kHalf<Scale>; ++d) {
        const u64 ref = row_at(0, d)[x], dis = row_at(1, d)[x], c = tap<Scale>(d);
        sums.v[0] += c * ref;
        sums.v[1] += c * dis;
        sums.squares[0] += c * ref * ref;
        sums.squares[1] += c * dis * dis;
        sums.squares[2] += c * ref * dis;
    }
    for (u64 &value : sums.v)
        value = (value + 0x8000) >> 16;
    for (u64 &value : sums.squares)
        value = (value + 0x8000) >> 16;
    return sums;
}

__device__ const u16 *samples_of(const Pictures &pictures, int side, int y)
{
    return reinterpret_cast<const u16 *>(row_of(pictures.side[side], y));
}

/// spec vif 4: scale 3 when it is one sample wide or high. The missing neighbours of its only row
/// are row 1 of scale 2's picture; those of its only column are scale 2's results in its last row,
/// column 1.
__device__ void thread_score_thin(const VifCudaParams &params, unsigned frame, int x, int y, const u16 *log_table,
                                  VifThreadSums &sums)
{
    const Pictures scale2 = pictures_of<2>(params, frame), scale3 = pictures_of<3>(params, frame);
    const auto scale2_row = [&](int side, int d) {
        return samples_of(scale2, side, mirror_far(scale2.height_px - 1 + d, scale2.height_px));
    };
    const auto scale3_row = [&](int side, int d) {
        if (scale3.height_px == 1 && d != 0)
            return samples_of(scale2, side, 1);
        return samples_of(scale3, side, mirror_far(y + d, scale3.height_px));
    };
    ColumnResult columns[3];
    for (int d = -1; d <= 1; ++d)
        columns[d + 1] = scale3.width_px == 1 && d != 0
                             ? thread_column<2>(scale2_row, 1)
                             : thread_column<3>(scale3_row, mirror_far(x + d, scale3.width_px));
    const auto row_sum = [&](auto value) {
        return tap<3>(0) * value(columns[1]) + tap<3>(1) * (value(columns[0]) + value(columns[2]));
    };
    const u64 mean1 = row_sum([](const ColumnResult &c) { return c.v[0]; });
    const u64 mean2 = row_sum([](const ColumnResult &c) { return c.v[1]; });
    const auto moment = [&](int which, u64 mean_a, u64 mean_b) {
        const u64 square = (row_sum([=](const ColumnResult &c) { return c.squares[which]; }) + 0x8000) >> 16;
        return static_cast<int>(static_cast<u32>(square) - static_cast<u32>((mean_a * mean_b + 0x80000000U) >> 32));
    };
    VifGroup<1> group{};
    group.s1[0] = moment(0, mean1, mean1);
    group.s2[0] = moment(1, mean2, mean2);
    group.s12[0] = moment(2, mean1, mean2);
    thread_add_group(group, 1, VifGainLimit(params.gain_limit), VifBlockLog{log_table}, sums);
}

} // namespace vif_kernels

// Bytes: both pictures read once, a quarter as many samples written as u16; 6 us for 3840x2160 on
// an H200. Operations: about 410 instructions a pixel at scale 0 of 8 bits, of which 150 multiply:
// 103 us at an H200's 33 T thread instructions a second.
extern "C" __global__ void __launch_bounds__(kVifBlockThreads, kVifBlocksPerSm)
    vmaf_vif_scale0_8bit(const __grid_constant__ VifCudaParams params)
{
    block_process<0, u8>(params, blockIdx.x, blockIdx.y, blockIdx.z);
}

// Scale 0 on tensor cores: per 512 pixels 208 tensor instructions and some 2,650 others, 44 us for
// 3840x2160 at one a cycle and scheduler of an H200. Each tensor instruction holds up the others
// for about 12 cycles more, hence twice that.
extern "C" __global__ void __launch_bounds__(kVifTensorRegisterWarps *kWarpSize, 1)
    vmaf_vif_scale0_8bit_tensor(const __grid_constant__ VifCudaParams params)
{
#if __CUDA_ARCH__ >= 800 || defined(VMAF_EMULATED_KERNELS)
    vif_tensor::block_process<1>(params);
#endif
}

// 9 to 12 bits: 256 tensor instructions and some 3,300 others.
extern "C" __global__ void __launch_bounds__(kVifTensorMaxWarps *kWarpSize, 1)
    vmaf_vif_scale0_12bit_tensor(const __grid_constant__ VifCudaParams params)
{
#if __CUDA_ARCH__ >= 800 || defined(VMAF_EMULATED_KERNELS)
    vif_tensor::block_process<2>(params);
#endif
}

// Another 60 instructions a pixel for the second half of the vertical squares.
extern "C" __global__ void __launch_bounds__(kVifBlockThreads, kVifBlocksPerSm)
    vmaf_vif_scale0_16bit(const __grid_constant__ VifCudaParams params)
{
    block_process<0, u16>(params, blockIdx.x, blockIdx.y, blockIdx.z);
}

// A quarter of the pixels of the scale before it, at about 0.7, 0.5 and 0.4 of scale 0's
// instructions.
extern "C" __global__ void __launch_bounds__(kVifBlockThreads, kVifBlocksPerSm)
    vmaf_vif_scale1(const __grid_constant__ VifCudaParams params)
{
    block_process<1, u16>(params, blockIdx.x, blockIdx.y, blockIdx.z);
}

extern "C" __global__ void __launch_bounds__(kVifBlockThreads, kVifBlocksPerSm)
    vmaf_vif_scale2(const __grid_constant__ VifCudaParams params)
{
    block_process<2, u16>(params, blockIdx.x, blockIdx.y, blockIdx.z);
}

extern "C" __global__ void __launch_bounds__(kVifBlockThreads, kVifBlocksPerSm)
    vmaf_vif_scale3(const __grid_constant__ VifCudaParams params)
{
    block_process<3, u16>(params, blockIdx.x, blockIdx.y, blockIdx.z);
}

// One block a frame, for pictures with a side of 8 to 15 pixels: 2048 pixels at most.
extern "C" __global__ void __launch_bounds__(kVifBlockThreads)
    vmaf_vif_scale3_thin(const __grid_constant__ VifCudaParams params)
{
    const unsigned frame = blockIdx.z;
    const VifLevel &level = params.levels[3];
    VifThreadSums sums{};
    for (unsigned i = threadIdx.x; i < level.width_px * level.height_px; i += kVifBlockThreads)
        thread_score_thin(params, frame, static_cast<int>(i % level.width_px), static_cast<int>(i / level.width_px),
                          params.log_table, sums);
    block_add_sums(sums, sums_of<3>(params, frame));
}

} // namespace vmaf
