#pragma once

#include "cambi/cambi_common.cuh"

// spec cambi 3.5: c-values.

namespace vmaf {
inline namespace cambi_kernels {

constexpr int kStripColumns = kCambiStripColumns;
constexpr unsigned kNoLevel = ~0U;

// How many bits are set in the windows around a lane's two columns, those of the second column 16
// bits up. The lane's first window begins at bit 2 * lane.

/// Up to 31 columns.
struct NarrowWindow {
    static constexpr int kWords = 3;
    unsigned width;

    __device__ __forceinline__ unsigned count(const unsigned (&bits)[kWords], unsigned lane) const
    {
        const bool second = lane >= kWarpSize / 2;
        const unsigned window =
            __funnelshift_r(second ? bits[1] : bits[0], second ? bits[2] : bits[1], 2 * lane % kWarpSize);
        const unsigned first = __popc(window & ((1U << width) - 1));
        return first | (first - (window & 1) + (window >> width & 1)) << 16;
    }
};

/// 33 columns.
struct MiddleWindow {
    static constexpr int kWords = 3;
    unsigned width;

    __device__ __forceinline__ unsigned count(const unsigned (&bits)[kWords], unsigned lane) const
    {
        const bool second = lane >= kWarpSize / 2;
        const unsigned last = second ? bits[2] : bits[1], shift = 2 * lane % kWarpSize;
        const unsigned low = __funnelshift_r(second ? bits[1] : bits[0], last, shift);
        const unsigned high = last >> shift;
        const unsigned first = __popc(low) + (high & 1);
        return first + ((first - (low & 1) + (high >> 1 & 1)) << 16);
    }
};

/// 35 to 63 columns.
struct WideWindow {
    static constexpr int kWords = 4;
    unsigned width;

    __device__ __forceinline__ unsigned count(const unsigned (&bits)[kWords], unsigned lane) const
    {
        const bool second = lane >= kWarpSize / 2;
        const unsigned middle = second ? bits[2] : bits[1], last = second ? bits[3] : bits[2];
        const unsigned shift = 2 * lane % kWarpSize, beyond = width - kWarpSize;
        const unsigned low = __funnelshift_r(second ? bits[1] : bits[0], middle, shift);
        const unsigned high = __funnelshift_r(middle, last, shift);
        const unsigned first = __popc(low) + __popc(high & ((1U << beyond) - 1));
        return first | (first - (low & 1) + (high >> beyond & 1)) << 16;
    }
};

/// 65 columns.
struct WidestWindow {
    static constexpr int kWords = 4;
    unsigned width;

    __device__ __forceinline__ unsigned count(const unsigned (&bits)[kWords], unsigned lane) const
    {
        const bool second = lane >= kWarpSize / 2;
        const unsigned middle = second ? bits[2] : bits[1], last = second ? bits[3] : bits[2];
        const unsigned shift = 2 * lane % kWarpSize;
        const unsigned low = __funnelshift_r(second ? bits[1] : bits[0], middle, shift);
        const unsigned high = __funnelshift_r(middle, last, shift);
        const unsigned first = __popc(low) + __popc(high) + (last >> shift & 1);
        return first | (first - (low & 1) + (last >> shift >> 1 & 1)) << 16;
    }
};

/// What the lane has of a row of a strip and its surroundings, a word of columns after the other:
/// samples, or how far they are above some value.
template <int Words> struct LaneRow {
    unsigned at[Words];

    __device__ __forceinline__ unsigned lowest() const
    {
        unsigned lowest = at[0];
#pragma unroll
        for (int i = 1; i < Words; ++i)
            lowest = min(lowest, at[i]);
        return lowest;
    }
};

typedef unsigned short __attribute__((may_alias)) HalfOfWord;
typedef unsigned __attribute__((may_alias)) PairOfSamples;

/// A warp's strip of c-values.
template <class Window, int Steps> struct Strip {
    static constexpr int kWords = Window::kWords;
    using Row = LaneRow<kWords>;
    static constexpr unsigned kNoSample = 0xffff;

    const CambiKernelParams &params;
    const unsigned char *picture; ///< of the frame's scale, from the lane's two columns on
    unsigned row_bytes;
    float *c; ///< likewise
    unsigned width_px;
    int height_px;
    Window window;
    int columns; ///< from the lane's first one to the picture's edge
    int top;     ///< the strip's rows
    int end;
    unsigned lane;
    unsigned *
        counts; ///< for each level a word, with the counts of the lane's two columns; the next level's is a warp's words on
    unsigned *bins; ///< of the block

    __device__ __forceinline__ int step_count() const
    {
        return Steps != 0 ? Steps : static_cast<int>(params.step_count);
    }
    __device__ __forceinline__ int reach() const { return static_cast<int>(window.width / 2); }

    __device__ __forceinline__ const unsigned char *row(int y) const
    {
        return picture + static_cast<unsigned long long>(static_cast<unsigned>(y)) * row_bytes;
    }
    __device__ __forceinline__ float *c_row(int y) const
    {
        return c + static_cast<unsigned long long>(static_cast<unsigned>(y)) * width_px;
    }

    /// Both pixels of a lane; the second 16 bits up. There are some behind the last column, which
    /// do not count.
    __device__ __forceinline__ unsigned load_pixels(int y) const
    {
        return *reinterpret_cast<const PairOfSamples *>(row(y));
    }

    __device__ __forceinline__ Row load(int y) const
    {
        const auto *samples = reinterpret_cast<const unsigned short *>(row(y)) - static_cast<int>(lane) - reach();
        Row loaded;
#pragma unroll
        for (int i = 0; i < kWords; ++i)
            loaded.at[i] = samples[i * static_cast<int>(kWarpSize)];
        return loaded;
    }

    static __device__ __forceinline__ Row no_row()
    {
        Row none;
#pragma unroll
        for (unsigned &at : none.at)
            at = kNoSample;
        return none;
    }

    /// Takes a level out: how often it is in the windows of the lane's columns.
    __device__ __forceinline__ unsigned take(Row &levels, unsigned found) const
    {
        unsigned bits[kWords];
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            const bool here = levels.at[i] == found;
            if (here)
                levels.at[i] = kNoLevel;
            bits[i] = __ballot_sync(kFullWarp, here);
        }
        return window.count(bits, lane);
    }

    /// So many rows enter at a time: they share levels, and none waits for another.
    static constexpr int kEnteringRows = 4;
    struct Rows {
        Row row[kEnteringRows];
    };

    /// Rows from `y` on, of those before `end_y`.
    __device__ __forceinline__ Rows load_rows(int y, int end_y) const
    {
        Rows rows;
#pragma unroll
        for (int i = 0; i < kEnteringRows; ++i)
            rows.row[i] = y + i < end_y ? load(y + i) : no_row();
        return rows;
    }

    /// Lets rows into the windows, level by level, beginning with value `origin`.
    __device__ __forceinline__ void enter(Rows rows, unsigned origin) const
    {
#pragma unroll
        for (Row &row : rows.row)
#pragma unroll
            for (unsigned &at : row.at)
                at -= origin;
        for (;;) {
            unsigned lowest = kNoLevel;
#pragma unroll
            for (const Row &row : rows.row)
                lowest = min(lowest, row.lowest());
            lowest = warp_min(lowest);
            if (lowest >= params.level_count)
                return;
            unsigned in = 0;
#pragma unroll
            for (Row &row : rows.row)
                in += take(row, lowest);
            counts[lowest * kWarpSize] += in;
        }
    }

    /// Moves the windows down by a row: only levels at places where the rows differ change their
    /// counts.
    __device__ __forceinline__ void slide(Row entering, Row leaving, unsigned origin) const
    {
#pragma unroll
        for (int i = 0; i < kWords; ++i) {
            const bool equal = entering.at[i] == leaving.at[i];
            entering.at[i] = equal ? kNoLevel : entering.at[i] - origin;
            leaving.at[i] = equal ? kNoLevel : leaving.at[i] - origin;
        }
        for (;;) {
            const unsigned lowest = warp_min(min(entering.lowest(), leaving.lowest()));
            if (lowest >= params.level_count)
                return;
            const unsigned in = take(entering, lowest), out = take(leaving, lowest);
            counts[lowest * kWarpSize] += in - out;
        }
    }

    /// All 0.
    __device__ __forceinline__ void clear() const
    {
        float *to = c_row(top);
        if (width_px % 2 == 0) {
            for (int y = top; y < end; ++y, to += width_px)
                if (columns > 0)
                    *reinterpret_cast<float2 *>(to) = make_float2(0, 0);
            return;
        }
        for (int y = top; y < end; ++y, to += width_px) {
            if (columns > 0)
                to[0] = 0;
            if (columns > 1)
                to[1] = 0;
        }
    }

    /// What a strip has of values from some value on.
    struct Found {
        int first_row, last_row; ///< of those of the band
        unsigned next;           ///< the lowest value above the band that is measured, or more than any
    };

    /// Looks for the `band` values from `lowest` on, and beyond.
    __device__ __forceinline__ Found find(unsigned lowest, unsigned band) const
    {
        const unsigned beyond = lowest + band;
        int first = end, last = top - 1;
        unsigned next = kNoLevel;
        for (int y = top; y < end; ++y) {
            const unsigned pair = load_pixels(y), a = pair & 0xffff, b = pair >> 16;
            const bool here = a - lowest < band || b - lowest < band;
            first = min(first, here ? y : end);
            last = here ? y : last;
            next = min(next, min(a - beyond, b - beyond));
        }
        next = warp_min(next);
        return {static_cast<int>(warp_min(static_cast<unsigned>(first))),
                static_cast<int>(~warp_min(~static_cast<unsigned>(last + 1))) - 1,
                next + beyond <= static_cast<unsigned>(params.highest_value) && next <= kCambiMaxSample ? next + beyond
                                                                                                        : kNoLevel};
    }

    /// c of a pixel, whose counts are from `own` on.
    __device__ __forceinline__ float contrast(const HalfOfWord *own, int value) const
    {
        constexpr int kStride = 2 * static_cast<int>(kWarpSize); // halves from level to level
        const int n = own[0];
        float largest = 0;
#pragma unroll
        for (int step = 1; step <= (Steps != 0 ? Steps : static_cast<int>(params.step_count)); ++step) {
            const int m = max(static_cast<int>(own[step * kStride]), static_cast<int>(own[-step * kStride]));
            const CambiStep &s = params.steps[step - 1];
            if (value > s.highest_value || value < s.lowest_value)
                continue;
            const int weight = Steps != 0 ? step : s.weight;
            const float product = __int2float_rn(weight * n * m);
            largest = fmaxf(largest, __fmul_rn(product, __ldg(&params.reciprocals[static_cast<unsigned>(n + m)])));
        }
        return largest;
    }
    static_assert(Steps <= 4 && kCambiWeights[0] == 1 && kCambiWeights[1] == 2 && kCambiWeights[2] == 3 &&
                  kCambiWeights[3] == 4);

    /// c of the pixels of a row whose value is one of `band` from `lowest` on.
    __device__ __forceinline__ void measure(int y, unsigned pair, unsigned lowest, unsigned band) const
    {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const unsigned value = i == 0 ? pair & 0xffff : pair >> 16, above = value - lowest;
            if (above >= band)
                continue;
            const unsigned *own = counts + (above + static_cast<unsigned>(step_count())) * kWarpSize;
            const float of_pixel = contrast(reinterpret_cast<const HalfOfWord *>(own) + i, static_cast<int>(value));
            if (of_pixel > 0) {
                c_row(y)[i] = of_pixel;
                atomicAdd(bins + ((__float_as_uint(of_pixel) >> 16) - kCambiSmallestFirst), 1U);
            }
        }
    }

