#pragma once

#include <type_traits>

#include "common/common.cuh"
#include "feature/adm/adm_params.h"

// spec adm 3.1: what a lane reads of the input rows, and the two passes over it.

namespace vmaf {

using std::int16_t;
using std::int32_t;
using std::uint32_t;
using std::uint8_t;

/// Low or high pass of spec adm 3.1.
enum class Pass { low, high };

template <Pass Kind> __device__ __forceinline__ constexpr int32_t tap(int k)
{
    constexpr int32_t kLow[] = {kAdmLow[0], kAdmLow[1], kAdmLow[2], kAdmLow[3]};
    constexpr int32_t kHigh[] = {kAdmHigh[0], kAdmHigh[1], kAdmHigh[2], kAdmHigh[3]};
    return Kind == Pass::low ? kLow[k] : kHigh[k];
}

/// spec adm 3.1: index -1 means 1, index >= size means 2 * size - 1 - index; both held inside tiny
/// lines (spec adm 4).
__device__ __forceinline__ int thread_dwt_mirror(int index, int size)
{
    return max(0, min(size - 1, min(abs(index), 2 * size - 1 - index)));
}

/// A lane's samples of one row, as they lie in memory.
template <class Sample, int Count> struct LaneSamples {
    static constexpr unsigned kBytes = Count * sizeof(Sample);
    static constexpr int kWords = kBytes / 4;
    static constexpr int kPerWord = 4 / sizeof(Sample);

    uint32_t words[kWords];

    __device__ __forceinline__ int32_t sample(int i) const
    {
        return static_cast<Sample>(words[i / kPerWord] >> (i % kPerWord * 8 * static_cast<int>(sizeof(Sample))));
    }

    __device__ __forceinline__ void load_vector(const unsigned char *from)
    {
        if constexpr (kWords == 1) {
            words[0] = __ldg(reinterpret_cast<const unsigned *>(from));
        } else if constexpr (kWords == 2) {
            const uint2 loaded = __ldg(reinterpret_cast<const uint2 *>(from));
            words[0] = loaded.x, words[1] = loaded.y;
        } else {
            static_assert(kWords == 4, "one load");
            const uint4 loaded = __ldg(reinterpret_cast<const uint4 *>(from));
            words[0] = loaded.x, words[1] = loaded.y, words[2] = loaded.z, words[3] = loaded.w;
        }
    }

    __device__ __forceinline__ void load_mirrored(const unsigned char *row, int column, int width)
    {
#pragma unroll
        for (uint32_t &word : words)
            word = 0;
#pragma unroll
        for (int i = 0; i < Count; ++i) {
            using Bits = std::make_unsigned_t<Sample>;
            const uint32_t bits = __ldg(reinterpret_cast<const Bits *>(row) + thread_dwt_mirror(column + i, width));
            words[i / kPerWord] |= bits << (i % kPerWord * 8 * static_cast<int>(sizeof(Sample)));
        }
    }
};

/// What one scale's DWT reads of one picture: the picture, or the band A of the scale before; and a
/// lane's columns of it.
template <class Sample, int Count> struct LaneInput {
    CudaPlane plane;
    int width, height;
    int column; ///< the first one; may lie outside
    bool vector_load;

    __device__ __forceinline__ const unsigned char *vector_address(int y) const
    {
        return row_of(plane, y) + column * static_cast<long long>(sizeof(Sample));
    }

    __device__ __forceinline__ LaneSamples<Sample, Count> load(int y) const
    {
        LaneSamples<Sample, Count> samples;
        const int row = thread_dwt_mirror(y, height);
        if (vector_load)
            samples.load_vector(vector_address(row));
        else
            samples.load_mirrored(row_of(plane, row), column, width);
        return samples;
    }
};

/// Two input rows, one below the other. Samples of a picture above the depth's maximum count as the
/// maximum: sums would overflow.
template <class Sample, int Count> struct RowPair {
    LaneSamples<Sample, Count> rows[2];

    __device__ __forceinline__ void set(const LaneSamples<Sample, Count> &upper,
                                        const LaneSamples<Sample, Count> &lower, unsigned bpc)
    {
        rows[0] = upper;
        rows[1] = lower;
        if constexpr (std::is_same_v<Sample, std::uint16_t>) {
#pragma unroll
            for (LaneSamples<Sample, Count> &row : rows)
#pragma unroll
                for (uint32_t &word : row.words)
                    word = limited_pair(word, (1U << bpc) - 1);
        }
    }
};

/// Bytes interleaved, upper and lower sample of a column side by side, as the dot product takes
/// them.
template <int Count> struct RowPair<uint8_t, Count> {
    uint32_t words[Count / 2];

    __device__ __forceinline__ void set(const LaneSamples<uint8_t, Count> &upper,
                                        const LaneSamples<uint8_t, Count> &lower, unsigned)
    {
        static_assert(Count == 4, "one word a row");
        words[0] = __byte_perm(upper.words[0], lower.words[0], 0x5140);
        words[1] = __byte_perm(upper.words[0], lower.words[0], 0x7362);
    }
};

/// sum + pair . taps k and k+1, on the two bytes of column `i` of the pair.
template <Pass Kind, int kFirstTap>
__device__ __forceinline__ int32_t thread_dot(const RowPair<uint8_t, 4> &pair, int i, int32_t sum)
{
    constexpr int32_t kTaps =
        (tap<Kind>(kFirstTap) & 0xffff) | static_cast<int32_t>(static_cast<uint32_t>(tap<Kind>(kFirstTap + 1)) << 16);
    int32_t result;
#ifdef VMAF_EMULATED_KERNELS
    const uint32_t bytes = pair.words[i / 2] >> (i % 2 == 0 ? 0 : 16);
    result = sum + static_cast<int16_t>(kTaps & 0xffff) * static_cast<int32_t>(bytes & 0xff) +
             (kTaps >> 16) * static_cast<int32_t>(bytes >> 8 & 0xff);
#else
    if (i % 2 == 0)
        asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(kTaps), "r"(pair.words[i / 2]), "r"(sum));
    else
        asm("dp2a.hi.s32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(kTaps), "r"(pair.words[i / 2]), "r"(sum));
#endif
    return result;
}

/// Sum of the taps: what a pass makes of a flat line.
template <Pass Kind> constexpr int32_t kGain = Kind == Pass::low ? 46342 : 0;

/// (taps . v + 2^(Shift-1)) >> Shift without 64-bit sums: v = 65536 * upper + lower, lower in
/// -32768..32767, and the shift leaves nothing of taps . upper behind.
template <Pass Kind, int Shift> __device__ __forceinline__ int32_t thread_filter_wide(const int32_t (&v)[4])
{
    static_assert(Shift <= 16, "shifts out nothing of the upper halves");
    int32_t upper_sum = 0, lower_sum = 1 << (Shift - 1);
#pragma unroll
    for (int k = 0; k < 4; ++k) {
        const int32_t lower = static_cast<int16_t>(v[k]);
        upper_sum += tap<Kind>(k) * ((v[k] - lower) >> 16);
        lower_sum += tap<Kind>(k) * lower;
    }
    return upper_sum * (1 << (16 - Shift)) + (lower_sum >> Shift);
}

template <Pass Kind> __device__ __forceinline__ uint32_t thread_filter_narrow(const int32_t (&v)[4], uint32_t sum)
{
#pragma unroll
    for (int k = 0; k < 4; ++k)
        sum += static_cast<uint32_t>(v[k]) * static_cast<uint32_t>(tap<Kind>(k));
    return sum;
}

/// Vertical pass at column `i` of four rows.
template <int Scale, Pass Kind, class Sample, int Count>
__device__ __forceinline__ int32_t thread_filter_column(const RowPair<Sample, Count> &above,
                                                        const RowPair<Sample, Count> &below, int i, int bpc)
{
    const int32_t half = 1 << (bpc - 1);
    if constexpr (sizeof(Sample) == 1) {
        const int32_t sum = thread_dot<Kind, 0>(above, i, half - kGain<Kind> * half);
        return thread_dot<Kind, 2>(below, i, sum) >> bpc;
    } else {
        const int32_t v[4] = {above.rows[0].sample(i), above.rows[1].sample(i), below.rows[0].sample(i),
                              below.rows[1].sample(i)};
        if constexpr (Scale == 0)
            return static_cast<int32_t>(
                       thread_filter_narrow<Kind>(v, static_cast<uint32_t>(half - kGain<Kind> * half))) >>
                   bpc;
        else if constexpr (Scale == 1)
            return static_cast<int32_t>(thread_filter_narrow<Kind>(v, 0));
        else
            return thread_filter_wide<Kind, 16>(v);
    }
}

/// Horizontal pass at output column `i` of a lane.
template <int Scale, Pass Kind, int Count>
__device__ __forceinline__ int32_t thread_filter_line(const int32_t (&line)[Count], int i)
{
    const int32_t v[4] = {line[2 * i], line[2 * i + 1], line[2 * i + 2], line[2 * i + 3]};
    if constexpr (Scale == 0)
        return static_cast<int32_t>(thread_filter_narrow<Kind>(v, 32768)) >> 16;
    else
        return thread_filter_wide<Kind, (Scale == 2 ? 16 : 15)>(v);
}

/// A lane's part of the two lines between the passes, with one value more on either side.
template <int Count> struct Lines {
    int32_t low[Count + 2];
    int32_t high[Count + 2];
};

/// Fills the outer values from the lanes beside. What lane 0 and lane 31 lack stays undefined.
template <int Scale, int Count> __device__ __forceinline__ void warp_exchange(Lines<Count> &lines)
{
    if constexpr (Scale == 0) { // both lines fit 16 bits
        const uint32_t left = __shfl_up_sync(kFullWarp, __byte_perm(lines.low[Count], lines.high[Count], 0x5410), 1);
        const uint32_t right = __shfl_down_sync(kFullWarp, __byte_perm(lines.low[1], lines.high[1], 0x5410), 1);
        lines.low[0] = static_cast<int16_t>(left);
        lines.high[0] = static_cast<int32_t>(left) >> 16;
        lines.low[Count + 1] = static_cast<int16_t>(right);
        lines.high[Count + 1] = static_cast<int32_t>(right) >> 16;
    } else {
        lines.low[0] = __shfl_up_sync(kFullWarp, lines.low[Count], 1);
        lines.high[0] = __shfl_up_sync(kFullWarp, lines.high[Count], 1);
        lines.low[Count + 1] = __shfl_down_sync(kFullWarp, lines.low[1], 1);
        lines.high[Count + 1] = __shfl_down_sync(kFullWarp, lines.high[1], 1);
    }
}

template <int Scale, int Columns>
__device__ __forceinline__ void thread_store(const int32_t (&low)[Columns], unsigned char *to)
{
    if constexpr (Scale == 0) {
        static_assert(Columns == 2, "one word");
        *reinterpret_cast<uint32_t *>(to) = __byte_perm(low[0], low[1], 0x5410);
    } else if constexpr (Columns == 2) {
        *reinterpret_cast<int2 *>(to) = make_int2(low[0], low[1]);
    } else {
        *reinterpret_cast<int32_t *>(to) = low[0];
    }
}

} // namespace vmaf
