#include "feature/vif/vif_loops.h"

#include "base/vectors.h"
#include "feature/vif/vif_log_polynomial.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using u8 = std::uint8_t;
using u16 = std::uint16_t;
using i16 = std::int16_t;
using u32 = std::uint32_t;
using i32 = std::int32_t;
using i64 = std::int64_t;
using V = Vectors;
using Int = V::Int;

constexpr u32 kTop = 0x80000000, kLowBias = 0x8000;

// ---- filters ----

/// The coefficient at place `tap` of 0 to 2 * half. Scale 3's centre does not fit a signed 16-bit
/// number: it is halved, and multiplied a second time.
constexpr i16 coefficient(unsigned scale, int tap)
{
    const int half = static_cast<int>(kVifHalf[scale]);
    if (tap < 0 || tap > 2 * half)
        return 0;
    const u32 value = kVifFilter[scale][tap < half ? half - tap : tap - half];
    return static_cast<i16>(value > 32767 ? value / 2 : value);
}
constexpr bool centre_is_halved(unsigned scale)
{
    return kVifFilter[scale][0] > 32767;
}

constexpr unsigned kMostLanes = 32;
/// Coefficients for pairs of values.
struct PairOfTaps {
    alignas(64) i16 lane[kMostLanes];
    constexpr PairOfTaps() : lane() {}
    constexpr PairOfTaps(i16 first, i16 second) : lane()
    {
        for (unsigned i = 0; i < kMostLanes; ++i)
            lane[i] = V::is_second_of_pair(i) ? second : first;
    }
};

template <unsigned Scale> constexpr int kLastPair = static_cast<int>(kVifHalf[Scale]);

/// What to multiply the pairs of values at places 2k and 2k + 1 with, from the first that the
/// filter reads on: for the result that begins at the first place, and for the next one, which
/// begins at the second.
struct TwoTaps {
    PairOfTaps even, odd;
};
template <unsigned Scale> struct Taps {
    TwoTaps pair[kLastPair<Scale> + 1];
    constexpr Taps() : pair()
    {
        for (int k = 0; k <= kLastPair<Scale>; ++k)
            pair[k] = {{coefficient(Scale, 2 * k), coefficient(Scale, 2 * k + 1)},
                       {coefficient(Scale, 2 * k - 1), coefficient(Scale, 2 * k)}};
    }
};
template <unsigned Scale> constexpr Taps<Scale> kTaps;

/// The coefficients, of which there are more than registers. GCC must not know their values then:
/// it would build some of them anew for each use, which takes longer than reading them.
template <unsigned Scale> inline __attribute__((always_inline)) const TwoTaps *taps_in_memory()
{
    const TwoTaps *taps = kTaps<Scale>.pair;
    if constexpr (V::kRegisters == 16)
        asm("" : "+r"(taps));
    return taps;
}

/// The halved centre once more, where it is at the first or the second place of the pair; else
/// nothing.
template <unsigned Scale, int First>
constexpr bool kHasCentreAgain = centre_is_halved(Scale) && (First == static_cast<int>(kVifHalf[Scale]) ||
                                                             First + 1 == static_cast<int>(kVifHalf[Scale]));
template <unsigned Scale, int First>
constexpr PairOfTaps kCentreAgain{First == static_cast<int>(kVifHalf[Scale]) ? coefficient(Scale, First) : i16{0},
                                  First == static_cast<int>(kVifHalf[Scale]) ? i16{0} : coefficient(Scale, First + 1)};

/// Adds the products of a pair's coefficients and `Count` registers of values to as many sums.
template <unsigned Scale, int Pair, bool IsOdd, unsigned Count>
inline __attribute__((always_inline)) void add_taps(const TwoTaps *all, const Int (&values)[Count], Int *sums)
{
    constexpr int kFirst = IsOdd ? 2 * Pair - 1 : 2 * Pair;
    const Int taps = V::pin(V::load16(IsOdd ? all[Pair].odd.lane : all[Pair].even.lane));
#pragma GCC unroll 8
    for (unsigned i = 0; i < Count; ++i)
        sums[i] = V::add_pair_products(sums[i], values[i], taps);
    if constexpr (kHasCentreAgain<Scale, kFirst>) {
        const Int again = V::pin(V::load16(kCentreAgain<Scale, kFirst>.lane));
#pragma GCC unroll 8
        for (unsigned i = 0; i < Count; ++i)
            sums[i] = V::add_pair_products(sums[i], values[i], again);
    }
}