    /// Down the rows first..last for the `band` values from `lowest` on.
    __device__ __forceinline__ void walk(int first, int last, unsigned lowest, unsigned band) const
    {
        for (unsigned i = 0; i < params.level_count; ++i)
            counts[i * kWarpSize] = 0;
        const unsigned origin = lowest - static_cast<unsigned>(step_count());
        const int oldest = max(first - reach(), 0), warm = min(first + reach(), height_px);
        // Rows are loaded one step before they are needed.
        Rows next = load_rows(oldest, warm);
        for (int y = oldest; y < warm; y += kEnteringRows) {
            const Rows rows = next;
            next = load_rows(y + kEnteringRows, warm);
            enter(rows, origin);
        }
        Row entering = first + reach() < height_px ? load(first + reach()) : no_row(), leaving = no_row();
        unsigned pair = load_pixels(first);
        for (int y = first; y <= last; ++y) {
            const int below = min(y + 1, last), newest = below + reach(), before = below - reach() - 1;
            const Row next_entering = newest < height_px ? load(newest) : no_row();
            const Row next_leaving = before >= oldest ? load(before) : no_row();
            const unsigned next_pair = load_pixels(below);
            slide(entering, leaving, origin);
            measure(y, pair, lowest, band);
            entering = next_entering;
            leaving = next_leaving;
            pair = next_pair;
        }
    }

