#include "feature/adm/adm_loops.h"

// Written for the vectoriser: no branch in a loop, every division and conversion done for each sample and its result selected
// afterwards. Sums that may wrap are unsigned, as are 64-bit shifts whose low 32 bits alone matter (AVX2 has no arithmetic
// 64-bit shift). Where doubles stand for integers, every value is an integer or a dyadic fraction below 2^53.

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

inline int32_t wrapped_sum(int32_t a, int32_t b)
{
    return static_cast<int32_t>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}

inline uint32_t magnitude(int32_t x)
{
    return x < 0 ? 0U - static_cast<uint32_t>(x) : static_cast<uint32_t>(x);
}

/// Half a unit of a right shift; nothing for a shift by 0 (spec adm 4).
inline uint64_t half_unit(unsigned shift)
{
    return shift == 0 ? 0 : uint64_t{1} << (shift - 1);
}

// ---- spec adm 3.1 ----

/// What a filter multiplies: a picture's sample of more than 8 bits may lie above its depth's maximum, where sums would overflow.
inline uint32_t tap_value(uint8_t sample, uint16_t)
{
    return sample;
}
inline uint32_t tap_value(int16_t sample, uint16_t)
{
    return static_cast<uint32_t>(sample);
}
inline uint32_t tap_value(uint16_t sample, uint16_t max_sample)
{
    return sample < max_sample ? sample : max_sample;
}

template <class Sample>
void filter_rows_narrow(const void *const rows[4], const AdmFilter &filter, AdmSpan span, int32_t *__restrict__ line)
{
    const Sample *__restrict__ r0 = static_cast<const Sample *>(rows[0]);
    const Sample *__restrict__ r1 = static_cast<const Sample *>(rows[1]);
    const Sample *__restrict__ r2 = static_cast<const Sample *>(rows[2]);
    const Sample *__restrict__ r3 = static_cast<const Sample *>(rows[3]);
    const int32_t t0 = filter.taps[0], t1 = filter.taps[1], t2 = filter.taps[2], t3 = filter.taps[3];
    const uint32_t offset = static_cast<uint32_t>(filter.offset);
    const unsigned shift = filter.shift;
    const uint16_t most = filter.max_sample;
    for (size_t x = span.begin; x < span.end; ++x) {
        const uint32_t sum = tap_value(r0[x], most) * t0 + tap_value(r1[x], most) * t1 + tap_value(r2[x], most) * t2 +
                             tap_value(r3[x], most) * t3;
        line[x] = static_cast<int32_t>(sum + offset) >> shift;
    }
}

void filter_rows_wide(const void *const rows[4], const AdmFilter &filter, AdmSpan span, int32_t *__restrict__ line)
{
    const int32_t *__restrict__ r0 = static_cast<const int32_t *>(rows[0]);
    const int32_t *__restrict__ r1 = static_cast<const int32_t *>(rows[1]);
    const int32_t *__restrict__ r2 = static_cast<const int32_t *>(rows[2]);
    const int32_t *__restrict__ r3 = static_cast<const int32_t *>(rows[3]);
    const int32_t t0 = filter.taps[0], t1 = filter.taps[1], t2 = filter.taps[2], t3 = filter.taps[3];
    const int64_t offset = filter.offset;
    const unsigned shift = filter.shift;
    for (size_t x = span.begin; x < span.end; ++x) {
        const int64_t sum = int64_t{r0[x]} * t0 + int64_t{r1[x]} * t1 + int64_t{r2[x]} * t2 + int64_t{r3[x]} * t3;
        line[x] = static_cast<int32_t>(static_cast<uint64_t>(sum + offset) >> shift);
    }
}

