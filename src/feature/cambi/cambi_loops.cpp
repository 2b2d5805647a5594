#include "feature/cambi/cambi_loops.h"

#include <cstring>

#include "base/vectors.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using u32 = std::uint32_t;
using u64 = std::uint64_t;
using i16 = std::int16_t;
using V = Vectors;
using Int = V::Int;

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

// The last column and row count twice where they have no neighbour: that gives the border cases of
// spec cambi 3.2.
void smooth_row(const u16 *__restrict row, const u16 *__restrict below, unsigned width_px, u16 *__restrict smooth)
{
    const unsigned last = width_px - 1;
    for (unsigned x = 0; x < last; ++x)
        smooth[x] = static_cast<u16>(
            static_cast<u16>(static_cast<u16>(row[x] + row[x + 1]) + static_cast<u16>(below[x] + below[x + 1])) >> 2);
    smooth[last] = static_cast<u16>((row[last] + below[last]) >> 1);
}

// Four times the samples, a quarter of their sum.
void smooth_row_8bit(const u8 *__restrict row, const u8 *__restrict below, unsigned width_px, u16 *__restrict smooth)
{
    const unsigned last = width_px - 1;
    for (unsigned x = 0; x < last; ++x)
        smooth[x] = static_cast<u16>(static_cast<u16>(row[x] + row[x + 1]) + static_cast<u16>(below[x] + below[x + 1]));
    smooth[last] = static_cast<u16>((row[last] + below[last]) << 1);
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

// ---- spec cambi 3.5: runs of equal levels in words of pixels ----

constexpr unsigned kWordPx = 64;

/// Bit i: `a` and `b` differ in element i.
inline u64 differing(const u16 *a, const u16 *b)
{
    u64 bits = 0;
    for (unsigned i = 0; i < kWordPx; i += V::kLanes16)
        bits |= u64{V::differing16(V::load16(a + i), V::load16(b + i))} << i;
    return bits;
}

/// Bit i: pixel i is the last one of its run, which ends with the word, or with the row if that is
/// `length_px` on.
inline u64 last_of_runs(u64 differs_from_next, unsigned length_px)
{
    return differs_from_next | u64{1} << (length_px < kWordPx ? length_px - 1 : kWordPx - 1);
}

inline u64 first_bits(unsigned count)
{
    return count < kWordPx ? (u64{1} << count) - 1 : ~u64{0};
}

inline unsigned lowest_bit(u64 bits)
{
    return static_cast<unsigned>(__builtin_ctzll(bits));
}

/// body(start, length) for the runs of a word that have a bit set in `wanted`, which is the same
/// for all pixels of a run.
template <class Body> inline void for_runs(u64 wanted, u64 last, Body body)
{
    while (wanted != 0) {
        const unsigned start = lowest_bit(wanted);
        const unsigned end = lowest_bit(last & (~u64{0} << start));
        body(start, end - start + 1);
        wanted &= ~u64{1} << end;
    }
}

enum class Count { add, remove };

alignas(64) constexpr i16 kRamp[32] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15,
                                       16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31};
static_assert(V::kLanes16 <= 32);

// A pixel counts in 2 * reach + 1 columns, so a run of equal pixels from column x on adds a
// trapezoid. Registers are loaded where they were stored: a load that begins within what was stored
// just before would have to wait for it.
template <Count Direction>
inline void count_run(const CambiCounters &counters, unsigned level, unsigned x, unsigned length_px)
{
    constexpr int kLanes = V::kLanes16;
    static_assert(CambiCounters::kBlockPx % kLanes == 0 && kCambiMaxWindow / 2 <= CambiCounters::kBlockPx);
    const int reach = static_cast<int>(counters.reach_px), length = static_cast<int>(length_px);
    const int begin = static_cast<int>(x) - reach, end = static_cast<int>(x) + length + reach;
    const int first = begin & -kLanes;
    const Int height = V::set16(length < 2 * reach + 1 ? length : 2 * reach + 1);
    const Int none = V::set16(0), lanes = V::set16(kLanes), ramp = V::load16(kRamp);
    Int rise = V::subtract16(ramp, V::set16(begin - first - 1)), fall = V::subtract16(V::set16(end - first), ramp);
    for (int at = first; at < end; at += kLanes) {
        const Int count = V::max16(V::min16(V::min16(rise, fall), height), none);
        u16 *const columns = counters.at(level, at);
        const Int counted = V::load16(columns);
        V::store16(reinterpret_cast<i16 *>(columns),
                   Direction == Count::add ? V::add16(counted, count) : V::subtract16(counted, count));
        rise = V::add16(rise, lanes);
        fall = V::subtract16(fall, lanes);
    }
}

