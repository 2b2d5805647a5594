#include "feature/adm/adm_loops.h"

#include "base/vectors.h"

// Doubles that are used as integers are always integers or dyadic fractions below 2^53.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using std::int16_t;
using std::int32_t;
using std::int64_t;
using std::ptrdiff_t;
using std::size_t;
using std::uint16_t;
using std::uint32_t;
using std::uint64_t;
using std::uint8_t;
using V = Vectors;
using Int = V::Int;

// ---- spec adm 3.1 ----

constexpr uint32_t kBias = 0x8000;

/// Two taps for pairs of values.
inline Int pair_of_taps(const int32_t *taps)
{
    return V::set_pair16(taps[0], taps[1]);
}

inline uint32_t sum_of_taps(const int32_t *taps)
{
    return static_cast<uint32_t>(taps[0] + taps[1] + taps[2] + taps[3]);
}

/// For 32-bit values in halves, the filter's sum is 2^16 * A + B (spec adm 5). B without the bias
/// needs 33 bits with its sign: the most that it can be below 0, a multiple of 2^16, is added to it
/// and taken off A; then it is unsigned.
struct HalvesStart {
    uint32_t high, low;
};
inline HalvesStart halves_start(const AdmFilter &filter)
{
    uint32_t below = 0;
    for (size_t k = 0; k < 4; ++k)
        below += static_cast<uint32_t>(filter.taps[k] < 0 ? -filter.taps[k] : 0);
    return {0 - below, (below << 16) + sum_of_taps(filter.taps) * kBias + static_cast<uint32_t>(filter.offset)};
}
inline Int join_sums(Int high, Int low, unsigned shift)
{
    return V::add32(V::shift_left32(high, 16 - shift), V::shift_right32(low, shift));
}

inline int32_t from_halves(int16_t high, int16_t low)
{
    return static_cast<int32_t>(static_cast<uint32_t>(high) << 16 | (static_cast<uint16_t>(low) ^ kBias));
}
inline int16_t high_half(int32_t value)
{
    return static_cast<int16_t>(value >> 16);
}
inline int16_t low_half(int32_t value)
{
    return static_cast<int16_t>(static_cast<uint32_t>(value) ^ kBias);
}

/// Samples that a filter of rows reads: kLanes16 columns, or one.
struct FromU8 {
    using Sample = uint8_t;
    static Int load(const Sample *from, Int, Int) { return V::load_widened(from); }
    static int64_t value(const Sample *from, const AdmFilter &) { return *from; }
};
/// A sample may lie above its depth's maximum, where sums would overflow. Those of 16 bits are
/// biased.
struct FromU16 {
    using Sample = uint16_t;
    static Int load(const Sample *from, Int most, Int bias)
    {
        return V::bit_xor(V::min_u16(V::load16(from), most), bias);
    }
    static int64_t value(const Sample *from, const AdmFilter &filter)
    {
        return *from < filter.max_sample ? *from : filter.max_sample;
    }
};
struct FromI16 {
    using Sample = int16_t;
    static Int load(const Sample *from, Int, Int) { return V::load16(from); }
    static int64_t value(const Sample *from, const AdmFilter &) { return *from; }
};
struct FromHalves : FromI16 {
    static int64_t value(const Sample *from, const AdmFilter &filter)
    {
        return from_halves(*from, from[filter.from_low]);
    }
};

/// The pairs of kLanes16 columns of four rows, in the order of pairs_low16 and pairs_high16.
struct RowPairs {
    Int low[2], high[2];
};
template <class From>
inline RowPairs load_pairs(const typename From::Sample *const (&rows)[4], ptrdiff_t x, Int most, Int bias)
{
    RowPairs pairs;
#pragma GCC unroll 2
    for (size_t pair = 0; pair < 2; ++pair) {
        const Int first = From::load(rows[2 * pair] + x, most, bias),
                  second = From::load(rows[2 * pair + 1] + x, most, bias);
        pairs.low[pair] = V::pairs_low16(first, second);
        pairs.high[pair] = V::pairs_high16(first, second);
    }
    return pairs;
}

/// Factors of a filter for pairs, and the starting value of its sums.
struct PairFilter {
    Int taps[2];
    Int start, low_start;

    PairFilter(const AdmFilter &filter, bool from_halves, bool biased)
        : taps{pair_of_taps(filter.taps), pair_of_taps(filter.taps + 2)}
    {
        const HalvesStart halves = halves_start(filter);
        const uint32_t offset = static_cast<uint32_t>(filter.offset);
        start = V::set32(from_halves ? halves.high : biased ? offset + sum_of_taps(filter.taps) * kBias : offset);
        low_start = V::set32(halves.low);
    }
    Int sum(const Int (&pairs)[2], Int from) const
    {
        return V::add_pair_products(V::add_pair_products(from, pairs[0], taps[0]), pairs[1], taps[1]);
    }
};