/// A number as a type.
template <int Number> struct Constant {
    static constexpr int kValue = Number;
};
/// A loop that is always unrolled, over numbers that types may depend on.
template <int First, int Last, class Body> inline __attribute__((always_inline)) void for_each(Body &&body)
{
    if constexpr (First <= Last) {
        body(Constant<First>());
        for_each<First + 1, Last>(body);
    }
}

// ---- rows ----

void widen(const u8 *__restrict samples, unsigned count, u16 *__restrict out)
{
    for (unsigned i = 0; i < count; ++i)
        out[i] = samples[i];
}

/// Makes pairs of a register of either row.
inline void store_pair(VifPairs &pairs, unsigned plane, unsigned slot, unsigned x, Int first, Int second)
{
    i16 *out = pairs.slot[plane][slot] + 2 * x;
    V::store16(out, V::pairs_low16(first, second));
    V::store16(out + V::kLanes16, V::pairs_high16(first, second));
}

enum class Planes { samples, low, low_and_high };

template <Planes Made, PairPart Part>
void make_pairs(const VifRows &ref_rows, const VifRows &dis_rows, unsigned columns, VifShifts shifts, VifPairs &pairs,
                unsigned slot)
{
    const Int bias = V::set16(kLowBias), sample_bias = V::set16(shifts.mean == 16 ? kLowBias : 0);
    for (unsigned x = 0; x < columns; x += V::kLanes16) {
        const Int ref[2] = {V::load16(ref_rows.row[0] + x), V::load16(ref_rows.row[1] + x)};
        const Int dis[2] = {V::load16(dis_rows.row[0] + x), V::load16(dis_rows.row[1] + x)};
        const auto put = [&](unsigned plane, auto value) __attribute__((always_inline))
        {
            if (vif_has_plane(Part, plane))
                store_pair(pairs, plane, slot, x, value(0), value(1));
        };
        const auto put_products = [&](unsigned first_plane, auto product) __attribute__((always_inline))
        {
            put(first_plane, [&](int row) { return V::bit_xor(product(ref[row], ref[row]), bias); });
            put(first_plane + 1, [&](int row) { return V::bit_xor(product(dis[row], dis[row]), bias); });
            put(first_plane + 2, [&](int row) { return V::bit_xor(product(ref[row], dis[row]), bias); });
        };
        put(kVifRef, [&](int row) { return V::bit_xor(ref[row], sample_bias); });
        put(kVifDis, [&](int row) { return V::bit_xor(dis[row], sample_bias); });
        if constexpr (Made != Planes::samples)
            put_products(kVifLow, V::multiply_low16);
        if constexpr (Made == Planes::low_and_high)
            put_products(kVifHigh, V::multiply_high16);
    }
}

// ---- the vertical pass ----

/// Rows whose sums are built up together: as many as registers allow.
constexpr int kRowsAtOnce = V::kRegisters == 32 ? 8 : 4;
constexpr int kBlockRows = static_cast<int>(kVifBlockRows);
/// By row; for the left and the right half of V::kLanes16 columns, the two registers of pairs that
/// were made of a register of either row.
using RowSums = Int[kRowsAtOnce][2];

/// Sums down the columns of one plane, of kRowsAtOnce rows from the pairs' first on, for
/// V::kLanes16 columns at `x`.
template <unsigned Scale>
inline __attribute__((always_inline)) void column_sums(const i16 *const *pairs, unsigned x, Int start, RowSums &sums)
{
    for_each<0, kRowsAtOnce - 1>([&](auto row) __attribute__((always_inline)) {
        sums[row.kValue][0] = sums[row.kValue][1] = start;
    });
    const TwoTaps *taps = taps_in_memory<Scale>();
    for_each<0, kLastPair<Scale> + kRowsAtOnce / 2 - 1>([&](auto pair) __attribute__((always_inline)) {
        const i16 *values_at = pairs[pair.kValue] + 2 * x;
        const Int values[2] = {V::pin(V::load16(values_at)), V::pin(V::load16(values_at + V::kLanes16))};
        for_each<0, kRowsAtOnce / 2 - 1>([&](auto two_rows) __attribute__((always_inline)) {
            constexpr int kPair = decltype(pair)::kValue - decltype(two_rows)::kValue,
                          kRow = 2 * decltype(two_rows)::kValue;
            if constexpr (kPair >= 0 && kPair <= kLastPair<Scale>) {
                add_taps<Scale, kPair, false>(taps, values, sums[kRow]);
                add_taps<Scale, kPair, true>(taps, values, sums[kRow + 1]);
            }
        });
    });
}

