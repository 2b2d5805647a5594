#include "adm/adm_decouple.cuh"
#include "adm/adm_dwt.cuh"
#include "adm/adm_masking.cuh"
#include "common/common.cuh"
#include "feature/adm/adm_cuda_params.h"

// spec adm 3.1 to 3.7 on batches of frames: one kernel a scale, then one that rounds and adds the
// sums of the rows.
//
// A warp goes down a strip of the band, row by row, with all its state in registers: two input rows
// of each picture for the vertical pass, and of the row before the strengths, the masks summed over
// three columns and the denominator. Lanes hold neighbouring columns, so the horizontal pass and
// the masks take theirs from the lanes beside them. The sums of a row are put together in shared
// memory, a few rows at a time, and added to those of the other strips by atomics.

namespace vmaf {
inline namespace adm_kernels {

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;

constexpr unsigned kPictures = 2;
enum Picture : unsigned { kRef, kDis };

constexpr unsigned kRowSlots = 3; // rows whose sums a warp puts together at once: nearly one sum for each lane
constexpr unsigned kSlotSums = kRowSlots * kAdmRowSums;
static_assert(kSlotSums <= kWarpSize, "a lane adds up one sum");

/// Every lane's part of each sum. The odd pitch spreads lanes that add up neighbouring sums over
/// the banks.
struct WarpSums {
    unsigned long long parts[kSlotSums][kWarpSize + 1];
};

/// Rows [first, end).
struct Rows {
    int first;
    int end;

    __device__ __forceinline__ bool contain(int y) const { return y >= first && y < end; }
};

/// A warp on its strip, at one lane.
template <int Scale, class Sample> class WarpStrip {
  public:
    __device__ __forceinline__ WarpStrip(const AdmKernelParams &params, unsigned frame, unsigned strip, unsigned lane,
                                         WarpSums &shared)
        : params_(params), scale_(params.adm.scale[Scale]), frame_(frame), lane_(lane),
          x_(static_cast<int>(strip * kStrip + lane * kColumns - kAdmHaloColumns)), shared_(shared)
    {
#pragma unroll
        for (unsigned side = 0; side < kPictures; ++side)
            input_[side] = input(side);
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            column_mask_[c] = in_sums(x_ + c) ? ~0U : 0U;
    }

    /// Band A in `rows`, and the sums of those of them that are in `sum_rows`, which may be none.
    __device__ __forceinline__ void run(Rows rows, Rows sum_rows)
    {
        const bool sums = sum_rows.first < sum_rows.end;
        const Rows masks{sum_rows.first - 1, sum_rows.end + 1};
        const Rows all{sums ? min(rows.first, masks.first) : rows.first, sums ? max(rows.end, masks.end) : rows.end};
        Samples ahead[kPictures][2];
#pragma unroll
        for (unsigned side = 0; side < kPictures; ++side) {
            above_[side].set(input_[side].load(2 * all.first - 1), input_[side].load(2 * all.first), params_.adm.bpc);
            next_[side] = input_[side].vector_address(2 * all.first + 1);
        }
        load_next(all.first, ahead);
        for (int y = all.first; y < all.end; ++y) {
            Pair below[kPictures];
#pragma unroll
            for (unsigned side = 0; side < kPictures; ++side)
                below[side].set(ahead[side][0], ahead[side][1], params_.adm.bpc);
            load_next(y + 1, ahead);
            if (sums && masks.contain(y))
                sum_row(y, below, rows.contain(y), sum_rows);
            else if (kHasNextScale)
                store_row(y, below);
#pragma unroll
            for (unsigned side = 0; side < kPictures; ++side)
                above_[side] = below[side];
        }
    }

  private:
    static constexpr int kColumns = kAdmLaneColumns[Scale];
    static constexpr int kCount = 2 * kColumns; // input columns
    static constexpr unsigned kStrip = kAdmStripColumns[Scale];
    static constexpr bool kHasNextScale = Scale < static_cast<int>(kAdmScales) - 1;
    using Samples = LaneSamples<Sample, kCount>;
    using Pair = RowPair<Sample, kCount>;
    using Bands = int32_t[kAdmBands][kColumns];

    __device__ __forceinline__ bool in_sums(int x) const
    {
        return x >= static_cast<int>(scale_.left) && x < static_cast<int>(scale_.right);
    }

    /// Whether the lane's columns are the strip's own, not of its halo.
    __device__ __forceinline__ bool is_inner() const
    {
        return lane_ * kColumns >= kAdmHaloColumns && (lane_ + 1) * kColumns <= kWarpSize * kColumns - kAdmHaloColumns;
    }

    __device__ __forceinline__ LaneInput<Sample, kCount> input(unsigned side) const
    {
        LaneInput<Sample, kCount> input;
        if constexpr (Scale == 0) {
            const CudaPairFrame &frame = params_.batch.frames[frame_];
            input.plane = side == kRef ? frame.ref[0] : frame.dis[0];
            input.width = static_cast<int>(params_.width_px);
            input.height = static_cast<int>(params_.height_px);
        } else {
            const AdmLowBand &band = params_.low_band[Scale - 1];
            input.plane = {band.data + band.plane_bytes * (kPictures * frame_ + side), band.stride_bytes};
            input.width = static_cast<int>(params_.adm.scale[Scale - 1].width);
            input.height = static_cast<int>(params_.adm.scale[Scale - 1].height);
        }
        input.column = 2 * x_;
        input.vector_load =
            (Scale > 0 || params_.vector_loads != 0) && input.column >= 0 && input.column + kCount <= input.width;
        return input;
    }

    /// The two input rows that band row y needs and the row above it does not. Called for one row
    /// after the other.
    __device__ __forceinline__ void load_next(int y, Samples (&samples)[kPictures][2])
    {
        const int upper = 2 * y + 1;
        if (input_[kRef].vector_load && upper >= 0 && upper + 1 < input_[kRef].height) {
#pragma unroll
            for (unsigned side = 0; side < kPictures; ++side) {
                samples[side][0].load_vector(next_[side]);
                samples[side][1].load_vector(next_[side] + input_[side].plane.stride_bytes);
            }
        } else {
#pragma unroll
            for (unsigned side = 0; side < kPictures; ++side) {
                samples[side][0] = input_[side].load(upper);
                samples[side][1] = input_[side].load(upper + 1);
            }
        }
#pragma unroll
        for (unsigned side = 0; side < kPictures; ++side)
            next_[side] += 2 * input_[side].plane.stride_bytes;
    }

    template <Pass Kind>
    __device__ __forceinline__ void filter_columns(const Pair &above, const Pair &below, int32_t *line) const
    {
        const int bpc = sizeof(Sample) == 1 ? 8 : static_cast<int>(params_.adm.bpc);
#pragma unroll
        for (int i = 0; i < kCount; ++i)
            line[1 + i] = thread_filter_column<Scale, Kind>(above, below, i, bpc);
    }

    __device__ __forceinline__ void store_low(int y, unsigned side, const Lines<kCount> &lines) const
    {
        int32_t low[kColumns];
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            low[c] = thread_filter_line<Scale, Pass::low>(lines.low, c);
        const AdmLowBand &band = params_.low_band[Scale];
        unsigned char *plane = band.data + band.plane_bytes * (kPictures * frame_ + side) + band.stride_bytes * y;
        constexpr int kBytes = Scale == 0 ? sizeof(int16_t) : sizeof(int32_t);
        if (is_inner() && x_ < static_cast<int>(scale_.width))
            thread_store<Scale>(low, plane + static_cast<long long>(x_) * kBytes);
    }

    /// Band A alone.
    __device__ __forceinline__ void store_row(int y, const Pair (&below)[kPictures])
    {
#pragma unroll
        for (unsigned side = 0; side < kPictures; ++side) {
            Lines<kCount> lines{};
            filter_columns<Pass::low>(above_[side], below[side], lines.low);
            warp_exchange<Scale>(lines);
            store_low(y, side, lines);
        }
    }

    /// All bands of row y, and the sums of the row above it, whose masks are complete now.
    __device__ __forceinline__ void sum_row(int y, const Pair (&below)[kPictures], bool store, Rows sum_rows)
    {
        Bands bands[kPictures];
#pragma unroll
        for (unsigned side = 0; side < kPictures; ++side) {
            Lines<kCount> lines;
            filter_columns<Pass::low>(above_[side], below[side], lines.low);
            filter_columns<Pass::high>(above_[side], below[side], lines.high);
            warp_exchange<Scale>(lines);
            if (kHasNextScale && store)
                store_low(y, side, lines);
#pragma unroll
            for (int c = 0; c < kColumns; ++c) {
                bands[side][kAdmH][c] = thread_filter_line<Scale, Pass::low>(lines.high, c);
                bands[side][kAdmV][c] = thread_filter_line<Scale, Pass::high>(lines.low, c);
                bands[side][kAdmD][c] = thread_filter_line<Scale, Pass::high>(lines.high, c);
            }
        }
        SignalRow<Scale> restored, additive;
        bool flag[kColumns];
        thread_flags<Scale>(bands[kRef], bands[kDis], flag);
        if (params_.integer_gain != 0)
            decouple<true>(bands, flag, restored, additive);
        else
            decouple<false>(bands, flag, restored, additive);
        warp_mask(additive.mask);
        warp_mask(restored.mask);
        if (y > sum_rows.first)
            put_sums(y - 1, restored, additive, sum_rows);
        restored_.follow(restored, y == 0);
        additive_.follow(additive, y == 0);
        sum_den(bands[kRef]);
    }

    template <bool IntegerGain>
    __device__ __forceinline__ void decouple(const Bands (&bands)[kPictures], const bool (&flag)[kColumns],
                                             SignalRow<Scale> &restored, SignalRow<Scale> &additive) const
    {
        const Gain gain{params_.integer_gain, params_.adm.gain_limit};
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            Signed r[kAdmBands], a[kAdmBands];
#pragma unroll
            for (unsigned band = 0; band < kAdmBands; ++band) {
                const Decoupled decoupled =
                    thread_decouple<Scale, IntegerGain>(bands[kRef][band][c], bands[kDis][band][c], flag[c], gain);
                r[band] = decoupled.restored;
                a[band] = decoupled.additive;
            }
            restored.set_column(c, r, scale_.weight);
            additive.set_column(c, a, scale_.weight);
        }
    }

    /// n of the lane's columns -> n summed over three columns.
    __device__ __forceinline__ void warp_mask(uint32_t (&n)[kColumns]) const
    {
        uint32_t wide[kColumns + 2];
        wide[0] = __shfl_up_sync(kFullWarp, n[kColumns - 1], 1);
        wide[kColumns + 1] = __shfl_down_sync(kFullWarp, n[0], 1);
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            wide[1 + c] = n[c];
        if (scale_.left == 0)
            mirror_ends(wide);
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            n[c] = wide[c] + wide[c + 1] + wide[c + 2];
    }

    /// spec adm 3.5: the neighbours of the band's first and last column, where the sums reach them.
    __device__ __forceinline__ void mirror_ends(uint32_t (&wide)[kColumns + 2]) const
    {
        const int last = static_cast<int>(scale_.width) - 1;
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            wide[c + 2] = x_ + c == last ? wide[c + 1] : wide[c + 2];
#pragma unroll
        for (int c = 0; c < kColumns; ++c)
            wide[c] = x_ + c == 0 ? wide[c + 2] : wide[c];
    }

    /// spec adm 3.7 for the row that waits for its masks.
    __device__ __forceinline__ void sum_den(const Bands &ref)
    {
#pragma unroll
        for (unsigned band = 0; band < kAdmBands; ++band) {
            den_[band] = 0;
#pragma unroll
            for (int c = 0; c < kColumns; ++c)
                den_[band] += thread_den_cube<Scale>(ref[band][c], scale_.den_cube_shift, column_mask_[c]);
        }
    }

    /// The row that waited: its sums go to shared memory, and those of some rows from there to
    /// device memory.
    __device__ __forceinline__ void put_sums(int row, const SignalRow<Scale> &restored_below,
                                             const SignalRow<Scale> &additive_below, Rows sum_rows)
    {
        const unsigned slot = static_cast<unsigned>(row - sum_rows.first) % kRowSlots;
        unsigned long long(*parts)[kWarpSize + 1] = shared_.parts + slot * kAdmRowSums;
        put_cubes(parts, row, restored_, additive_, additive_below);
        if (params_.adm.skip_aim == 0)
            put_cubes(parts + kAdmBands, row, additive_, restored_, restored_below);
#pragma unroll
        for (unsigned band = 0; band < kAdmBands; ++band)
            parts[2 * kAdmBands + band][lane_] = den_[band];
        if (slot == kRowSlots - 1 || row == sum_rows.end - 1)
            warp_flush(row - static_cast<int>(slot), slot + 1);
    }

    __device__ __forceinline__ void put_cubes(unsigned long long (*parts)[kWarpSize + 1], int row,
                                              const SignalRow<Scale> &signal, const SignalRow<Scale> &masker,
                                              const SignalRow<Scale> &masker_below) const
    {
        uint64_t sums[kAdmBands] = {};
#pragma unroll
        for (int c = 0; c < kColumns; ++c) {
            const uint32_t below = row == static_cast<int>(scale_.height) - 1 ? masker.mask[c] : masker_below.mask[c];
            const uint32_t threshold =
                masker.above[c] + (row == 0 ? 2 * below : below); // spec adm 3.5: row -1 is row 1
            sums[kAdmH] += thread_cube<Scale, false>(signal.strength[kAdmH][c], threshold, scale_.cube_shift[kAdmH],
                                                     column_mask_[c]);
            sums[kAdmV] += thread_cube<Scale, false>(signal.strength[kAdmV][c], threshold, scale_.cube_shift[kAdmV],
                                                     column_mask_[c]);
            sums[kAdmD] += thread_cube<Scale, true>(signal.strength[kAdmD][c], threshold, scale_.cube_shift[kAdmD],
                                                    column_mask_[c]);
        }
#pragma unroll
        for (unsigned band = 0; band < kAdmBands; ++band)
            parts[band][lane_] = sums[band];
    }

    __device__ __forceinline__ void warp_flush(int first_row, unsigned count) const
    {
        constexpr unsigned kHaloLanes = kAdmHaloColumns / kColumns;
        const unsigned which = lane_ % kAdmRowSums;
        const bool is_aim = which / kAdmBands == 1;
        __syncwarp();
        if (lane_ < count * kAdmRowSums && !(is_aim && params_.adm.skip_aim != 0)) {
            unsigned long long sum = 0;
#pragma unroll
            for (unsigned i = kHaloLanes; i < kWarpSize - kHaloLanes; ++i)
                sum += shared_.parts[lane_][i];
            const unsigned long long row =
                static_cast<unsigned long long>(params_.row_count) * frame_ + params_.first_row[Scale] + first_row;
            if (sum != 0)
                atomicAdd(params_.row_sums + row * kAdmRowSums + lane_, sum);
        }
        __syncwarp();
    }

    const AdmKernelParams &params_;
    const AdmScale &scale_;
    const unsigned frame_, lane_;
    const int x_; ///< the lane's first column; outside the band in some lanes
    WarpSums &shared_;
    LaneInput<Sample, kCount> input_[kPictures];
    const unsigned char *next_[kPictures]; ///< the lane's samples in the next row to load, where they exist
    uint32_t column_mask_[kColumns];       ///< all ones where the sums count
    Pair above_[kPictures];
    SignalRow<Scale> restored_, additive_; ///< of the row that waits for its masks
    uint64_t den_[kAdmBands];
};

/// One warp's part of a scale: a strip of a segment of rows.
template <int Scale, class Sample>
__device__ __forceinline__ void warp_scale(const AdmKernelParams &params, unsigned frame, unsigned part, unsigned lane,
                                           WarpSums &shared)
{
    constexpr unsigned kStrip = kAdmStripColumns[Scale];
    const AdmScale &scale = params.adm.scale[Scale];
    const unsigned strips = (scale.width + kStrip - 1) / kStrip;
    const unsigned strip = part % strips, first_row = part / strips * params.segment_rows[Scale];
    if (first_row >= scale.height)
        return;
    const Rows rows{static_cast<int>(first_row),
                    static_cast<int>(min(first_row + params.segment_rows[Scale], scale.height))};
    Rows sum_rows{max(rows.first, static_cast<int>(scale.top)), min(rows.end, static_cast<int>(scale.bottom))};
    const bool no_sums = (Scale == 0 && params.adm.skip_scale0 != 0) || (strip + 1) * kStrip <= scale.left ||
                         strip * kStrip >= scale.right;
    if (no_sums || sum_rows.first >= sum_rows.end)
        sum_rows = {0, 0};
    if (Scale == kAdmScales - 1 && sum_rows.end == 0)
        return;
    WarpStrip<Scale, Sample>(params, frame, strip, lane, shared)
        .run(Scale == kAdmScales - 1 ? sum_rows : rows, sum_rows);
}

template <int Scale, class Sample>
__device__ __forceinline__ void block_scale(const AdmKernelParams &params, dim3 block, unsigned thread)
{
    __shared__ WarpSums shared[kAdmBlockWarps];
    const unsigned warp = thread / kWarpSize;
    warp_scale<Scale, Sample>(params, block.z, block.x * kAdmBlockWarps + warp, thread % kWarpSize, shared[warp]);
}

/// N of spec adm 3.6 or D of 3.7 of one scale and band.
__device__ __forceinline__ void block_finish(const AdmKernelParams &params, dim3 block, unsigned thread)
{
    const unsigned s = block.x, which = block.y, kind = which / kAdmBands, band = which % kAdmBands;
    const AdmScale &scale = params.adm.scale[s];
    const bool is_den = kind == 2;
    const uint32_t shift = is_den ? scale.den_row_shift : scale.row_shift;
    const unsigned long long *rows =
        params.row_sums +
        (static_cast<unsigned long long>(params.row_count) * block.z + params.first_row[s]) * kAdmRowSums + which;
    unsigned long long sum = 0;
    for (unsigned y = scale.top + thread; y < scale.bottom; y += kAdmFinishThreads) {
        const uint64_t row = rows[y * kAdmRowSums] + half_unit(shift);
        sum += is_den ? row >> shift : static_cast<uint64_t>(static_cast<int64_t>(row) >> shift);
    }
    uint64_t *sums = static_cast<uint64_t *>(params.batch.frames[block.z].sums);
    block_add<kAdmFinishThreads / kWarpSize>(sum, thread, sums + (kind * kAdmScales + s) * kAdmBands + band);
}

} // namespace adm_kernels