/// One filter, or two that differ in taps and offset alone.
template <class From, bool kToHalves, unsigned kCount>
inline __attribute__((always_inline)) void filter_rows(const void *const rows[4],
                                                       const AdmFilter *const (&filters)[kCount], AdmSpan span,
                                                       int16_t *const (&lines)[kCount])
{
    using Sample = typename From::Sample;
    constexpr bool kFromHalves = __is_same(From, FromHalves);
    const Sample *const row[4] = {static_cast<const Sample *>(rows[0]), static_cast<const Sample *>(rows[1]),
                                  static_cast<const Sample *>(rows[2]), static_cast<const Sample *>(rows[3])};
    const AdmFilter &first = *filters[0];
    const bool biased = first.max_sample == 65535 && __is_same(From, FromU16);
    const Int bias = V::set16(biased ? kBias : 0), most = V::set16(first.max_sample), low_bias = V::set16(kBias);
    const PairFilter filter[2] = {{first, kFromHalves, biased}, {*filters[kCount - 1], kFromHalves, biased}};
    const unsigned shift = first.shift;
    const ptrdiff_t from_low = first.from_low, to_low = first.to_low;
    const bool done = for_registers(
        span.begin, span.end, V::kLanes16, [&](ptrdiff_t x) __attribute__((always_inline)) {
            const RowPairs pairs = load_pairs<From>(row, x, most, bias);
            RowPairs lower{};
            if constexpr (kFromHalves)
                lower = load_pairs<From>(row, x + from_low, most, bias);
#pragma GCC unroll 2
            for (unsigned i = 0; i < kCount; ++i) {
                Int sums[2] = {filter[i].sum(pairs.low, filter[i].start), filter[i].sum(pairs.high, filter[i].start)};
                if constexpr (kFromHalves) {
                    sums[0] = join_sums(sums[0], filter[i].sum(lower.low, filter[i].low_start), shift);
                    sums[1] = join_sums(sums[1], filter[i].sum(lower.high, filter[i].low_start), shift);
                }
                if constexpr (kToHalves) {
                    Int low, high;
                    V::split_halves(sums[0], sums[1], low, high);
                    V::store16(lines[i] + x, high);
                    V::store16(lines[i] + x + to_low, V::bit_xor(low, low_bias));
                } else {
                    V::store16(lines[i] + x, V::pack_signed32(V::shift_right_signed32(sums[0], shift),
                                                              V::shift_right_signed32(sums[1], shift)));
                }
            }
        });
    for (size_t x = span.begin; x < span.end && !done; ++x)
        for (unsigned i = 0; i < kCount; ++i) {
            int64_t sum = filters[i]->offset;
            for (size_t k = 0; k < 4; ++k)
                sum += From::value(row[k] + x, first) * filters[i]->taps[k];
            const int32_t value = static_cast<int32_t>(sum >> shift);
            lines[i][x] = kToHalves ? high_half(value) : static_cast<int16_t>(value);
            if constexpr (kToHalves)
                lines[i][static_cast<ptrdiff_t>(x) + to_low] = low_half(value);
        }
}
template <class From, bool kToHalves>
void filter_rows(const void *const rows[4], const AdmFilter &filter, AdmSpan span, int16_t *line)
{
    filter_rows<From, kToHalves, 1>(rows, {&filter}, span, {line});
}
template <class From, bool kToHalves>
void filter_rows_twice(const void *const rows[4], const AdmFilter (&filters)[2], AdmSpan span,
                       int16_t *const (&lines)[2])
{
    filter_rows<From, kToHalves, 2>(rows, {&filters[0], &filters[1]}, span, lines);
}

/// The filter's sums of kLanes32 results along a line.
inline Int row_sums(const int16_t *line, ptrdiff_t x, const Int (&taps)[2], Int start)
{
    return V::add_pair_products(V::add_pair_products(start, V::load_pairs16(line + 2 * x - 1), taps[0]),
                                V::load_pairs16(line + 2 * x + 1), taps[1]);
}

enum class To { i16, i32, halves };

inline void store_half(int16_t *to, Int values)
{
    V::store_low16(reinterpret_cast<uint16_t *>(to), values);
}

template <bool kFromHalves, To kTo>
void filter_line(const int16_t *__restrict__ line, const AdmFilter &filter, AdmSpan span, void *band)
{
    int32_t *__restrict__ const wide = static_cast<int32_t *>(band);
    int16_t *__restrict__ const half = static_cast<int16_t *>(band);
    const Int taps[2] = {pair_of_taps(filter.taps), pair_of_taps(filter.taps + 2)};
    const HalvesStart halves = halves_start(filter);
    const Int start = V::set32(kFromHalves ? halves.high : static_cast<uint32_t>(filter.offset));
    const unsigned shift = filter.shift;
    const ptrdiff_t from_low = filter.from_low, to_low = filter.to_low;
    const auto value_at = [&](ptrdiff_t x) __attribute__((always_inline))
    {
        const Int value = row_sums(line, x, taps, start);
        return kFromHalves ? join_sums(value, row_sums(line + from_low, x, taps, V::set32(halves.low)), shift)
                           : V::shift_right_signed32(value, shift);
    };
    const bool done = for_registers(
        span.begin, span.end,
        kTo == To::i16 ? V::kLanes16 : V::kLanes32, [&](ptrdiff_t x) __attribute__((always_inline)) {
            const Int value = value_at(x);
            if constexpr (kTo == To::halves) {
                store_half(half + x, V::shift_right32(value, 16));
                store_half(half + x + to_low, V::bit_and(V::bit_xor(value, V::set32(kBias)), V::set32(0xffff)));
            } else if constexpr (kTo == To::i16) {
                V::store_narrowed(half + x, value, value_at(x + V::kLanes32));
            } else {
                V::store32(wide + x, value);
            }
        });
    for (ptrdiff_t x = static_cast<ptrdiff_t>(span.begin); x < static_cast<ptrdiff_t>(span.end) && !done; ++x) {
        int64_t sum = filter.offset;
        for (ptrdiff_t k = 0; k < 4; ++k) {
            const int16_t *tap = line + 2 * x - 1 + k;
            sum += int64_t{kFromHalves ? from_halves(*tap, tap[from_low]) : *tap} * filter.taps[k];
        }
        const int32_t value = static_cast<int32_t>(sum >> shift);
        if constexpr (kTo == To::halves) {
            half[x] = high_half(value);
            half[x + to_low] = low_half(value);
        } else if constexpr (kTo == To::i16) {
            half[x] = static_cast<int16_t>(value);
        } else {
            wide[x] = value;
        }
    }
}