inline unsigned count_of(u64 bits)
{
    return static_cast<unsigned>(__builtin_popcountll(bits));
}

void slide_counters(const u16 *entering, const u16 *leaving, unsigned width_px, const CambiCounters &counters)
{
    for (unsigned x = 0; x < width_px; x += kWordPx) {
        const u16 *in = entering + x, *out = leaving + x;
        const u64 row = first_bits(width_px - x), changes = differing(in, out) & row;
        if (changes == 0)
            continue;
        const auto add = [&](unsigned start, unsigned length_px) {
            if (in[start] != 0)
                count_run<Count::add>(counters, in[start], x + start, length_px);
        };
        const auto remove = [&](unsigned start, unsigned length_px) {
            if (out[start] != 0)
                count_run<Count::remove>(counters, out[start], x + start, length_px);
        };
        const u64 last_in = last_of_runs(differing(in, in + 1), width_px - x),
                  last_out = last_of_runs(differing(out, out + 1), width_px - x);
        // Runs of both rows together leave out what does not change, but there are more of them.
        if (2 * count_of((last_in | last_out) & changes) <= count_of(last_in) + count_of(last_out)) {
            for_runs(changes, last_in | last_out, [&](unsigned start, unsigned length_px) {
                add(start, length_px);
                remove(start, length_px);
            });
        } else {
            for_runs(row, last_in, add);
            for_runs(row, last_out, remove);
        }
    }
}

constexpr unsigned kTilePx = 32; // GCC unrolls shorter loops instead of vectorising them
static_assert(kTilePx % V::kLanes16 == 0);

/// The counts that the c-values of some neighbouring pixels depend on.
struct alignas(64) Tile {
    u16 same[kTilePx];                 ///< n(v)
    u16 near[kCambiMaxSteps][kTilePx]; ///< M of step d at [d - 1]; 0 where the step does not count
};

inline void store_counts(u16 *to, Int v)
{
    V::store16(reinterpret_cast<i16 *>(to), v);
}

/// Level by level of the pixels that `wanted` has a bit of; 0 for the others. kSteps 0: as many as
/// the tables say.
template <unsigned kSteps>
inline void gather_counts(const u16 *levels, u32 wanted, unsigned x, unsigned at, const CambiCounters &counters,
                          const CambiContrastTables &tables, Tile &tile)
{
    const unsigned steps = kSteps != 0 ? kSteps : tables.steps;
    const Int pixels = V::load16(levels), none = V::set16(0);
    Int same = none, near[kSteps != 0 ? kSteps : kCambiMaxSteps];
    for (unsigned step = 0; step < steps; ++step)
        near[step] = none;
    while (wanted != 0) {
        const unsigned level = levels[__builtin_ctz(wanted)];
        const Int of_level = V::set16(static_cast<int>(level));
        const V::Mask16 here = V::equal16(pixels, of_level);
        wanted &= V::differing16(pixels, of_level);
        const u16 *columns = counters.at(level, static_cast<int>(x));
        same = V::select16(here, V::load16(columns), same);
        const unsigned first_step = tables.first_step[level];
        const u16 *above = columns, *below = columns;
        for (unsigned step = 0; step < steps; ++step) {
            above += CambiCounters::kBlockPx;
            below -= CambiCounters::kBlockPx;
            if (step + 1 >= first_step)
                near[step] = V::select16(here, V::max16(V::load16(above), V::load16(below)), near[step]);
        }
    }
    store_counts(tile.same + at, same);
    for (unsigned step = 0; step < steps; ++step)
        store_counts(tile.near[step] + at, near[step]);
}