    __device__ __forceinline__ void run() const
    {
        clear();
        const unsigned most = params.level_count - 2 * static_cast<unsigned>(step_count());
        unsigned lowest = find(static_cast<unsigned>(params.lowest_value), 0).next;
        while (lowest != kNoLevel) {
            const unsigned band = min(most, static_cast<unsigned>(params.highest_value) + 1 - lowest);
            const Found found = find(lowest, band);
            walk(found.first_row, found.last_row, lowest, band);
            lowest = found.next;
        }
    }
};

template <class Window, int Steps>
__device__ __forceinline__ void block_measure(const CambiKernelParams &params, unsigned block, unsigned frame,
                                              unsigned thread)
{
    constexpr unsigned kThreads = kCambiContrastWarps * kWarpSize;
    auto *bins = reinterpret_cast<unsigned *>(dynamic_shared());
    unsigned *counts = bins + kCambiFirstBins;
    for (unsigned i = thread; i < kCambiFirstBins; i += kThreads)
        bins[i] = 0;
    __syncthreads();
    unsigned scale = 0;
    while (scale + 1 < kCambiScales && block >= params.levels[scale + 1].first_block)
        ++scale;
    const CambiLevel &level = params.levels[scale];
    const unsigned warp = thread / kWarpSize, strip = (block - level.first_block) * kCambiContrastWarps + warp;
    if (strip < level.strip_count) {
        const int top = static_cast<int>(strip / level.strips_across * params.strip_rows);
        const int left = static_cast<int>(strip % level.strips_across) * kStripColumns;
        const unsigned lane = thread % kWarpSize;
        const int column = left + 2 * static_cast<int>(lane);
        const Strip<Window, Steps> c_values{
            params,
            reinterpret_cast<const unsigned char *>(samples_of(params, level, frame) + column),
            2 * level.pitch,
            params.c + frame * params.frame_c + level.c_offset + column,
            level.width_px,
            static_cast<int>(level.height_px),
            Window{params.window},
            static_cast<int>(level.width_px) - column,
            top,
            min(top + static_cast<int>(params.strip_rows), static_cast<int>(level.height_px)),
            lane,
            counts + warp * params.level_count * kWarpSize + lane,
            bins};
        c_values.run();
    }
    __syncthreads();
    CambiSelection &selection = params.selections[frame * kCambiScales + scale];
    for (unsigned i = thread; i < kCambiFirstBins; i += kThreads)
        if (bins[i] != 0)
            atomicAdd(&selection.first[i], bins[i]);
}

} // namespace cambi_kernels
} // namespace vmaf