// ---- spec adm 3.3: the angle flag ----

/// x, negated where `sign` is -1 instead of 0.
inline Int with_sign(Int x, Int sign)
{
    return V::subtract32(V::bit_xor(x, sign), sign);
}
inline Int with_sign16(Int x, Int sign)
{
    return V::subtract16(V::bit_xor(x, sign), sign);
}
/// Two registers of doubles for one of 32-bit lanes.
struct Doubles {
    V::Double low, high;
};
inline Doubles to_doubles(Int v)
{
    return {V::low_doubles(v), V::high_doubles(v)};
}
inline Doubles to_doubles(V::Float v)
{
    return {V::low_doubles(v), V::high_doubles(v)};
}
constexpr double kCosSquared = 0x1.ffd814p-1; // of one degree, as float

/// The squares of both sides of the comparison; a negative product of the vectors has none.
struct AngleSides {
    V::Double product, limit;
};
inline AngleSides angle_sides(V::Double product, V::Double ref_square, V::Double dis_square)
{
    return {product * V::max(product, V::set_double(0)), V::set_double(kCosSquared) * ref_square * dis_square};
}

/// What binary32 says of the comparison. Floats that are not negative are in the order of their
/// bits, and one of their last places is 2^-24 to 2^-23 of the value.
struct AngleGuess {
    Int flag;      ///< -1 or 0
    Int uncertain; ///< not 0 where the sides are too close for binary32
};
inline AngleGuess guess_angle(V::Float product, V::Float ref_square, V::Float dis_square, uint32_t places)
{
    const V::Float positive = V::max(product, V::set_float(0)); // 0 where the product is -0
    const Int side = V::as_int(positive * positive);
    const Int limit = V::as_int(V::set_float(static_cast<float>(kCosSquared)) * ref_square * dis_square);
    const Int all = V::set32(~0U);
    const V::Mask close = V::greater32(V::set32(places), V::abs32(V::subtract32(side, limit)));
    return {V::drop(V::greater32(limit, side), all), V::keep(V::both(close, V::greater32(limit, V::set32(0))), all)};
}

/// Products of 16-bit values, whose sums fit 32 bits.
struct FineAngle {
    V::Float product, ref_square, dis_square;
};
inline FineAngle fine_angle(Int ref, Int dis)
{
    return {V::to_float(V::multiply_pairs(ref, dis)), V::to_float(V::multiply_pairs(ref, ref)),
            V::to_float(V::multiply_pairs(dis, dis))};
}
__attribute__((noinline)) Int exact_fine_flags(Int ref, Int dis)
{
    const FineAngle angle = fine_angle(ref, dis);
    const Doubles product = to_doubles(angle.product), ref_square = to_doubles(angle.ref_square),
                  dis_square = to_doubles(angle.dis_square);
    const AngleSides low = angle_sides(product.low, ref_square.low, dis_square.low);
    const AngleSides high = angle_sides(product.high, ref_square.high, dis_square.high);
    return V::keep(V::not_less(low.product, high.product, low.limit, high.limit), V::set32(~0U));
}

/// The flags of kLanes16 columns, -1 or 0.
inline Int fine_flags(Int ref_h, Int ref_v, Int dis_h, Int dis_v)
{
    constexpr uint32_t kPlaces = 16; // the products of binary32 are rounded twice
    const Int ref[2] = {V::pairs_low16(ref_h, ref_v), V::pairs_high16(ref_h, ref_v)};
    const Int dis[2] = {V::pairs_low16(dis_h, dis_v), V::pairs_high16(dis_h, dis_v)};
    AngleGuess guess[2];
    for (unsigned i = 0; i < 2; ++i) {
        const FineAngle angle = fine_angle(ref[i], dis[i]);
        guess[i] = guess_angle(angle.product, angle.ref_square, angle.dis_square, kPlaces);
    }
    if (!V::is_zero(V::bit_or(guess[0].uncertain, guess[1].uncertain))) [[unlikely]]
        return V::pack_signed32(exact_fine_flags(ref[0], dis[0]), exact_fine_flags(ref[1], dis[1]));
    return V::pack_signed32(guess[0].flag, guess[1].flag);
}

struct AngleRows {
    const int32_t *oh, *ov, *th, *tv;
};

/// As the text has it. Any values: those behind a row mean nothing.
inline bool angle_flag(int64_t oh, int64_t ov, int64_t th, int64_t tv)
{
    const auto rounded_sum = [](int64_t a, int64_t b) {
        return static_cast<double>(
            static_cast<float>(static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b))));
    };
    const double fd = rounded_sum(oh * th, ov * tv);
    return fd >= 0 && fd * fd >= kCosSquared * rounded_sum(oh * oh, ov * ov) * rounded_sum(th * th, tv * tv);
}
__attribute__((noinline)) V::Mask exact_coarse_flags(const AngleRows &row, size_t x)
{
    alignas(64) int32_t flag[V::kLanes32];
    for (size_t i = 0; i < V::kLanes32; ++i)
        flag[i] = angle_flag(row.oh[x + i], row.ov[x + i], row.th[x + i], row.tv[x + i]) ? 1 : 0;
    return V::greater32(V::load32(flag), V::set32(0));
}