/// r of spec cambi 3.5 by a division.
class Reciprocals {
  public:
    explicit Reciprocals(const CambiContrastTables &tables) : count_(tables.exception_count)
    {
        for (unsigned i = 0; i < count_; ++i) {
            n_[i] = V::set32(static_cast<u32>(tables.exceptions[i].n));
            difference_[i] = V::set32(static_cast<u32>(tables.exceptions[i].difference));
        }
    }
    V::Float of(Int n) const
    {
        Int bits = V::as_int(V::set_float(1) / V::to_float(n));
        for (unsigned i = 0; i < count_; ++i)
            bits = V::add32(bits, V::keep(V::equal32(n, n_[i]), difference_[i]));
        return V::as_float(bits);
    }

  private:
    unsigned count_;
    Int n_[kCambiMaxExceptions], difference_[kCambiMaxExceptions];
};

/// Contrasts of kLanes32 pixels. Values that are not negative order like their bits.
inline void contrast_by_division(const Tile &counts, unsigned at, unsigned steps, const Reciprocals &reciprocals,
                                 float *c)
{
    const Int n = V::load_widened(counts.same + at);
    const Int divisor = V::max32(n, V::set32(1)); // pixels that do not count have neither n nor M
    Int largest = V::set32(0);
    for (unsigned step = 0; step < steps; ++step) {
        const Int m = V::load_widened(counts.near[step] + at);
        if (V::is_zero(m))
            continue;
        const Int product =
            V::multiply_low32(V::multiply_small32(n, m), V::set32(static_cast<u32>(kCambiWeights[step])));
        largest = V::max32(largest, V::as_int(V::to_float(product) * reciprocals.of(V::add32(divisor, m))));
    }
    V::store_float(c, V::as_float(largest));
}

inline bool all_zero(const u16 *counts)
{
    Int any = V::set16(0);
    for (unsigned i = 0; i < kTilePx; i += V::kLanes16)
        any = V::bit_or(any, V::load16(counts + i));
    return V::is_zero(any);
}

inline void contrast_of_step(const u16 *__restrict same, const u16 *__restrict near, int weight,
                             const float *__restrict reciprocals, float *__restrict c)
{
    for (unsigned i = 0; i < kTilePx; ++i) {
        const int n = same[i], m = near[i];
        const float value = static_cast<float>(weight * n * m) * reciprocals[n + m];
        c[i] = value > c[i] ? value : c[i];
    }
}

inline void no_contrast(float *c)
{
    const V::Float none = V::set_float(0);
    for (unsigned i = 0; i < kTilePx; i += V::kLanes32)
        V::store_float(c + i, none);
}

inline void contrast_by_look_up(const Tile &counts, const CambiContrastTables &tables, float *c)
{
    no_contrast(c);
    for (unsigned step = 0; step < tables.steps; ++step)
        if (!all_zero(counts.near[step]))
            contrast_of_step(counts.same, counts.near[step], kCambiWeights[step], tables.reciprocals, c);
}