/// spec vif 3.3: v1 or v2, biased, from a plane of samples. Their bias is 2^31 in the sum already,
/// or is taken off here.
inline Int mean_start(VifShifts shifts)
{
    return V::set32((1U << (shifts.mean - 1)) - (shifts.mean == 16 ? 0U : 1U << (15 + shifts.mean)));
}

template <unsigned Scale>
void vertical_means(const i16 *const *pairs, unsigned plane, unsigned columns, VifShifts shifts, VifColumns *rows)
{
    const Int start = mean_start(shifts);
    for (unsigned x = 0; x < columns; x += V::kLanes16) {
        RowSums sums;
        column_sums<Scale>(pairs, x, start, sums);
#pragma GCC unroll 8
        for (int row = 0; row < kRowsAtOnce; ++row)
            V::store16(rows[row].plane[plane] + x,
                       V::pack_signed32(V::shift_right_signed32(sums[row][0], shifts.mean),
                                        V::shift_right_signed32(sums[row][1], shifts.mean)));
    }
}

/// spec vif 3.3: v11, v22 or v12 with the bias of its upper half. HasHigh: from halves, A and B of
/// spec vif 5.
template <unsigned Scale, bool HasHigh>
inline __attribute__((always_inline)) void column_squares(const i16 *const *low, const i16 *const *high, unsigned x,
                                                          VifShifts shifts, RowSums &out)
{
    if constexpr (!HasHigh) {
        // The values' bias takes 2^31 off the sum, which is what the bias of its upper half does.
        column_sums<Scale>(low, x, V::set32(0), out);
    } else {
        const u32 rounding = shifts.square == 0 ? 0 : 1U << (shifts.square - 1);
        RowSums upper;
        column_sums<Scale>(low, x, V::set32(kTop + rounding), out);
        column_sums<Scale>(high, x, V::set32(kTop), upper);
#pragma GCC unroll 8
        for (int row = 0; row < kRowsAtOnce; ++row)
#pragma GCC unroll 2
            for (int half = 0; half < 2; ++half) {
                const Int sum = V::add32(V::shift_left32(upper[row][half], 16 - shifts.square),
                                         V::shift_right32(out[row][half], shifts.square));
                out[row][half] = V::bit_xor(sum, V::set32(kTop));
            }
    }
}

template <unsigned Scale, bool HasHigh>
void vertical_squares(const i16 *const *low, const i16 *const *high, unsigned square, unsigned columns,
                      VifShifts shifts, VifColumns *rows)
{
    const Int low_bias = V::set32(kLowBias);
    for (unsigned x = 0; x < columns; x += V::kLanes16) {
        RowSums sums;
        column_squares<Scale, HasHigh>(low, high, x, shifts, sums);
#pragma GCC unroll 8
        for (int row = 0; row < kRowsAtOnce; ++row) {
            Int lower, upper;
            V::split_halves(V::bit_xor(sums[row][0], low_bias), V::bit_xor(sums[row][1], low_bias), lower, upper);
            V::store16(rows[row].plane[kVifLow + square] + x, lower);
            V::store16(rows[row].plane[kVifHigh + square] + x, upper);
        }
    }
}

template <unsigned Scale, bool HasHigh, PairPart Part>
void vertical(const VifWindow &window, unsigned columns, VifShifts shifts, VifColumns *rows)
{
    for (int first = 0; first < kBlockRows; first += kRowsAtOnce) {
        const auto pairs_of = [&](unsigned plane) { return window.pair[plane] + first / 2; };
        for (unsigned side = kVifRef; side <= kVifDis; ++side)
            if (vif_has_plane(Part, side))
                vertical_means<Scale>(pairs_of(side), side, columns, shifts, rows + first);
        for (unsigned square = 0; square < 3; ++square)
            if (vif_has_plane(Part, kVifLow + square))
                vertical_squares<Scale, HasHigh>(pairs_of(kVifLow + square), pairs_of(kVifHigh + square), square,
                                                 columns, shifts, rows + first);
    }
}

// ---- the horizontal pass ----