template <class Sum, class Band>
void filter_line(const int32_t *__restrict__ line, const AdmFilter &filter, AdmSpan span, void *band)
{
    Band *__restrict__ out = static_cast<Band *>(band);
    const int32_t t0 = filter.taps[0], t1 = filter.taps[1], t2 = filter.taps[2], t3 = filter.taps[3];
    const int32_t offset = filter.offset;
    const unsigned shift = filter.shift;
    for (size_t i = span.begin; i < span.end; ++i) {
        const int32_t *tap = line + 2 * i - 1;
        const Sum sum = Sum{tap[0]} * t0 + Sum{tap[1]} * t1 + Sum{tap[2]} * t2 + Sum{tap[3]} * t3;
        if constexpr (sizeof(Sum) == 4)
            out[i] = static_cast<Band>((sum + offset) >> shift);
        else
            out[i] = static_cast<Band>(static_cast<uint64_t>(sum + offset) >> shift);
    }
}

// ---- spec adm 3.3 ----

/// float(x), rounded once. Vector units of AVX2 convert no 64-bit integers, so the value goes through a double, which holds
/// it exactly once the low 11 bits of a large one are merged into one bit far below the float's last.
inline float rounded_to_float(int64_t x)
{
    const uint64_t bits = static_cast<uint64_t>(x);
    const uint64_t merged = (bits & ~uint64_t{2047}) | (((bits & 2047) + 2047) & 2048);
    const int32_t high = static_cast<int32_t>(bits >> 32);
    const bool fits = high >= -65536 && high < 65536;
    const uint32_t low = static_cast<uint32_t>(fits ? bits : merged);
    return static_cast<float>(static_cast<double>(high) * 4294967296.0 + static_cast<double>(low));
}

inline float rounded_to_float(int32_t x)
{
    return static_cast<float>(x);
}

template <class Product>
void angle_flags(const int32_t *const ref[kAdmBands], const int32_t *const dis[kAdmBands], AdmSpan span,
                 int32_t *__restrict__ flag)
{
    constexpr double kCosSquared = 0x1.ffd814p-1; // of one degree, as float
    const int32_t *oh = ref[kAdmH], *ov = ref[kAdmV], *th = dis[kAdmH], *tv = dis[kAdmV];
    for (size_t x = span.begin; x < span.end; ++x) {
        const Product o_h = oh[x], o_v = ov[x], t_h = th[x], t_v = tv[x];
        const double fd = static_cast<double>(rounded_to_float(o_h * t_h + o_v * t_v));
        const double fo = static_cast<double>(rounded_to_float(o_h * o_h + o_v * o_v));
        const double ft = static_cast<double>(rounded_to_float(t_h * t_h + t_v * t_v));
        flag[x] = static_cast<int32_t>(fd >= 0) & static_cast<int32_t>(fd * fd >= kCosSquared * fo * ft);
    }
}

/// 2^-q with q = max(0, floor(log2(magnitude)) - 14): scales a value to at most 2^15.
inline double inverse_unit(double value)
{
    constexpr uint64_t kBias = 1023, kExponent14 = kBias + 14;
    const uint64_t exponent = __builtin_bit_cast(uint64_t, value) >> 52;
    const uint64_t q = (exponent > kExponent14 ? exponent : kExponent14) - kExponent14;
    return __builtin_bit_cast(double, (kBias - q) << 52);
}

/// x, negated if `sign` is -1 instead of 0.
inline int32_t with_sign(int32_t x, int32_t sign)
{
    return (x ^ sign) - sign;
}

/// k, Q15, of abs(o) and of t with the sign of o taken out.
template <bool kCoarse> inline int32_t ratio(int32_t o, int32_t t)
{
    const int32_t is_zero = o == 0;
    const double size = static_cast<double>(o + is_zero);
    const double unit = kCoarse ? inverse_unit(size) : 1.0;
    const double m = kCoarse ? static_cast<double>(static_cast<int32_t>(size * unit + 0.5)) : size;
    const double rec = static_cast<double>(static_cast<int32_t>(1073741824.0 / m));
    // A product above 2^53 is rounded, but then the clamp decides, and rounding does not cross it.
    double k = rec * static_cast<double>(t) * (unit * (1.0 / 32768)) + 0.5;
    k = k > 0 ? k : 0;
    k = k < 32768 ? k : 32768;
    const int32_t clamped = static_cast<int32_t>(k);
    return is_zero ? 32768 : clamped;
}