/// In binary32, of values rounded to it: the sides differ from those of the text by less than
/// 2^-19 of the limit. A wrong sign of a product that cancels does not matter: it is far below the
/// limit.
inline V::Mask coarse_flags(const AngleRows &row, size_t x)
{
    constexpr uint32_t kPlaces = 64;
    const V::Float oh = V::to_float(V::load32(row.oh + x)), ov = V::to_float(V::load32(row.ov + x));
    const V::Float th = V::to_float(V::load32(row.th + x)), tv = V::to_float(V::load32(row.tv + x));
    const AngleGuess guess = guess_angle(oh * th + ov * tv, oh * oh + ov * ov, th * th + tv * tv, kPlaces);
    if (!V::is_zero(guess.uncertain)) [[unlikely]]
        return exact_coarse_flags(row, x);
    return V::greater32(V::set32(0), guess.flag);
}

// ---- spec adm 3.3: the restored signal ----

/// The gain limit. Where it is a whole number, a value above `most` times it is above every target.
enum class Gain { none, whole, any };
inline Gain kind_of(double gain_limit)
{
    return gain_limit == 1                                                       ? Gain::none
           : gain_limit == static_cast<double>(static_cast<int32_t>(gain_limit)) ? Gain::whole
                                                                                 : Gain::any;
}
/// min(r * G, target) among doubles: without a limit a product is larger than an integer.
inline Int gained_in_doubles(Int r, Int positive, double gain_limit)
{
    const Doubles plain = to_doubles(r), most = to_doubles(positive);
    const V::Double limit = V::set_double(gain_limit);
    return V::truncated(V::min(plain.low * limit, most.low), V::min(plain.high * limit, most.high));
}

/// 2^30 / divisor, rounded down, for divisors from 1 to 2^15. The quotient in binary32 is taken a
/// little too small; what it leaves of 2^30 is below 2^16, and the quotient of that by the divisor
/// is half a divisor's part away from whole numbers, which binary32 tells.
inline Int reciprocal(Int divisor)
{
    const V::Float quotient = V::set_float(0x1p30F - 256) / V::to_float(divisor);
    const Int below = V::truncated(quotient);
    const Int rest = V::subtract32(V::set32(1U << 30), V::multiply_low32(below, divisor));
    const V::Float missing = (V::to_float(rest) + V::set_float(0.5F)) * (quotient * V::set_float(0x1p-30F));
    return V::add32(below, V::truncated(missing));
}

/// r of a register of 32-bit lanes at scale 0, as the text has it. A target above abs(o) gives
/// k = 32768, and rec * (abs(o) + 1) fits 32 bits.
inline Int restored_by_division(Int size, Int sign, Int positive, Int flag, double gain_limit)
{
    const Int half = V::set32(16384), one = V::set32(1), divisor = V::max32(size, one);
    const Int bounded = V::min32(positive, V::add32(divisor, one));
    const Int k = V::min32(V::shift_right32(V::add32(V::multiply_low32(reciprocal(divisor), bounded), half), 15),
                           V::set32(32768));
    const Int r = V::shift_right32(V::add32(V::multiply_low32(k, size), V::add32(half, sign)), 15);
    return V::select(V::greater32(V::set32(0), flag), gained_in_doubles(r, positive, gain_limit), r);
}

/// A gain limit in registers. Where it is whole, `most` times it is above every target.
struct FineGain {
    double limit;
    Int factor, most;

    explicit FineGain(double gain_limit)
        : limit(gain_limit), factor(V::set16(static_cast<int>(gain_limit))),
          most(V::set16(gain_limit < 32768 ? 32767 / static_cast<int>(gain_limit) : 0))
    {
    }
};

/// abs(r) of kLanes16 columns at scale 0. For abs(o) below 2^14, the quotient and the product of
/// the text give min(t', abs(o)) for every t' >= 0, the target with the sign of o taken out, and 0
/// below it (checked for all values). So a gain limit of 1 changes nothing.
template <Gain kGain> inline Int restored_fine(Int size, Int sign, Int dis, Int flag, const FineGain &gain)
{
    const Int zero = V::set16(0), positive = V::max16(with_sign16(dis, sign), zero);
    if constexpr (kGain == Gain::any) {
        const Int first = V::set_pair16(1, 0);
        const auto low = [&](Int v) { return V::multiply_pairs(V::pairs_low16(v, zero), first); };
        const auto high = [&](Int v) { return V::multiply_pairs(V::pairs_high16(v, zero), first); };
        return V::pack_signed32(restored_by_division(low(size), low(sign), low(positive), low(flag), gain.limit),
                                restored_by_division(high(size), high(sign), high(positive), high(flag), gain.limit));
    }
    const Int r = V::min16(positive, size);
    if constexpr (kGain == Gain::none)
        return r;
    const Int gained = V::multiply_low16(V::min16(r, gain.most), gain.factor);
    return V::max16(r, V::bit_and(flag, V::min16(gained, positive)));
}

/// (a * b + rounding) >> 15 of an unsigned a and a b of at most 2^15; the result fits 32 bits.
inline Int multiply_ratio(Int a, Int b, Int rounding)
{
    const Int upper = V::shift_right32(a, 15), lower = V::bit_and(a, V::set32(32767));
    return V::add32(V::multiply_low32(upper, b), V::shift_right32(V::add32(V::multiply_low32(lower, b), rounding), 15));
}

struct CoarseGain {
    double limit;
    Int factor, most;

