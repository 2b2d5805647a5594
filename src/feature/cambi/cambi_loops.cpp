#include "feature/cambi/cambi_loops.h"

#include <cstring>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;

void convert_row_8bit(const u8 *__restrict samples, unsigned width_px, u16 *__restrict picture)
{
    for (unsigned x = 0; x < width_px; ++x)
        picture[x] = static_cast<u16>(samples[x] << 2);
}

void convert_row_16bit(const u16 *__restrict samples, unsigned width_px, unsigned bpc, u16 *__restrict picture)
{
    if (bpc <= 10) {
        for (unsigned x = 0; x < width_px; ++x)
            picture[x] = static_cast<u16>(samples[x] << (10 - bpc));
        return;
    }
    const unsigned shift = bpc - 10, half = 1U << (shift - 1);
    for (unsigned x = 0; x < width_px; ++x)
        picture[x] = static_cast<u16>((samples[x] + half) >> shift);
}

u16 largest_sample(const u16 *samples, unsigned width_px)
{
    u16 largest = 0;
    for (unsigned x = 0; x < width_px; ++x)
        largest = samples[x] > largest ? samples[x] : largest;
    return largest;
}

// The last column and row count twice where they have no neighbour: that gives the border cases of spec cambi 3.2.
void smooth_row(const u16 *__restrict row, const u16 *__restrict below, unsigned width_px, u16 *__restrict smooth)
{
    const unsigned last = width_px - 1;
    for (unsigned x = 0; x < last; ++x)
        smooth[x] = static_cast<u16>((row[x] + row[x + 1] + below[x] + below[x + 1]) >> 2);
    smooth[last] = static_cast<u16>((row[last] + below[last]) >> 1);
}

void flat_row(const u16 *__restrict row, const u16 *__restrict below, unsigned width_px, u8 *__restrict flat)
{
    const unsigned last = width_px - 1;
    for (unsigned x = 0; x < last; ++x)
        flat[x] = static_cast<u8>((row[x] == row[x + 1]) & (row[x] == below[x]));
    flat[last] = row[last] == below[last];
}

void slide_flat_sums(const u8 *__restrict entering, const u8 *__restrict leaving, unsigned width_px,
                     u8 *__restrict sums)
{
    for (unsigned x = 0; x < width_px; ++x)
        sums[x] = static_cast<u8>(sums[x] + entering[x] - leaving[x]);
}

void mask_row(const u8 *__restrict sums, unsigned width_px, u8 threshold, u8 *__restrict mask)
{
    static_assert(kCambiMaskReach == 3);
    const u8 *first = sums - kCambiMaskReach;
    for (std::size_t x = 0; x < width_px; ++x) {
        const auto sum = static_cast<u8>(first[x] + first[x + 1] + first[x + 2] + first[x + 3] + first[x + 4] +
                                         first[x + 5] + first[x + 6]);
        mask[x] = sum > threshold;
    }
}

template <class T> inline void halve(const T *__restrict row, unsigned half_width_px, T *__restrict half)
{
    for (std::size_t x = 0; x < half_width_px; ++x)
        half[x] = row[2 * x];
}

void halve_picture_row(const u16 *row, unsigned half_width_px, u16 *half)
{
    halve(row, half_width_px, half);
}

void halve_mask_row(const u8 *row, unsigned half_width_px, u8 *half)
{
    halve(row, half_width_px, half);
}

// spec cambi 3.4: mode3.
inline u16 mode_of(u16 a, u16 b, u16 c)
{
    const u16 smaller = a < b ? a : b;
    const u16 smallest = smaller < c ? smaller : c;
    const u16 b_or_smallest = b == c ? b : smallest;
    return a == b || a == c ? a : b_or_smallest;
}

void mode_filter_row(const u16 *__restrict row, unsigned width_px, u16 *__restrict filtered)
{
    filtered[0] = row[0];
    for (std::size_t x = 1; x + 1 < width_px; ++x)
        filtered[x] = mode_of(row[x - 1], row[x], row[x + 1]);
    filtered[width_px - 1] = row[width_px - 1];
}