/// Sums along the row of several planes at once, which share the coefficients' registers: of even
/// columns and of odd ones.
template <unsigned Scale, unsigned Planes>
inline __attribute__((always_inline)) void row_sums(const i16 *const (&rows)[Planes], Int *even, Int *odd)
{
    const TwoTaps *taps = taps_in_memory<Scale>();
    for_each<0, kLastPair<Scale>>([&](auto pair) __attribute__((always_inline)) {
        constexpr int kPair = decltype(pair)::kValue;
        Int values[Planes];
#pragma GCC unroll 8
        for (unsigned plane = 0; plane < Planes; ++plane)
            values[plane] = V::pin(V::load_pairs16(rows[plane] + 2 * kPair));
        add_taps<Scale, kPair, false>(taps, values, even);
        add_taps<Scale, kPair, true>(taps, values, odd);
    });
}

/// X of spec vif 3.3 from the sums over the halves: A + ((B + 2^15) >> 16), of which 2^15 is in the
/// sum already.
inline Int joined(Int upper, Int lower)
{
    return V::add32(upper, V::shift_right32(lower, 16));
}

/// X - N of spec vif 3.3.
inline Int centred(Int x, Int mean_a, Int mean_b)
{
    return V::subtract32(
        x, V::multiply_rounded_high32(mean_a, mean_b, V::odd_to_even32(mean_a), V::odd_to_even32(mean_b)));
}

void clear_behind(unsigned width_px, std::int32_t (&moments)[kVifStripPx])
{
    for (unsigned x = width_px; x % kVifRoundPx != 0; ++x)
        moments[vif_moment_place(x)] = 0;
}

template <unsigned Scale, PairPart Part>
void horizontal(const VifColumns &columns, unsigned width_px, VifReferenceMoments &reference, VifMoments &out)
{
    const Int top = V::pin(V::set32(kTop)), rounded = V::pin(V::set32(kTop + kLowBias)), zero = V::set32(0);
    for (unsigned x = 0; x < width_px; x += V::kLanes16) {
        const auto row = [&](unsigned plane) { return columns.plane[plane] + x; };
        const unsigned even_at = vif_moment_place(x), odd_at = even_at + kVifRoundPx / 2;
        Int mean1[2], mean2[2]; // of even columns, of odd ones
        if constexpr (Part == PairPart::distorted) {
            Int even[1] = {top}, odd[1] = {top};
            row_sums<Scale, 1>({row(kVifDis)}, even, odd);
            mean1[0] = V::load32(reference.mean1 + even_at);
            mean1[1] = V::load32(reference.mean1 + odd_at);
            mean2[0] = even[0];
            mean2[1] = odd[0];
        } else {
            Int even[4] = {top, rounded, top, top}, odd[4] = {top, rounded, top, top};
            if constexpr (Part == PairPart::all)
                row_sums<Scale, 4>({row(kVifHigh), row(kVifLow), row(kVifRef), row(kVifDis)}, even, odd);
            else
                row_sums<Scale, 3>({row(kVifHigh), row(kVifLow), row(kVifRef)}, even, odd);
            V::store32(reference.s1 + even_at, centred(joined(even[0], even[1]), even[2], even[2]));
            V::store32(reference.s1 + odd_at, centred(joined(odd[0], odd[1]), odd[2], odd[2]));
            mean1[0] = even[2];
            mean1[1] = odd[2];
            mean2[0] = even[3];
            mean2[1] = odd[3];
        }
        if constexpr (Part == PairPart::reference) {
            V::store32(reference.mean1 + even_at, mean1[0]);
            V::store32(reference.mean1 + odd_at, mean1[1]);
        } else {
            Int even[4] = {top, rounded, top, rounded}, odd[4] = {top, rounded, top, rounded};
            row_sums<Scale, 4>({row(kVifHigh + 1), row(kVifLow + 1), row(kVifHigh + 2), row(kVifLow + 2)}, even, odd);
            V::store32(out.s2 + even_at, V::max32(centred(joined(even[0], even[1]), mean2[0], mean2[0]), zero));
            V::store32(out.s2 + odd_at, V::max32(centred(joined(odd[0], odd[1]), mean2[1], mean2[1]), zero));
            V::store32(out.s12 + even_at, centred(joined(even[2], even[3]), mean1[0], mean2[0]));
            V::store32(out.s12 + odd_at, centred(joined(odd[2], odd[3]), mean1[1], mean2[1]));
        }
    }
    if constexpr (Part != PairPart::distorted)
        clear_behind(width_px, reference.s1);
    if constexpr (Part != PairPart::reference) {
        clear_behind(width_px, out.s2);
        clear_behind(width_px, out.s12);
    }
}

// ---- the next scale ----