template <bool kCoarse> inline int32_t scaled(int32_t k, int32_t o)
{
    if constexpr (kCoarse)
        return static_cast<int32_t>(static_cast<uint64_t>(int64_t{k} * o + 16384) >> 15);
    else
        return (k * o + 16384) >> 15;
}

/// r. The gain works on the values with the sign of o taken out, where both cases of the text are one minimum.
template <bool kCoarse> inline int32_t restored(int32_t o, int32_t t, int32_t flag, double gain_limit)
{
    const int32_t sign = o >> 31, target = with_sign(t, sign);
    const int32_t k = ratio<kCoarse>(with_sign(o, sign), target);
    const int32_t r = scaled<kCoarse>(k, o);
    const double raised = static_cast<double>(with_sign(r, sign)) * gain_limit, limit = static_cast<double>(target);
    const int32_t gained = with_sign(static_cast<int32_t>(raised < limit ? raised : limit), sign);
    const int32_t gains = flag & static_cast<int32_t>(k > 0) & static_cast<int32_t>(o != 0);
    return gains ? gained : r;
}

// ---- spec adm 3.5 ----

/// One sample of one band of a masking signal.
struct Masker {
    uint32_t strength;
    int32_t neighbour;
    int32_t centre; ///< z - n
};

template <bool kCoarse, bool kDiagonal> inline Masker masker(uint32_t weight, int32_t y)
{
    if constexpr (kCoarse) {
        const uint64_t product = static_cast<uint64_t>(weight) * static_cast<uint64_t>(int64_t{y});
        const uint32_t size = magnitude(static_cast<int32_t>((product + (1U << 27)) >> 28));
        const int32_t n = static_cast<int32_t>((uint64_t{size} * 143165577 - (uint64_t{1} << 31)) >> 32);
        const int32_t z = static_cast<int32_t>((uint64_t{size} * 286331153 - (uint64_t{1} << 31)) >> 32);
        return {size, n, z - n};
    } else {
        const int32_t product = static_cast<int32_t>(weight) * y;
        const int16_t x = static_cast<int16_t>(kDiagonal ? (product + 65535) >> 17 : (product + 16384) >> 15);
        const int32_t size = x < 0 ? -x : x;
        const int16_t n = static_cast<int16_t>((4369 * size + 2048) >> 12);
        return {magnitude(product), n, ((8738 * size + 2048) >> 12) - n};
    }
}

template <bool kCoarse>
void restore_band(const int32_t *__restrict__ ref, const int32_t *__restrict__ dis, const int32_t *__restrict__ flag,
                  double gain_limit, AdmSpan span, int32_t *__restrict__ r, int32_t *__restrict__ a)
{
    for (size_t x = span.begin; x < span.end; ++x) {
        r[x] = restored<kCoarse>(ref[x], dis[x], flag[x], gain_limit);
        a[x] = dis[x] - r[x];
    }
}

/// The first band sets the sums over the bands, the others add to them.
template <bool kCoarse, AdmBand kBand>
void mask_band(const int32_t *__restrict__ y, uint32_t weight, AdmSpan span, uint32_t *__restrict__ strength,
               int32_t *__restrict__ neighbour, int32_t *__restrict__ centre)
{
    for (size_t x = span.begin; x < span.end; ++x) {
        const Masker m = masker<kCoarse, kBand == kAdmD>(weight, y[x]);
        strength[x] = m.strength;
        if constexpr (kBand == kAdmH) {
            neighbour[x] = m.neighbour;
            centre[x] = m.centre;
        } else {
            neighbour[x] = wrapped_sum(neighbour[x], m.neighbour);
            centre[x] = wrapped_sum(centre[x], m.centre);
        }
    }
}