    explicit CoarseGain(double gain_limit)
        : limit(gain_limit), factor(V::set32(static_cast<uint32_t>(gain_limit))),
          most(V::set32(0x7fffffff / static_cast<uint32_t>(gain_limit)))
    {
    }
};

/// Restores a value whose |o| is shifted right by q to 15 bits. r has the sign of o taken out, as
/// `target`: then both cases of the text are one minimum, and r is not negative. A target of 0 or
/// less gives k = 0 and r = 0. The text rounds (k*o + 16384) >> 15 down: with the sign taken out
/// that adds one less where o is negative, and `sign` is -1.
///
/// All in 32 bits: a target of (m + 1) << q or more gives k = 32768, and what is below is
/// 2^q * T1 + T0, for which floor((rec * T1 + floor(rec * T0 / 2^q) + 2^14) / 2^15) is k.
template <Gain kGain> inline Int restored_coarse(Int size, Int sign, Int target, V::Mask flag, const CoarseGain &gain)
{
    const Int one = V::set32(1), divisor = V::max32(size, one);
    const Int exponent = V::shift_right32(V::upper_float_bits(divisor), 23);
    const Int q = V::max32(V::subtract32(exponent, V::set32(127 + 14)), V::set32(0));
    const Int half_unit = V::shift_right32(V::shift_left32_by(one, q), 1);
    const Int m = V::shift_right32_by(V::add32(divisor, half_unit), q), rec = reciprocal(m);
    const Int positive = V::max32(target, V::set32(0));
    const Int bounded = V::min32(positive, V::shift_left32_by(V::add32(m, one), q));
    const Int upper = V::shift_right32_by(bounded, q), lower = V::subtract32(bounded, V::shift_left32_by(upper, q));
    const Int quotient = V::add32(V::add32(V::multiply_low32(rec, upper), V::set32(16384)),
                                  V::shift_right32_by(V::multiply_low32(rec, lower), q));
    const Int k = V::min32(V::shift_right32(quotient, 15), V::set32(32768));
    const Int r = multiply_ratio(size, k, V::add32(V::set32(16384), sign));
    Int gained;
    if constexpr (kGain == Gain::none) {
        gained = V::min32(r, positive);
    } else if constexpr (kGain == Gain::whole) {
        gained = V::min32(V::multiply_low32(V::min32(r, gain.most), gain.factor), positive);
    } else {
        gained = gained_in_doubles(r, positive, gain.limit);
    }
    return V::select(flag, gained, r);
}

// ---- spec adm 3.5 ----

/// Sums over the bands of a masking signal.
struct MaskSums {
    Int neighbour, centre;
};

/// Sums over the bands at scale 0, of abs(x) and of what n and z have in addition: n is abs(x) +
/// (2184 * abs(x) + 2^14 >> 15), z is twice abs(x) + (4368 * abs(x) + 2^14 >> 15).
struct FineMaskSums {
    Int x, more_n, more_z;

    void add(Int size)
    {
        x = V::add16(x, size);
        more_n = V::add16(more_n, V::multiply_rounded16(size, V::set16(2184)));
        more_z = V::add16(more_z, V::multiply_rounded16(size, V::set16(4368)));
    }
    Int neighbour() const { return V::add16(x, more_n); }
    Int centre() const { return V::subtract16(V::add16(x, more_z), more_n); }
};

/// abs(x). In H and V, (W*y + 2^14) >> 15 is y + (((W - 2^15)*y + 2^14) >> 15). In D, it is the
/// upper half of W*abs(y), one more where the product or what the sign makes of it is above it,
/// halved.
template <AdmBand kBand> inline Int fine_mask(Int weight, Int y, Int size)
{
    if constexpr (kBand != kAdmD)
        return V::abs16(V::add16(y, V::multiply_rounded16(y, weight)));
    const Int more =
        V::min_u16(V::bit_or(V::multiply_low16(size, weight), V::shift_right_signed16(y, 15)), V::set16(1));
    return V::shift_right16(V::add16(V::multiply_high16(size, weight), more), 1);
}
/// What it multiplies with.
inline Int fine_weight(const uint32_t *weight, unsigned band)
{
    return V::set16(static_cast<int>(weight[band]) - (band == kAdmD ? 0 : 32768));
}

/// The products are of unsigned numbers: that of a negative one is 2^32 times the weight too large.
/// n and z are 1 too large (-2^31 and +2^31 differ by 2^32): the sums begin with that taken off.
inline void mask_coarse(uint32_t weight, Int y, size_t at, uint32_t *strength, MaskSums &sums)
{
    const Int factor = V::set32(weight), half = V::set64(uint64_t{1} << 27);
    const Int even = V::shift_right64(V::add64(V::multiply_even32(y, factor), half), 28);
    const Int odd = V::shift_left64(V::add64(V::multiply_even32(V::odd_to_even32(y), factor), half), 4);
    const Int excess = V::bit_and(V::shift_right_signed32(y, 31), V::set32(weight << 4));
    const Int size = V::abs32(V::subtract32(V::even_and_odd32(even, odd), excess));
    V::store32(reinterpret_cast<int32_t *>(strength) + at, size);
    const Int odd_size = V::odd_to_even32(size), kn = V::set32(143165577), kz = V::set32(286331153);
    const Int n = V::multiply_rounded_high32(size, kn, odd_size, kn);
    const Int z = V::multiply_rounded_high32(size, kz, odd_size, kz);
    sums.neighbour = V::add32(sums.neighbour, n);
    sums.centre = V::add32(sums.centre, V::subtract32(z, n));
}

// ---- decoupling at scale 0 ----