/// The filter of the next scale is narrower: it begins so many rows and columns later.
template <unsigned Scale> constexpr unsigned kNextOffset = kVifHalf[Scale] - kVifHalf[Scale + 1];

template <unsigned Scale>
void next_scale(const VifWindow &window, unsigned row, VifPlane side, VifShifts shifts, unsigned count, u16 *out)
{
    constexpr unsigned kNext = Scale + 1, kOffset = kNextOffset<Scale>;
    constexpr bool kIsOdd = kOffset % 2 != 0;
    const i16 *const *pairs = window.pair[side] + row + kOffset / 2;
    alignas(64) i16 column[kVifRowPx];
    constexpr const TwoTaps *taps = kTaps<kNext>.pair;
    const Int start = mean_start(shifts);
    for (unsigned x = 0; x < 2 * count + 2 * kVifHalf[Scale]; x += V::kLanes16) {
        Int sums[2] = {start, start};
        for_each<0, kLastPair<kNext>>([&](auto pair) __attribute__((always_inline)) {
            const i16 *values = pairs[pair.kValue] + 2 * x;
            add_taps<kNext, decltype(pair)::kValue, kIsOdd, 2>(
                taps, {V::load16(values), V::load16(values + V::kLanes16)}, sums);
        });
        V::store16(column + x, V::pack_signed32(V::shift_right_signed32(sums[0], shifts.mean),
                                                V::shift_right_signed32(sums[1], shifts.mean)));
    }
    for (unsigned x = 0; x < count; x += V::kLanes32) {
        Int sum = V::set32(kTop + kLowBias);
        for_each<0, kLastPair<kNext>>([&](auto pair) __attribute__((always_inline)) {
            const i16 *values = column + 2 * x + kOffset + 2 * pair.kValue;
            add_taps<kNext, decltype(pair)::kValue, false, 1>(taps, {V::load_pairs16(values)}, &sum);
        });
        V::store_low16(out + x, V::shift_right32(sum, 16));
    }
}

// ---- the statistic ----

struct LowVariance {
    Int count, squares; ///< pixels that have none; sums of S2 in 64 bits
};

/// Values of a row's pixels for spec vif 3.5.
struct Pixels {
    alignas(64) i32 variance[kVifRowPx], covariance[kVifRowPx];
};

/// A pixel that adds nothing to a sum of logarithms gets a variance or a covariance of 0. Without
/// variance, whatever the covariance explains is more than S2 and times 0.
template <PairPart Part>
inline void find_related(const VifReferenceMoments &reference, const VifMoments &moments, unsigned at, Pixels &pixels,
                         LowVariance &low)
{
    const Int noise = V::set32(kVifNoise), zero = V::set32(0), s1 = V::load32(reference.s1 + at);
    const V::Mask is_low = V::greater32(noise, s1);
    V::store32(pixels.variance + at, V::drop(is_low, s1));
    if constexpr (Part != PairPart::distorted)
        low.count = V::count(low.count, is_low);
    if constexpr (Part != PairPart::reference) {
        const Int s2 = V::load32(moments.s2 + at), s12 = V::load32(moments.s12 + at);
        low.squares = V::add_widened32(low.squares, V::keep(is_low, s2));
        const V::Mask related = V::both(V::greater32(s2, zero), V::greater32(s12, zero));
        V::store32(pixels.covariance + at, V::keep(related, s12));
    }
}

/// The gain of spec vif 3.5, step 3, for half a register's pixels.
struct Gain {
    V::Double variance, covariance, gain;

    Gain(const Pixels &pixels, unsigned at)
        : variance(V::doubles(pixels.variance + at)), covariance(V::doubles(pixels.covariance + at)),
          gain(covariance / (variance + V::set_double(kVifGainOffset)))
    {
    }
    V::Double unexplained(V::Double s2) const { return s2 - gain * covariance; }
    V::Double signal(V::Double limit) const
    {
        const V::Double limited = V::min(gain, limit);
        return limited * limited * variance;
    }
};
/// Of a register's pixels.
struct Gains {
    Gain low, high;

    Gains(const Pixels &pixels, unsigned at) : low(pixels, at), high(pixels, at + V::kLanes32 / 2) {}
    /// t and p, rounded toward zero.
    Int unexplained(const i32 *s2) const
    {
        return V::truncated(low.unexplained(V::doubles(s2)), high.unexplained(V::doubles(s2 + V::kLanes32 / 2)));
    }
    Int signal(V::Double limit) const { return V::truncated(low.signal(limit), high.signal(limit)); }
};