template <unsigned kSteps>
inline void contrast_row_of(const u16 *levels, unsigned width_px, const CambiCounters &counters,
                            const CambiContrastTables &tables, float *c)
{
    static_assert(kTilePx <= kCambiSlackPx);
    const bool divides = tables.exception_count <= kCambiMaxExceptions;
    const CambiContrastTables none{};
    const Reciprocals reciprocals(divides ? tables : none);
    const Int no_level = V::set16(0);
    Tile tile;
    for (unsigned x = 0; x < width_px; x += kTilePx) {
        u32 wanted = 0;
        for (unsigned i = 0; i < kTilePx; i += V::kLanes16)
            wanted |= V::differing16(V::load16(levels + x + i), no_level) << i;
        if (width_px - x < kTilePx)
            wanted &= (1U << (width_px - x)) - 1;
        if (wanted == 0) {
            no_contrast(c + x);
            continue;
        }
        for (unsigned i = 0; i < kTilePx; i += V::kLanes16)
            gather_counts<kSteps>(levels + x + i, wanted >> i & static_cast<u32>((u64{1} << V::kLanes16) - 1), x + i, i,
                                  counters, tables, tile);
        if (divides)
            for (unsigned i = 0; i < kTilePx; i += V::kLanes32)
                contrast_by_division(tile, i, kSteps != 0 ? kSteps : tables.steps, reciprocals, c + x + i);
        else
            contrast_by_look_up(tile, tables, c + x);
    }
}

void contrast_row(const u16 *levels, unsigned width_px, const CambiCounters &counters,
                  const CambiContrastTables &tables, float *c)
{
    constexpr unsigned kDefaultSteps = 4;
    if (tables.steps == kDefaultSteps)
        contrast_row_of<kDefaultSteps>(levels, width_px, counters, tables, c);
    else
        contrast_row_of<0>(levels, width_px, counters, tables, c);
}

// ---- spec cambi 3.6 ----

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

constexpr float kUnitsInOne = 16777216.0F;

inline float counted(float c, float bound)
{
    return c > bound ? c : 0.0F;
}

/// Sums of so many values, in units below 2^38 each, are exact in binary64 whatever their order.
constexpr std::size_t kExactValues = std::size_t{1} << 14;

CambiExactSum exact_sum(const float *c, std::size_t count, float bound)
{
    CambiExactSum sum{0, 0};
    const Int above = V::as_int(V::set_float(bound));
    for (std::size_t start = 0; start < count; start += kExactValues) {
        const std::size_t end = count - start < kExactValues ? count : start + kExactValues;
        V::Double low = V::set_double(0), high = V::set_double(0);
        Int summands = V::set32(0);
        std::size_t i = start;
        for (; i + V::kLanes32 <= end; i += V::kLanes32) {
            const Int value = V::as_int(V::load_float(c + i));
            const V::Mask counts = V::greater32(value, above);
            const V::Float summand = V::as_float(V::keep(counts, value));
            low = low + V::low_doubles(summand);
            high = high + V::high_doubles(summand);
            summands = V::count(summands, counts);
        }
        low = low + high;
        double lanes[V::kLanes32 / 2];
        static_assert(sizeof lanes == sizeof low);
        std::memcpy(lanes, &low, sizeof lanes);
        double block = 0;
        for (const double lane : lanes)
            block += lane;
        sum.count += static_cast<u64>(total_of_32bit<std::int32_t>(summands));
        for (; i < end; ++i) {
            block += static_cast<double>(counted(c[i], bound));
            sum.count += c[i] > bound;
        }
        sum.units += static_cast<u64>(block * double{kUnitsInOne});
    }
    return sum;
}

u64 summand_bits(const float *c, std::size_t count, float bound)
{
    u64 bits = 0;
    for (std::size_t i = 0; i < count; ++i)
        bits |= static_cast<u64>(static_cast<std::int64_t>(counted(c[i], bound) * kUnitsInOne));
    return bits;
}

} // namespace

extern const CambiLoops kCambiLoops = {convert_row_8bit,   convert_row_16bit, largest_sample,  smooth_row,
                                       smooth_row_8bit,    flat_row,          slide_flat_sums, mask_row,
                                       halve_picture_row,  halve_mask_row,    mode_filter_row, mode_filter_column,
                                       level_row,          slide_counters,    contrast_row,    count_upper_halves,
                                       count_lower_halves, exact_sum,         summand_bits};

} // namespace vmaf::VMAF_CPU_TARGET
