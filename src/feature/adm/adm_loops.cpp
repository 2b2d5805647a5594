#include "feature/adm/adm_loops.h"

#include "base/vectors.h"

// Where doubles stand for integers, every value is an integer or a dyadic fraction below 2^53.

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

/// What a filter of rows reads: kLanes16 columns, or one.
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

/// The filter's sums of kLanes16 columns, in the order of pairs_low16 and pairs_high16.
template <class From>
inline void column_sums(const typename From::Sample *const (&rows)[4], ptrdiff_t x, const Int (&taps)[2], Int start,
                        Int most, Int bias, Int (&sums)[2])
{
    sums[0] = sums[1] = start;
    for (size_t pair = 0; pair < 2; ++pair) {
        const Int first = From::load(rows[2 * pair] + x, most, bias),
                  second = From::load(rows[2 * pair + 1] + x, most, bias);
        sums[0] = V::add_pair_products(sums[0], V::pairs_low16(first, second), taps[pair]);
        sums[1] = V::add_pair_products(sums[1], V::pairs_high16(first, second), taps[pair]);
    }
}

template <class From, bool kToHalves>
void filter_rows(const void *const rows[4], const AdmFilter &filter, AdmSpan span, int16_t *__restrict__ line)
{
    using Sample = typename From::Sample;
    constexpr bool kFromHalves = __is_same(From, FromHalves);
    const Sample *const row[4] = {static_cast<const Sample *>(rows[0]), static_cast<const Sample *>(rows[1]),
                                  static_cast<const Sample *>(rows[2]), static_cast<const Sample *>(rows[3])};
    const Int taps[2] = {pair_of_taps(filter.taps), pair_of_taps(filter.taps + 2)};
    const bool biased = filter.max_sample == 65535 && __is_same(From, FromU16);
    const Int bias = V::set16(biased ? kBias : 0), most = V::set16(filter.max_sample), low_bias = V::set16(kBias);
    const uint32_t offset = static_cast<uint32_t>(filter.offset);
    const HalvesStart halves = halves_start(filter);
    const Int start = V::set32(kFromHalves ? halves.high : biased ? offset + sum_of_taps(filter.taps) * kBias : offset);
    const unsigned shift = filter.shift;
    const ptrdiff_t from_low = filter.from_low, to_low = filter.to_low;
    const bool done = for_registers(
        span.begin, span.end, V::kLanes16, [&](ptrdiff_t x) __attribute__((always_inline)) {
            Int sums[2];
            column_sums<From>(row, x, taps, start, most, bias, sums);
            if constexpr (kFromHalves) {
                Int lower[2];
                column_sums<From>(row, x + from_low, taps, V::set32(halves.low), most, bias, lower);
                sums[0] = join_sums(sums[0], lower[0], shift);
                sums[1] = join_sums(sums[1], lower[1], shift);
            }
            if constexpr (kToHalves) {
                Int low, high;
                V::split_halves(sums[0], sums[1], low, high);
                V::store16(line + x, high);
                V::store16(line + x + to_low, V::bit_xor(low, low_bias));
            } else {
                V::store16(line + x, V::pack_signed32(V::shift_right_signed32(sums[0], shift),
                                                      V::shift_right_signed32(sums[1], shift)));
            }
        });
    for (size_t x = span.begin; x < span.end && !done; ++x) {
        int64_t sum = filter.offset;
        for (size_t k = 0; k < 4; ++k)
            sum += From::value(row[k] + x, filter) * filter.taps[k];
        const int32_t value = static_cast<int32_t>(sum >> shift);
        line[x] = kToHalves ? high_half(value) : static_cast<int16_t>(value);
        if constexpr (kToHalves)
            line[static_cast<ptrdiff_t>(x) + to_low] = low_half(value);
    }
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
    const bool done = for_registers(
        span.begin, span.end, V::kLanes32, [&](ptrdiff_t x) __attribute__((always_inline)) {
            Int value = row_sums(line, x, taps, start);
            if constexpr (kFromHalves)
                value = join_sums(value, row_sums(line + from_low, x, taps, V::set32(halves.low)), shift);
            if constexpr (kTo == To::halves) {
                store_half(half + x, V::shift_right32(value, 16));
                store_half(half + x + to_low, V::bit_and(V::bit_xor(value, V::set32(kBias)), V::set32(0xffff)));
            } else if constexpr (kTo == To::i16) {
                store_half(half + x, V::bit_and(V::shift_right32(value, shift), V::set32(0xffff)));
            } else {
                V::store32(wide + x, kFromHalves ? value : V::shift_right_signed32(value, shift));
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

// ---- spec adm 3.3 ----

/// x, negated where `sign` is -1 instead of 0.
inline Int with_sign(Int x, Int sign)
{
    return V::subtract32(V::bit_xor(x, sign), sign);
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

struct AngleRows {
    const int32_t *oh, *ov, *th, *tv;
};

/// Products of 16-bit values, whose sums fit 32 bits.
inline V::Mask angle_flags_fine(const AngleRows &row, size_t x)
{
    const Int ref = V::pair_low_halves(V::load32(row.oh + x), V::load32(row.ov + x));
    const Int dis = V::pair_low_halves(V::load32(row.th + x), V::load32(row.tv + x));
    const Doubles product = to_doubles(V::to_float(V::multiply_pairs(ref, dis)));
    const Doubles ref_square = to_doubles(V::to_float(V::multiply_pairs(ref, ref)));
    const Doubles dis_square = to_doubles(V::to_float(V::multiply_pairs(dis, dis)));
    const AngleSides low = angle_sides(product.low, ref_square.low, dis_square.low);
    const AngleSides high = angle_sides(product.high, ref_square.high, dis_square.high);
    return V::not_less(low.product, high.product, low.limit, high.limit);
}

/// As the text has it, where the sums need 64 bits. Any values: those behind a row mean nothing.
__attribute__((noinline)) V::Mask angle_flags_exact(const AngleRows &row, size_t x)
{
    alignas(64) int32_t flag[V::kLanes32];
    for (size_t i = 0; i < V::kLanes32; ++i) {
        const int64_t oh = row.oh[x + i], ov = row.ov[x + i], th = row.th[x + i], tv = row.tv[x + i];
        const auto rounded_sum = [](int64_t a, int64_t b) {
            return static_cast<double>(
                static_cast<float>(static_cast<int64_t>(static_cast<uint64_t>(a) + static_cast<uint64_t>(b))));
        };
        const double fd = rounded_sum(oh * th, ov * tv);
        flag[i] =
            fd >= 0 && fd * fd >= kCosSquared * rounded_sum(oh * oh, ov * ov) * rounded_sum(th * th, tv * tv) ? 1 : 0;
    }
    return V::greater32(V::load32(flag), V::set32(0));
}

/// The sums in binary64, not rounded to floats: where the sides come close to each other, that
/// moves each by less than 2^-22 of it. So this decides where they are 2^-20 apart, which is next
/// to everywhere, and where both are 0. A wrong sign of a product that cancels does not matter: it
/// is far below the limit.
inline V::Mask angle_flags_coarse(const AngleRows &row, size_t x)
{
    const Doubles oh = to_doubles(V::load32(row.oh + x)), ov = to_doubles(V::load32(row.ov + x));
    const Doubles th = to_doubles(V::load32(row.th + x)), tv = to_doubles(V::load32(row.tv + x));
    const AngleSides low = angle_sides(oh.low * th.low + ov.low * tv.low, oh.low * oh.low + ov.low * ov.low,
                                       th.low * th.low + tv.low * tv.low);
    const AngleSides high = angle_sides(oh.high * th.high + ov.high * tv.high, oh.high * oh.high + ov.high * ov.high,
                                        th.high * th.high + tv.high * tv.high);
    const auto apart = [](const AngleSides &sides) {
        return V::max(sides.product - sides.limit, sides.limit - sides.product);
    };
    const V::Double margin = V::set_double(0x1p-20);
    if (!V::all(V::not_less(apart(low), apart(high), margin * low.limit, margin * high.limit))) [[unlikely]]
        return angle_flags_exact(row, x);
    return V::not_less(low.product, high.product, low.limit, high.limit);
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

/// r with the sign of o taken out, as in `target`: then both cases of the text are one minimum, and
/// r is not negative. A target of 0 or less gives k = 0 and r = 0; so does o = 0, whatever k is.
/// The text rounds (k*o + 16384) >> 15 down: with the sign taken out that adds one less where o is
/// negative, and `sign` is -1.
///
/// A target above abs(o) gives k = 32768, and rec * (abs(o) + 1) fits 32 bits.
template <bool kWholeLimit> inline Int restored_fine(Int size, Int sign, Int target, V::Mask flag, double gain_limit)
{
    const Int half = V::set32(16384);
    const Int divisor = V::max32(size, V::set32(1)), positive = V::max32(target, V::set32(0));
    const Int rec = reciprocal(divisor);
    const Int bounded = V::min32(positive, V::add32(divisor, V::set32(1)));
    const Int k = V::min32(V::shift_right32(V::add32(V::multiply_low32(rec, bounded), half), 15), V::set32(32768));
    const Int r = V::shift_right32(V::add32(V::multiply_low32(k, size), V::add32(half, sign)), 15);
    Int gained;
    if constexpr (kWholeLimit) {
        gained = V::multiply_low32(r, V::set32(static_cast<uint32_t>(gain_limit)));
    } else {
        // Among doubles: without a limit a product is larger than an integer.
        const Doubles plain = to_doubles(r), most = to_doubles(positive);
        const V::Double limit = V::set_double(gain_limit);
        gained = V::truncated(V::min(plain.low * limit, most.low), V::min(plain.high * limit, most.high));
    }
    return V::select(flag, V::min32(gained, positive), r);
}

struct Restored {
    V::Double plain, gained;
};
inline Restored restored_half(V::Double size, V::Double unit, V::Double positive, V::Double rounding,
                              V::Double gain_limit)
{
    const V::Double m = V::whole(size * unit + V::set_double(0.5));
    const V::Double rec = V::whole(V::set_double(0x1p30) / m);
    // A product above 2^53 is rounded, but then the minimum decides, and rounding does not cross
    // it.
    const V::Double k =
        V::whole(V::min(rec * positive * (unit * V::set_double(0x1p-15)) + V::set_double(0.5), V::set_double(32768)));
    const V::Double r = V::whole((k * size + rounding) * V::set_double(0x1p-15));
    return {r, V::min(r * gain_limit, positive)};
}

/// Restores a value whose |o| is normalised to 15 bits, by a power of two from its exponent.
inline Int restored_coarse(Int size, Int sign, Int target, V::Mask flag, double gain_limit)
{
    const V::Double limit = V::set_double(gain_limit);
    constexpr uint32_t kExponent0 = 127U << 23, kExponent14 = kExponent0 + (14U << 23);
    const Int divisor = V::max32(size, V::set32(1));
    const Int exponent = V::bit_and(V::upper_float_bits(divisor), V::set32(0x7f800000));
    const Int unit_bits = V::subtract32(V::set32(kExponent0 + kExponent14), V::max32(exponent, V::set32(kExponent14)));
    const Doubles o = to_doubles(divisor), unit = to_doubles(V::as_float(unit_bits)),
                  positive = to_doubles(V::max32(target, V::set32(0))),
                  rounding = to_doubles(V::add32(V::set32(16384), sign));
    const Restored low = restored_half(o.low, unit.low, positive.low, rounding.low, limit);
    const Restored high = restored_half(o.high, unit.high, positive.high, rounding.high, limit);
    const Int r = V::select(flag, V::truncated(low.gained, high.gained), V::truncated(low.plain, high.plain));
    return V::keep(V::greater32(size, V::set32(0)), r);
}

// ---- spec adm 3.5 ----

/// Sums over the bands of a masking signal.
struct MaskSums {
    Int neighbour, centre;
};

/// (4369 * x + 2048) >> 12 and (8738 * x + 2048) >> 12 are bits of one product. Only the numbers of
/// H and V can need all 16 bits, and more.
template <AdmBand kBand> inline void mask_fine(uint32_t weight, Int y, size_t at, uint32_t *strength, MaskSums &sums)
{
    const Int product = V::multiply_low32(V::set32(weight), y);
    V::store32(reinterpret_cast<int32_t *>(strength) + at, V::abs32(product));
    const Int x = kBand == kAdmD ? V::shift_right_signed32(V::add32(product, V::set32(65535)), 17)
                                 : V::shift_right_signed32(V::shift_left32(V::add32(product, V::set32(16384)), 1), 16);
    const Int scaled = V::abs32(V::multiply_small32(x, V::set32(4369)));
    const Int rounded = V::add32(scaled, V::set32(2048));
    const Int n =
        kBand == kAdmD ? V::shift_right32(rounded, 12) : V::shift_right_signed32(V::shift_left32(rounded, 4), 16);
    const Int z = V::shift_right32(V::add32(scaled, V::set32(1024)), 11);
    sums.neighbour = V::add32(sums.neighbour, n);
    sums.centre = V::add32(sums.centre, V::subtract32(z, n));
}

/// The products are of unsigned numbers: that of a negative one is 2^32 times the weight too large.
/// n and z are 1 too large (-2^31 and +2^31 differ by 2^32): the sums begin with that taken off.
template <AdmBand> inline void mask_coarse(uint32_t weight, Int y, size_t at, uint32_t *strength, MaskSums &sums)
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

template <bool kCoarse> void angle_flags(const AdmDecoupling &row, AdmSpan span)
{
    const AngleRows angle{row.ref[kAdmH], row.ref[kAdmV], row.dis[kAdmH], row.dis[kAdmV]};
    for (size_t x = span.begin; x < span.end; x += V::kLanes32)
        V::store_mask(row.flag + x, kCoarse ? angle_flags_coarse(angle, x) : angle_flags_fine(angle, x));
}

template <class Restored> inline void restore(const AdmDecoupling &row, AdmSpan span, Restored restored)
{
    for (unsigned band = 0; band < kAdmBands; ++band) {
        const int32_t *__restrict__ ref = row.ref[band], *__restrict__ dis = row.dis[band];
        for (size_t x = span.begin; x < span.end; x += V::kLanes32) {
            const Int o = V::load32(ref + x), t = V::load32(dis + x);
            const V::Mask flag = V::load_mask(row.flag + x);
            const Int sign = V::shift_right_signed32(o, 31);
            const Int r = restored(V::abs32(o), sign, with_sign(t, sign), flag, row.gain_limit);
            V::store32(row.r[band] + x, with_sign(r, sign));
        }
    }
}

template <bool kCoarse> void restore(const AdmDecoupling &row, AdmSpan span)
{
    if constexpr (kCoarse)
        restore(row, span, restored_coarse);
    else if (row.gain_limit == static_cast<double>(static_cast<int32_t>(row.gain_limit)))
        restore(row, span, restored_fine<true>);
    else
        restore(row, span, restored_fine<false>);
}

template <bool kCoarse, AdmBand kBand>
inline __attribute__((always_inline)) void mask_band(const AdmDecoupling &row, size_t x, MaskSums &restored,
                                                     MaskSums &additive)
{
    const Int r = V::load32(row.r[kBand] + x), a = V::subtract32(V::load32(row.dis[kBand] + x), r);
    constexpr auto kMask = kCoarse ? mask_coarse<kBand> : mask_fine<kBand>;
    kMask(row.weight[kBand], r, x, row.restored.strength[kBand], restored);
    kMask(row.weight[kBand], a, x, row.additive.strength[kBand], additive);
}

/// In several loops: in one, the chain from the flag to the masks is too long for a processor to
/// work on several at a time.
template <bool kCoarse> void decouple(const AdmDecoupling &row, AdmSpan span)
{
    angle_flags<kCoarse>(row, span);
    restore<kCoarse>(row, span);
    const Int offset = V::set32(kCoarse ? 0U - kAdmBands : 0U);
    for (size_t x = span.begin; x < span.end; x += V::kLanes32) {
        MaskSums restored{offset, V::set32(0)}, additive = restored;
        mask_band<kCoarse, kAdmH>(row, x, restored, additive);
        mask_band<kCoarse, kAdmV>(row, x, restored, additive);
        mask_band<kCoarse, kAdmD>(row, x, restored, additive);
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

/// What is added before a shift, and the shift.
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

/// The 3x3 mask is summed by column first.
template <bool kCoarse> void masked_cubes(const AdmMasking &row, AdmSpan span, uint64_t (&sums)[kAdmBands])
{
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
    for (size_t x = span.begin; x < span.end; x += V::kLanes32) {
        const int32_t *at = columns + x;
        const Int threshold = V::add32(V::add32(V::load32(at - 1), V::load32(at)),
                                       V::add32(V::load32(at + 1), V::load32(row.centre + x)));
        const V::Mask inside = lanes_before(span.end, x);
        Int v[kAdmBands], any = V::set32(0);
#pragma GCC unroll 3
        for (unsigned band = 0; band < kAdmBands; ++band) {
            const Int strength = V::load32(reinterpret_cast<const int32_t *>(row.strength[band]) + x);
            const Int excess = V::subtract32(strength, V::shift_left32(threshold, kThresholdShift[band]));
            v[band] = V::keep(inside, V::max32(excess, V::set32(0)));
            any = V::bit_or(any, v[band]);
        }
        if (V::is_zero(any)) // usual where the signal is the weaker one
            continue;
#pragma GCC unroll 3
        for (unsigned band = 0; band < kAdmBands; ++band)
            total[band] = add_cubes(total[band], v[band], rounding(half_unit(kSquareShift[band]), kSquareShift[band]),
                                    cube[band]);
    }
    for (unsigned band = 0; band < kAdmBands; ++band)
        sums[band] = total_of_64bit(total[band]);
}

inline uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0U - static_cast<uint32_t>(x) : static_cast<uint32_t>(x);
}

uint64_t den_cubes_fine(const int32_t *ref, AdmSpan span)
{
    uint64_t sum = 0;
    for (size_t x = span.begin; x < span.end; ++x) {
        const uint32_t size = magnitude(ref[x]);
        sum += uint64_t{size * size} * size;
    }
    return sum;
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
    {filter_line<false, To::i16>, filter_line<false, To::i32>, filter_line<true, To::halves>,
     filter_line<true, To::i32>},
    decouple<false>,
    decouple<true>,
    masked_cubes<false>,
    masked_cubes<true>,
    den_cubes_fine,
    den_cubes_coarse,
};

} // namespace vmaf::VMAF_CPU_TARGET