/// As the text has it, of any 16-bit values.
inline int32_t exact_restored(int32_t o, int32_t t, bool flag, double gain_limit)
{
    if (o == 0)
        return 0;
    const int64_t size = o < 0 ? -o : o, target = o < 0 ? -t : t;
    const int64_t ratio = ((int64_t{1} << 30) / size * target + 16384) >> 15;
    const int64_t k = ratio < 0 ? 0 : ratio > 32768 ? 32768 : ratio;
    const int64_t r = (k * o + 16384) >> 15;
    if (!flag || k == 0)
        return static_cast<int32_t>(r);
    const double gained = static_cast<double>(r) * gain_limit, limit = t;
    return static_cast<int32_t>(o > 0 ? (gained < limit ? gained : limit) : (gained > limit ? gained : limit));
}
inline void exact_mask(uint32_t weight, AdmBand band, int64_t y, uint32_t &neighbour, uint32_t &centre)
{
    const int64_t product = weight * y;
    const auto x = static_cast<int16_t>(band == kAdmD ? (product + 65535) >> 17 : (product + 16384) >> 15);
    const int32_t size = x < 0 ? -x : x;
    const int32_t n = static_cast<int16_t>((4369 * size + 2048) >> 12), z = (8738 * size + 2048) >> 12;
    neighbour += static_cast<uint32_t>(n);
    centre += static_cast<uint32_t>(z - n);
}
void decouple_exactly(const AdmFineDecoupling &row, AdmSpan span)
{
    for (size_t i = span.begin; i < span.end; ++i) {
        const bool flag = angle_flag(row.ref[kAdmH][i], row.ref[kAdmV][i], row.dis[kAdmH][i], row.dis[kAdmV][i]);
        const AdmSignalRow<uint16_t> *const signal[2] = {&row.restored, &row.additive};
        uint32_t neighbour[2] = {0, 0}, centre[2] = {0, 0};
        for (unsigned band = 0; band < kAdmBands; ++band) {
            const int32_t t = row.dis[band][i], r = exact_restored(row.ref[band][i], t, flag, row.gain_limit);
            const int32_t y[2] = {r, t - r};
            for (unsigned of = 0; of < 2; ++of) {
                signal[of]->strength[band][i] = static_cast<uint16_t>(y[of] < 0 ? -y[of] : y[of]);
                exact_mask(row.weight[band], static_cast<AdmBand>(band), y[of], neighbour[of], centre[of]);
            }
        }
        for (unsigned of = 0; of < 2; ++of) {
            signal[of]->neighbour[i] = static_cast<int32_t>(neighbour[of]);
            signal[of]->centre[i] = static_cast<int32_t>(centre[of]);
        }
    }
}

inline void store_size(uint16_t *to, Int size)
{
    V::store16(reinterpret_cast<int16_t *>(to), size);
}

/// A number as a type.
template <AdmBand kBand> struct BandNumber {
};

struct FineConstants {
    FineGain gain;
    Int weight[kAdmBands];

    explicit FineConstants(const AdmFineDecoupling &row)
        : gain(row.gain_limit), weight{fine_weight(row.weight, kAdmH), fine_weight(row.weight, kAdmV),
                                       fine_weight(row.weight, kAdmD)}
    {
    }
};

template <Gain kGain>
inline __attribute__((always_inline)) void decouple_columns(const AdmFineDecoupling &row, const FineConstants &with,
                                                            size_t at)
{
    const Int zero = V::set16(0);
    Int ref[kAdmBands], dis[kAdmBands], sign[kAdmBands], size[kAdmBands];
#pragma GCC unroll 3
    for (unsigned band = 0; band < kAdmBands; ++band) {
        ref[band] = V::load16(row.ref[band] + at);
        dis[band] = V::load16(row.dis[band] + at);
        sign[band] = V::shift_right_signed16(ref[band], 15);
        size[band] = V::abs16(ref[band]);
    }
    const Int flag = kGain == Gain::none ? zero : fine_flags(ref[kAdmH], ref[kAdmV], dis[kAdmH], dis[kAdmV]);
    FineMaskSums restored{zero, zero, zero}, additive = restored;
    const auto add_band = [&]<AdmBand kBand>(BandNumber<kBand>) __attribute__((always_inline))
    {
        const Int r_size = restored_fine<kGain>(size[kBand], sign[kBand], dis[kBand], flag, with.gain);
        const Int r = with_sign16(r_size, sign[kBand]), a = V::subtract16(dis[kBand], r), a_size = V::abs16(a);
        store_size(row.restored.strength[kBand] + at, r_size);
        store_size(row.additive.strength[kBand] + at, a_size);
        restored.add(fine_mask<kBand>(with.weight[kBand], r, r_size));
        additive.add(fine_mask<kBand>(with.weight[kBand], a, a_size));
    };
    add_band(BandNumber<kAdmH>());
    add_band(BandNumber<kAdmV>());
    add_band(BandNumber<kAdmD>());
    V::store_widened(row.restored.neighbour + at, restored.neighbour());
    V::store_widened(row.restored.centre + at, restored.centre());
    V::store_widened(row.additive.neighbour + at, additive.neighbour());
    V::store_widened(row.additive.centre + at, additive.centre());
}
__attribute__((noinline)) void decouple_large(const AdmFineDecoupling &row, size_t at)
{
    decouple_columns<Gain::any>(row, FineConstants(row), at);
}