/// Sums of logarithms, of 2 to the exponent and of the mantissa apart.
struct LogSums {
    Int exponents, curves;
};

inline Int exponent(Int float_bits)
{
    return V::shift_right32(float_bits, 23);
}

i64 total(const LogSums &sums)
{
    return total_of_32bit<i32>(sums.curves) + 2048 * total_of_32bit<i32>(sums.exponents);
}

inline void add_reference_logs(const Pixels &pixels, unsigned at, LogSums &den)
{
    const Int variance = V::upper_float_bits(V::add32(V::load32(pixels.variance + at), V::set32(kVifNoise)));
    den.exponents = V::add32(den.exponents, exponent(variance));
    den.curves = V::add32(den.curves, vif_log_curve(variance));
}

inline void add_logs(Int unexplained, Int signal, LogSums &num)
{
    const Int rest = V::add32(V::max32(unexplained, V::set32(0)), V::set32(kVifNoise));
    const Int noise_and_signal = V::upper_float_bits(V::add32(rest, signal));
    const Int noise_alone = V::upper_float_bits(rest);
    num.exponents = V::add32(num.exponents, V::subtract32(exponent(noise_and_signal), exponent(noise_alone)));
    num.curves = V::add32(num.curves, V::subtract32(vif_log_curve(noise_and_signal), vif_log_curve(noise_alone)));
}

/// The logarithms that both pictures decide. Divisions are a register ahead of what needs them, so
/// that logarithms are computed while the processor's divider is busy. The last register's are done
/// twice, because nothing was written behind it.
LogSums numerator_logs(const Pixels &pixels, const VifMoments &moments, unsigned end, V::Double gain_limit)
{
    LogSums num{V::set32(0), V::set32(0)};
    Gains gains(pixels, 0);
    for (unsigned at = 0; at < end; at += V::kLanes32) {
        const unsigned behind = at + V::kLanes32;
        const Gains next(pixels, behind < end ? behind : at);
        add_logs(gains.unexplained(moments.s2 + at), gains.signal(gain_limit), num);
        gains = next;
    }
    return num;
}

/// In two loops: in one, the chain from the comparisons and the division to the sums is too long
/// for a processor to work on several at a time. Sums of a row fit 32 bits.
template <PairPart Part>
void statistic(const VifReferenceMoments &reference, const VifMoments &moments, unsigned width_px, double gain_limit,
               VifScaleSums &sums)
{
    constexpr bool kOfReference = Part != PairPart::distorted, kOfBoth = Part != PairPart::reference;
    const Int zero = V::set32(0);
    const unsigned end = (width_px + kVifRoundPx - 1) / kVifRoundPx * kVifRoundPx;
    Pixels pixels;
    LowVariance low{zero, zero};
    LogSums den{zero, zero};
    for (unsigned at = 0; at < end; at += V::kLanes32) {
        find_related<Part>(reference, moments, at, pixels, low);
        if constexpr (kOfReference)
            add_reference_logs(pixels, at, den);
    }
    if constexpr (kOfReference) {
        constexpr i64 kNoiseExponent = 127 + 17;
        sums.log_den += total(den) - 2048 * kNoiseExponent * static_cast<i64>(end);
        // What lies behind the row is of low variance.
        sums.low_count += total_of_32bit<i32>(low.count) - (end - width_px);
    }
    if constexpr (kOfBoth) {
        sums.log_num += total(numerator_logs(pixels, moments, end, V::set_double(gain_limit)));
        sums.low_var2 += static_cast<i64>(total_of_64bit(low.squares));
    }
}

template <PairPart Part>
constexpr VifLoops kLoopsOf{
    widen,
    make_pairs<Planes::low, Part>,
    make_pairs<Planes::low_and_high, Part>,
    make_pairs<Planes::samples, Part>,
    vertical<0, false, Part>,
    {vertical<0, true, Part>, vertical<1, true, Part>, vertical<2, true, Part>, vertical<3, true, Part>},
    {horizontal<0, Part>, horizontal<1, Part>, horizontal<2, Part>, horizontal<3, Part>},
    {next_scale<0>, next_scale<1>, next_scale<2>},
    statistic<Part>,
};

} // namespace

extern const VifLoops kVifLoops = kLoopsOf<PairPart::all>;
extern const VifLoops kVifReferenceLoops = kLoopsOf<PairPart::reference>;
extern const VifLoops kVifDistortedLoops = kLoopsOf<PairPart::distorted>;

} // namespace vmaf::VMAF_CPU_TARGET