void mode_filter_column(const u16 *__restrict above, const u16 *__restrict row, const u16 *__restrict below,
                        unsigned width_px, u16 *__restrict filtered)
{
    for (unsigned x = 0; x < width_px; ++x)
        filtered[x] = mode_of(above[x], row[x], below[x]);
}

void level_row(const u16 *__restrict picture, const u8 *__restrict mask, unsigned width_px, int lowest_value,
               unsigned level_count, u16 *__restrict levels)
{
    const auto lowest = static_cast<u16>(lowest_value), count = static_cast<u16>(level_count);
    for (unsigned x = 0; x < width_px; ++x) {
        const auto above_lowest = static_cast<u16>(picture[x] - lowest);
        const auto level = static_cast<u16>(above_lowest + 1);
        levels[x] = ((above_lowest < count) & (mask[x] != 0)) ? level : u16{0};
    }
}

/// The levels of the next four pixels, to pass quickly over those that are 0 or the same in both rows.
inline u64 four(const u16 *levels)
{
    u64 bits;
    std::memcpy(&bits, levels, sizeof bits);
    return bits;
}

enum class Count { add, remove };

constexpr unsigned kRampPx = 32;
constexpr i16 kRamp[kRampPx] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

// A pixel counts in 2 * reach + 1 columns, so a run of equal pixels adds a trapezoid. 16 bits hold every position: the limit for
// windows keeps pictures narrower than 2^15 (spec cambi 3.1).
template <Count Direction> inline void count_run(u16 *columns, unsigned length_px, unsigned reach_px)
{
    const unsigned end = length_px + 2 * reach_px;
    const auto height = static_cast<i16>(length_px < 2 * reach_px + 1 ? length_px : 2 * reach_px + 1);
    for (unsigned start = 0; start < end; start += kRampPx) {
        const auto before = static_cast<i16>(start + 1), after = static_cast<i16>(end - start);
        for (unsigned i = 0; i < kRampPx; ++i) {
            const auto rise = static_cast<i16>(before + kRamp[i]), fall = static_cast<i16>(after - kRamp[i]);
            const i16 slope = rise < fall ? rise : fall;
            const i16 cut = slope < height ? slope : height;
            const auto count = static_cast<u16>(cut > 0 ? cut : 0);
            columns[i] = static_cast<u16>(Direction == Count::add ? columns[i] + count : columns[i] - count);
        }
        columns += kRampPx;
    }
}

void slide_counters(const u16 *entering, const u16 *leaving, unsigned width_px, const CambiCounters &counters)
{
    unsigned x = 0;
    while (x < width_px) {
        if (x + 4 <= width_px && four(entering + x) == four(leaving + x)) {
            x += 4;
            continue;
        }
        const u16 in = entering[x], out = leaving[x];
        const unsigned start = x;
        do
            ++x;
        while (x < width_px && entering[x] == in && leaving[x] == out);
        if (in == out)
            continue;
        if (in != 0)
            count_run<Count::add>(counters.row(in) + start, x - start, counters.reach_px);
        if (out != 0)
            count_run<Count::remove>(counters.row(out) + start, x - start, counters.reach_px);
    }
}

constexpr unsigned kBlock = CambiNeighbourhood::kBlockPx;

inline void copy_block(const u16 *__restrict from, u16 *__restrict to)
{
    for (unsigned i = 0; i < kBlock; ++i)
        to[i] = from[i];
}

inline void larger_block(const u16 *__restrict a, const u16 *__restrict b, u16 *__restrict to)
{
    for (unsigned i = 0; i < kBlock; ++i)
        to[i] = a[i] > b[i] ? a[i] : b[i];
}

inline void clear_block(u16 *to)
{
    for (unsigned i = 0; i < kBlock; ++i)
        to[i] = 0;
}

// The counts of a run of pixels of one level. What is written beyond the run is overwritten by the next one, or not used.
inline void gather_run(const CambiCounters &counters, const CambiContrastTables &tables, unsigned level, unsigned x,
                       unsigned length_px, unsigned at, CambiNeighbourhood &out)
{
    const unsigned first_step = tables.first_step[level];
    for (unsigned start = 0; start < length_px; start += kBlock) {
        const u16 *same = counters.row(level) + counters.reach_px + x + start;
        copy_block(same, out.same + at + start);
        for (unsigned step = 1; step < first_step; ++step)
            clear_block(out.near[step - 1] + at + start);
        for (unsigned step = first_step; step <= tables.steps; ++step)
            larger_block(same + step * counters.stride, same - step * counters.stride, out.near[step - 1] + at + start);
    }
}