template <Gain kGain> void decouple_fine(const AdmFineDecoupling &all, AdmSpan span)
{
    const AdmFineDecoupling row = all; // which nothing that is stored may change
    const FineConstants constants(all);
    const Int large = V::set16(0x4000);
    for (size_t at = span.begin; at < span.end; at += V::kLanes16) {
        const Int sizes =
            V::bit_or(V::bit_or(V::abs16(V::load16(row.ref[kAdmH] + at)), V::abs16(V::load16(row.ref[kAdmV] + at))),
                      V::abs16(V::load16(row.ref[kAdmD] + at)));
        if (kGain != Gain::any && !V::is_zero(V::bit_and(sizes, large))) [[unlikely]]
            decouple_large(all, at);
        else
            decouple_columns<kGain>(row, constants, at);
    }
}

/// The weights of spec adm 3.4 but for Barten's: n fits 16 bits with its sign, a sum of three
/// without.
inline bool sums_fit(const uint32_t *weight)
{
    return weight[kAdmH] <= 36453 && weight[kAdmV] <= 36453 && weight[kAdmD] <= 49417;
}

void decouple_fine(const AdmFineDecoupling &row, AdmSpan span)
{
    const Gain gain = kind_of(row.gain_limit);
    (!sums_fit(row.weight) ? decouple_exactly
     : gain == Gain::none  ? decouple_fine<Gain::none>
     : gain == Gain::whole ? decouple_fine<Gain::whole>
                           : decouple_fine<Gain::any>)(row, span);
}

// ---- decoupling at the other scales ----

template <Gain kGain> void restore(const AdmCoarseDecoupling &row, AdmSpan span)
{
    const int32_t *const flags = row.flag;
    const CoarseGain gain(row.gain_limit);
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const int32_t *const ref = row.ref[band], *const dis = row.dis[band];
        int32_t *const restored = row.r[band];
        for (size_t x = span.begin; x < span.end; x += V::kLanes32) {
            const Int o = V::load32(ref + x), t = V::load32(dis + x);
            const V::Mask flag = V::load_mask(flags + x);
            const Int sign = V::shift_right_signed32(o, 31);
            const Int r = restored_coarse<kGain>(V::abs32(o), sign, with_sign(t, sign), flag, gain);
            V::store32(restored + x, with_sign(r, sign));
        }
    }
}

inline __attribute__((always_inline)) void mask_band(const AdmCoarseDecoupling &row, AdmBand band, size_t x,
                                                     MaskSums &restored, MaskSums &additive)
{
    const Int r = V::load32(row.r[band] + x), a = V::subtract32(V::load32(row.dis[band] + x), r);
    mask_coarse(row.weight[band], r, x, row.restored.strength[band], restored);
    mask_coarse(row.weight[band], a, x, row.additive.strength[band], additive);
}

/// In several loops: in one, the chain from the flag to the masks is too long for a processor to
/// work on several at a time.
void decouple_coarse(const AdmCoarseDecoupling &row, AdmSpan span)
{
    const AngleRows angle{row.ref[kAdmH], row.ref[kAdmV], row.dis[kAdmH], row.dis[kAdmV]};
    for (size_t x = span.begin; x < span.end; x += V::kLanes32)
        V::store_mask(row.flag + x, coarse_flags(angle, x));
    const Gain gain = kind_of(row.gain_limit);
    (gain == Gain::none    ? restore<Gain::none>
     : gain == Gain::whole ? restore<Gain::whole>
                           : restore<Gain::any>)(row, span);
    for (size_t x = span.begin; x < span.end; x += V::kLanes32) {
        MaskSums restored{V::set32(0U - kAdmBands), V::set32(0)}, additive = restored;
        mask_band(row, kAdmH, x, restored, additive);
        mask_band(row, kAdmV, x, restored, additive);
        mask_band(row, kAdmD, x, restored, additive);
        V::store32(row.restored.neighbour + x, restored.neighbour);
        V::store32(row.restored.centre + x, restored.centre);
        V::store32(row.additive.neighbour + x, additive.neighbour);
        V::store32(row.additive.centre + x, additive.centre);
    }
}

// ---- spec adm 3.6 and 3.7 ----

/// Half a unit of a right shift; nothing for a shift by 0 (spec adm 4).
inline uint64_t half_unit(unsigned shift)
{
    return shift == 0 ? 0 : uint64_t{1} << (shift - 1);
}

/// The value that is added before a shift, and the shift.
struct Rounding {
    Int offset;
    unsigned shift;
};
inline Rounding rounding(uint64_t offset, unsigned shift)
{
    return {V::set64(offset), shift};
}
inline Int rounded(Int v, const Rounding &by)
{
    return V::shift_right64(V::add64(v, by.offset), by.shift);
}

/// Adds the cubes of unsigned lanes to sums of 64 bits. Of a square, 32 bits are kept.
inline Int add_cubes(Int sums, Int v, const Rounding &square, const Rounding &cube)
{
    const Int odd = V::odd_to_even32(v);
    const Int even_cube = V::multiply_even32(rounded(V::multiply_even32(v, v), square), v);
    const Int odd_cube = V::multiply_even32(rounded(V::multiply_even32(odd, odd), square), odd);
    return V::add64(sums, V::add64(rounded(even_cube, cube), rounded(odd_cube, cube)));
}

constexpr size_t kMostLanes = 16;
alignas(64) constexpr int32_t kLaneNumbers[kMostLanes] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

/// The lanes from column x on that lie before the end.
inline V::Mask lanes_before(size_t end, size_t x)
{
    return V::greater32(V::set32(static_cast<uint32_t>(end - x)), V::load32(kLaneNumbers));
}