template <bool kCoarse, AdmBand kBand> void decouple_band(const AdmDecoupling &row, AdmSpan span)
{
    restore_band<kCoarse>(row.ref[kBand], row.dis[kBand], row.flag, row.gain_limit, span, row.r, row.a);
    mask_band<kCoarse, kBand>(row.r, row.weight[kBand], span, row.restored.strength[kBand], row.restored.neighbour,
                              row.restored.centre);
    mask_band<kCoarse, kBand>(row.a, row.weight[kBand], span, row.additive.strength[kBand], row.additive.neighbour,
                              row.additive.centre);
}

template <bool kCoarse, class Product> void decouple(const AdmDecoupling &row, AdmSpan span)
{
    angle_flags<Product>(row.ref, row.dis, span, row.flag);
    decouple_band<kCoarse, kAdmH>(row, span);
    decouple_band<kCoarse, kAdmV>(row, span);
    decouple_band<kCoarse, kAdmD>(row, span);
}

void thresholds(const int32_t *const neighbour[3], const int32_t *centre, AdmSpan span, int32_t *threshold)
{
    const uint32_t *__restrict__ above = reinterpret_cast<const uint32_t *>(neighbour[0]);
    const uint32_t *__restrict__ at = reinterpret_cast<const uint32_t *>(neighbour[1]);
    const uint32_t *__restrict__ below = reinterpret_cast<const uint32_t *>(neighbour[2]);
    const uint32_t *__restrict__ extra = reinterpret_cast<const uint32_t *>(centre);
    int32_t *__restrict__ out = threshold;
    const ptrdiff_t begin = static_cast<ptrdiff_t>(span.begin), end = static_cast<ptrdiff_t>(span.end);
    for (ptrdiff_t x = begin; x < end; ++x) { // signed: column 0 reads column -1
        const uint32_t sum = above[x - 1] + above[x] + above[x + 1] + at[x - 1] + at[x] + at[x + 1] + below[x - 1] +
                             below[x] + below[x + 1];
        out[x] = static_cast<int32_t>(sum + extra[x]);
    }
}

// ---- spec adm 3.6 and 3.7 ----

uint64_t cubes(const uint32_t *strength, const int32_t *threshold, unsigned threshold_shift, unsigned square_shift,
               unsigned cube_shift, AdmSpan span)
{
    const uint64_t half_square = half_unit(square_shift), half_cube = half_unit(cube_shift);
    uint64_t sum = 0;
    for (size_t x = span.begin; x < span.end; ++x) {
        const int32_t excess =
            static_cast<int32_t>(strength[x] - (static_cast<uint32_t>(threshold[x]) << threshold_shift));
        const uint32_t v = static_cast<uint32_t>(excess > 0 ? excess : 0);
        const uint32_t q = static_cast<uint32_t>((uint64_t{v} * v + half_square) >> square_shift);
        sum += (uint64_t{q} * v + half_cube) >> cube_shift;
    }
    return sum;
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
    const uint64_t unit = uint64_t{1} << square_shift, half = half_unit(cube_shift);
    uint64_t sum = 0;
    for (size_t x = span.begin; x < span.end; ++x) {
        const uint32_t size = magnitude(ref[x]);
        const uint32_t q = static_cast<uint32_t>((uint64_t{size} * size + unit) >> square_shift);
        sum += (uint64_t{q} * size + half) >> cube_shift;
    }
    return sum;
}

} // namespace

extern const AdmLoops kAdmLoops = {
    {filter_rows_narrow<uint8_t>, filter_rows_narrow<uint16_t>, filter_rows_narrow<int16_t>, filter_rows_wide},
    {filter_line<int32_t, int16_t>, filter_line<int32_t, int32_t>, filter_line<int64_t, int32_t>},
    decouple<false, int32_t>,
    decouple<true, int64_t>,
    thresholds,
    cubes,
    den_cubes_fine,
    den_cubes_coarse,
};

} // namespace vmaf::VMAF_CPU_TARGET