inline bool all_zero(const u16 *block)
{
    u16 any = 0;
    for (unsigned i = 0; i < kBlock; ++i)
        any |= block[i];
    return any == 0;
}

inline void contrast_block(const u16 *__restrict same, const u16 *__restrict near, int weight,
                           const float *__restrict reciprocals, float *__restrict c)
{
    for (unsigned i = 0; i < kBlock; ++i) {
        const int n = same[i], m = near[i];
        const float value = static_cast<float>(weight * n * m) * reciprocals[n + m];
        c[i] = value > c[i] ? value : c[i];
    }
}

inline void contrast_span(const CambiNeighbourhood &counts, unsigned length_px, const CambiContrastTables &tables,
                          float *c)
{
    for (unsigned at = 0; at < length_px; at += kBlock) {
        for (unsigned i = 0; i < kBlock; ++i)
            c[at + i] = 0;
        for (unsigned step = 0; step < tables.steps; ++step)
            if (!all_zero(counts.near[step] + at))
                contrast_block(counts.same + at, counts.near[step] + at, kCambiWeights[step], tables.reciprocals,
                               c + at);
    }
}

inline unsigned end_of_run(const u16 *levels, unsigned x, unsigned end)
{
    const u16 level = levels[x];
    const u64 four_levels = level * 0x0001000100010001U;
    while (x + 4 <= end && four(levels + x) == four_levels)
        x += 4;
    while (x < end && levels[x] == level)
        ++x;
    return x;
}

void contrast_row(const u16 *levels, unsigned width_px, const CambiCounters &counters,
                  const CambiContrastTables &tables, CambiNeighbourhood &scratch, float *c)
{
    unsigned x = 0;
    while (x < width_px) {
        const unsigned first = x;
        if (levels[x] == 0) {
            x = end_of_run(levels, x, width_px);
            for (unsigned i = first; i < x; ++i)
                c[i] = 0;
            continue;
        }
        const unsigned limit =
            width_px - first < CambiNeighbourhood::kPixels ? width_px : first + CambiNeighbourhood::kPixels;
        while (x < limit && levels[x] != 0) {
            const unsigned start = x;
            x = end_of_run(levels, start, limit);
            gather_run(counters, tables, levels[start], start, x - start, start - first, scratch);
        }
        contrast_span(scratch, x - first, tables, c + first);
    }
}

inline u32 bits_of(float value)
{
    u32 bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

void count_upper_halves(const float *c, std::size_t count, u32 *by_upper_half)
{
    for (std::size_t i = 0; i < count; ++i)
        ++by_upper_half[bits_of(c[i]) >> 16];
}

void count_lower_halves(const float *c, std::size_t count, u32 upper_half, u32 *by_lower_half)
{
    for (std::size_t i = 0; i < count; ++i)
        if (const u32 bits = bits_of(c[i]); bits >> 16 == upper_half)
            ++by_lower_half[bits & 0xffff];
}

CambiExactSum exact_sum(const float *c, std::size_t count, float bound)
{
    CambiExactSum sum{0, 0, 0};
    for (std::size_t i = 0; i < count; ++i) {
        const float counted = c[i] > bound ? c[i] : 0.0F;
        const auto units = static_cast<std::int64_t>(counted * 16777216.0F);
        sum.units += static_cast<u64>(units);
        sum.bits |= static_cast<u64>(units);
        sum.count += counted > 0;
    }
    return sum;
}

} // namespace

extern const CambiLoops kCambiLoops = {
    convert_row_8bit, convert_row_16bit, largest_sample,     smooth_row,         flat_row,           slide_flat_sums,
    mask_row,         halve_picture_row, halve_mask_row,     mode_filter_row,    mode_filter_column, level_row,
    slide_counters,   contrast_row,      count_upper_halves, count_lower_halves, exact_sum};

} // namespace vmaf::VMAF_CPU_TARGET