// Reads 2 samples a pixel, writes 1 byte a pixel (band A). 85 lane instructions a pixel, DWT of the
// cropped margin included: floor at 2160p 4 us for the bytes, 21 us for the instructions (one a
// cycle and scheduler of an H200).
extern "C" __global__ void __launch_bounds__(kAdmBlockWarps *kWarpSize)
    vmaf_adm_scale0_8bit(const __grid_constant__ AdmKernelParams params)
{
    block_scale<0, std::uint8_t>(params, blockIdx, threadIdx.x);
}

// Reads 4 bytes a pixel; otherwise like the kernel above with some more instructions for the
// vertical pass.
extern "C" __global__ void __launch_bounds__(kAdmBlockWarps *kWarpSize)
    vmaf_adm_scale0_16bit(const __grid_constant__ AdmKernelParams params)
{
    block_scale<0, std::uint16_t>(params, blockIdx, threadIdx.x);
}

// Scales 1 to 3 read what the scale before wrote: 1, 0.5 and 0.125 bytes a pixel, and write half of
// that. Their 64-bit products make a sample dearer than at scale 0: 39, 14 and 4 lane instructions
// a pixel, floor at 2160p 14 us in all.
extern "C" __global__ void __launch_bounds__(kAdmBlockWarps *kWarpSize)
    vmaf_adm_scale1(const __grid_constant__ AdmKernelParams params)
{
    block_scale<1, std::int16_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kAdmBlockWarps *kWarpSize)
    vmaf_adm_scale2(const __grid_constant__ AdmKernelParams params)
{
    block_scale<2, std::int32_t>(params, blockIdx, threadIdx.x);
}

extern "C" __global__ void __launch_bounds__(kAdmBlockWarps *kWarpSize)
    vmaf_adm_scale3(const __grid_constant__ AdmKernelParams params)
{
    block_scale<3, std::int32_t>(params, blockIdx, threadIdx.x);
}

// 72 bytes for each row of each scale: nothing but the latency of a launch.
extern "C" __global__ void __launch_bounds__(kAdmFinishThreads)
    vmaf_adm_finish(const __grid_constant__ AdmKernelParams params)
{
    block_finish(params, blockIdx, threadIdx.x);
}

} // namespace vmaf