inline Int load_strength(const uint16_t *size, uint32_t weight)
{
    return V::multiply_low32(V::load_widened(size), V::set32(weight));
}
inline Int load_strength(const uint32_t *strength, uint32_t)
{
    return V::load32(reinterpret_cast<const int32_t *>(strength));
}

/// The 3x3 mask is summed by column first.
template <class Strength> void masked_cubes(const AdmMasking<Strength> &row, AdmSpan span, uint64_t (&sums)[kAdmBands])
{
    constexpr bool kCoarse = sizeof(Strength) == sizeof(uint32_t);
    int32_t *const columns = row.column_sums;
    for (ptrdiff_t x = static_cast<ptrdiff_t>(span.begin) - 1; x <= static_cast<ptrdiff_t>(span.end); x += V::kLanes32)
        V::store32(columns + x, V::add32(V::add32(V::load32(row.neighbour[0] + x), V::load32(row.neighbour[1] + x)),
                                         V::load32(row.neighbour[2] + x)));

    constexpr unsigned kThresholdShift[kAdmBands] = {kCoarse ? 0 : 10, kCoarse ? 0 : 10, kCoarse ? 0 : 12};
    constexpr unsigned kSquareShift[kAdmBands] = {kCoarse ? 30 : 29, kCoarse ? 30 : 29, 30};
    const Rounding cube[kAdmBands] = {rounding(half_unit(row.cube_shift[0]), row.cube_shift[0]),
                                      rounding(half_unit(row.cube_shift[1]), row.cube_shift[1]),
                                      rounding(half_unit(row.cube_shift[2]), row.cube_shift[2])};
    Int total[kAdmBands] = {V::set32(0), V::set32(0), V::set32(0)};
    const auto add = [&](size_t x, auto kept) __attribute__((always_inline))
    {
        const int32_t *at = columns + x;
        const Int threshold = V::add32(V::add32(V::load32(at - 1), V::load32(at)),
                                       V::add32(V::load32(at + 1), V::load32(row.centre + x)));
        Int v[kAdmBands], any = V::set32(0);
#pragma GCC unroll 3
        for (unsigned band = 0; band < kAdmBands; ++band) {
            const Int strength = load_strength(row.strength[band] + x, row.weight[band]);
            const Int excess = V::subtract32(strength, V::shift_left32(threshold, kThresholdShift[band]));
            v[band] = kept(V::max32(excess, V::set32(0)));
            any = V::bit_or(any, v[band]);
        }
        if (V::is_zero(any)) // usual where the signal is the weaker one
            return;
#pragma GCC unroll 3
        for (unsigned band = 0; band < kAdmBands; ++band)
            total[band] = add_cubes(total[band], v[band], rounding(half_unit(kSquareShift[band]), kSquareShift[band]),
                                    cube[band]);
    };
    size_t x = span.begin;
    for (; x + V::kLanes32 <= span.end; x += V::kLanes32)
        add(x, [](Int v) { return v; });
    const V::Mask inside = lanes_before(span.end, x);
    add(x, [&](Int v) { return V::keep(inside, v); });
    for (unsigned band = 0; band < kAdmBands; ++band)
        sums[band] = total_of_64bit(total[band]);
}

/// Squares in parts of 15 bits, whose products with the value are added by pairs.
uint64_t den_cubes_fine(const int16_t *ref, AdmSpan span)
{
    const Int low_bits = V::set16(0x7fff);
    Int total[2] = {V::set32(0), V::set32(0)};
    const auto add = [&](Int size) __attribute__((always_inline))
    {
        const Int low = V::multiply_low16(size, size), high = V::multiply_high16(size, size);
        const Int upper = V::add16(V::add16(high, high), V::shift_right16(low, 15));
        total[0] = V::add_widened32(total[0], V::multiply_pairs(size, V::bit_and(low, low_bits)));
        total[1] = V::add_widened32(total[1], V::multiply_pairs(size, upper));
    };
    size_t x = span.begin;
    for (; x + V::kLanes16 <= span.end; x += V::kLanes16)
        add(V::abs16(V::load16(ref + x)));
    alignas(64) int16_t rest[V::kLanes16] = {};
    for (size_t i = 0; x + i < span.end; ++i)
        rest[i] = ref[x + i];
    add(V::abs16(V::load16(rest)));
    return total_of_64bit(total[0]) + (total_of_64bit(total[1]) << 15);
}

uint64_t den_cubes_coarse(const int32_t *ref, unsigned square_shift, unsigned cube_shift, AdmSpan span)
{
    const Rounding square = rounding(uint64_t{1} << square_shift, square_shift),
                   cube = rounding(half_unit(cube_shift), cube_shift);
    Int total = V::set32(0);
    for (size_t x = span.begin; x < span.end; x += V::kLanes32)
        total = add_cubes(total, V::keep(lanes_before(span.end, x), V::abs32(V::load32(ref + x))), square, cube);
    return total_of_64bit(total);
}

} // namespace

extern const AdmLoops kAdmLoops = {
    {filter_rows<FromU8, false>, filter_rows<FromU16, false>, filter_rows<FromI16, true>,
     filter_rows<FromHalves, true>},
    {filter_rows_twice<FromU8, false>, filter_rows_twice<FromU16, false>, filter_rows_twice<FromI16, true>,
     filter_rows_twice<FromHalves, true>},
    {filter_line<false, To::i16>, filter_line<true, To::halves>, filter_line<true, To::i32>},
    decouple_fine,
    decouple_coarse,
    masked_cubes<uint16_t>,
    masked_cubes<uint32_t>,
    den_cubes_fine,
    den_cubes_coarse,
};

} // namespace vmaf::VMAF_CPU_TARGET
