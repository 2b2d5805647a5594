#include "feature/ciede/ciede_loops.h"

#include <cstddef>

#include "base/vectors.h"
#include "feature/ciede/ciede_math.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using i32 = std::int32_t;
using V = Vectors;

constexpr double kPi = kCiedePi;

/// Absolute error of lab(t) and of T (spec ciede 3.2, 3.3), with room. Where a sum of linear R, G,
/// B cancels, lab(t) has the largest: below 24 times that of a power, over 3.
constexpr double kAbsoluteError = 1e-13;
/// Relative error of the other rounded values, with room, and in units of binary64's last place.
constexpr double kRelativeError = 1e-13;
constexpr std::uint32_t kRelativeUnits = 1024;
static_assert(kRelativeUnits * 0x1p-53 > kRelativeError);
/// Below this D, a wrong last bit of P moves dE by less than kRelativeError.
constexpr float kSmallD = 1e-6F;

inline double wide(float value)
{
    return static_cast<double>(value);
}
inline float rounded(double value)
{
    return static_cast<float>(value);
}
inline double squared(float value)
{
    return wide(value) * wide(value);
}
inline float magnitude(float value)
{
    return value < 0 ? -value : value;
}

/// The binary32 number next to `value`, off by up to `error`; marks `unsure` if that leaves a
/// choice.
inline float rounded_surely(double value, double error, i32 &unsure)
{
    const float low = static_cast<float>(value - error), high = static_cast<float>(value + error);
    unsure |= low != high ? 1 : 0;
    return low;
}

/// Rounds a value with a relative error: there is a choice if the 29 bits that binary32 lacks are
/// nearly one half.
inline float rounded_surely(double value, i32 &unsure)
{
    constexpr std::uint32_t kHalf = 1U << 28;
    const auto low_bits = static_cast<std::uint32_t>(__builtin_bit_cast(std::uint64_t, value));
    unsure |= (low_bits - (kHalf - kRelativeUnits)) << 3 <= (2 * kRelativeUnits) << 3 ? 1 : 0;
    return static_cast<float>(value);
}

/// spec ciede 3.2: Y, U, V to linear R, G, B.
struct LinearRgb {
    alignas(64) double r[kCiedeBatch], g[kCiedeBatch], b[kCiedeBatch];
};

void to_linear(const CiedeSide &side, unsigned count, const CiedeRange &range, LinearRgb &out)
{
    const CiedeRange k = range;
    for (unsigned i = 0; i < count; ++i) {
        const double y = (side.y[i] - k.luma_black) * k.luma_step;
        const double u = (side.u[i] - k.chroma_zero) * k.chroma_step;
        const double v = (side.v[i] - k.chroma_zero) * k.chroma_step;
        const double c[3] = {y + kCiedeRedFromV * v, y - kCiedeGreenFromU * u - kCiedeGreenFromV * v,
                             y + kCiedeBlueFromU * u};
        double base[3], curved[3];
#pragma GCC unroll 3
        for (unsigned n = 0; n < 3; ++n)
            base[n] = maximum(multiply_add(c[n], 1 / 1.055, 0.055 / 1.055), 0.05);
        powers_2_4(base, curved);
        out.r[i] = c[0] > kCiedeLinearLimit ? curved[0] : c[0] * (1 / 12.92);
        out.g[i] = c[1] > kCiedeLinearLimit ? curved[1] : c[1] * (1 / 12.92);
        out.b[i] = c[2] > kCiedeLinearLimit ? curved[2] : c[2] * (1 / 12.92);
    }
}

inline double tristimulus(const double (&row)[3], double r, double g, double b)
{
    return multiply_add(b, row[2], multiply_add(g, row[1], r * row[0]));
}

/// spec ciede 3.2: linear R, G, B to L, a, b.
void to_lab(const LinearRgb &rgb, unsigned count, CiedeSide &side, i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        const double r = rgb.r[i], g = rgb.g[i], b = rgb.b[i];
        const double t[3] = {tristimulus(kCiedeXyz[0], r, g, b) * kCiedeWhiteX, tristimulus(kCiedeXyz[1], r, g, b),
                             tristimulus(kCiedeXyz[2], r, g, b) * kCiedeWhiteZ};
        double base[3], root[3], f[3];
#pragma GCC unroll 3
        for (unsigned n = 0; n < 3; ++n)
            base[n] = maximum(t[n], 0.008);
        cube_roots(base, root);
        i32 doubt = unsure[i];
#pragma GCC unroll 3
        for (unsigned n = 0; n < 3; ++n) {
            const double straight = multiply_add(t[n], kCiedeCubeSlope / 116.0, 16.0 / 116.0);
            f[n] = wide(rounded_surely(t[n] > kCiedeCubeLimit ? root[n] : straight, kAbsoluteError, doubt));
        }
        unsure[i] = doubt;
        side.l[i] = rounded(116 * f[1] - 16);
        side.a[i] = rounded(500 * (f[0] - f[1]));
        side.b[i] = rounded(200 * (f[1] - f[2]));
    }
}

inline float chroma(float a, float b)
{
    return rounded(__builtin_sqrt(squared(a) + squared(b)));
}

inline float hue(double angle, i32 &unsure)
{
    const float t = rounded_surely(angle, unsure);
    return t < 0 ? rounded(wide(t) + 2 * kPi) : t;
}

inline float hue_difference(float h1, float h2)
{
    const float difference = h2 - h1;
    const float turned = rounded(wide(difference) + (h2 <= h1 ? 2 * kPi : -2 * kPi));
    return wide(magnitude(h1 - h2)) <= kPi ? difference : turned;
}

inline float hue_mean(float h1, float h2)
{
    const float turned = rounded((wide(h1 + h2) + 2 * kPi) / 2);
    return wide(magnitude(h1 - h2)) > kPi ? turned : (h1 + h2) / 2;
}

/// Values that a step of spec ciede 3.3 passes to the next, with the names there; p stands for a
/// prime.
struct Steps {
    alignas(64) float c1p[kCiedeBatch], c2p[kCiedeBatch], cmp[kCiedeBatch], dh[kCiedeBatch], hm[kCiedeBatch];
    alignas(64) float d[kCiedeBatch], power[kCiedeBatch], tt[kCiedeBatch];
};

void chroma_and_hue(const CiedeSide &ref, const CiedeSide &dis, unsigned count, Steps &out, i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        const float a1 = ref.a[i], b1 = ref.b[i], a2 = dis.a[i], b2 = dis.b[i];
        const float c1 = chroma(a1, b1), c2 = chroma(a2, b2);
        const double cm = wide((c1 + c2) / 2), cm2 = cm * cm;
        const double power = cm2 * cm2 * (cm2 * cm);
        const double g = 1 - __builtin_sqrt(power / (power + kCiedePower25To7));
        i32 doubt = unsure[i];
        const float a1p = rounded_surely(wide(a1) + wide(a1 / 2) * g, doubt);
        const float a2p = rounded_surely(wide(a2) + wide(a2 / 2) * g, doubt);
        double angles[2];
        arc_tangents2({wide(b1), wide(b2)}, {wide(a1p), wide(a2p)}, angles);
        const float h1 = hue(angles[0], doubt), h2 = hue(angles[1], doubt);
        unsure[i] = doubt;
        const float c1p = chroma(a1p, b1), c2p = chroma(a2p, b2);
        out.c1p[i] = c1p;
        out.c2p[i] = c2p;
        out.cmp[i] = (c1p + c2p) / 2;
        const float turn = hue_difference(h1, h2);
        out.dh[i] = c1 == 0 ? 0.0F : c2 == 0 ? 0.0F : turn;
        out.hm[i] = hue_mean(h1, h2);
    }
}

/// T of spec ciede 3.3: cosine and sine of the angle's multiples from those of the angle.
inline float hue_weight(float mean, i32 &unsure)
{
    constexpr double kCos6 = 0.99452189536827333692, kSin6 = 0.10452846326765347140; // degrees
    constexpr double kCos30 = 0.86602540378443864676, kSin30 = 0.5;
    constexpr double kCos63 = 0.45399049973954679156, kSin63 = 0.89100652418836786236;
    const Angle one = angle(wide(mean));
    const double twice = one.sine + one.sine;
    const Angle two{multiply_add(-twice, one.sine, 1.0), twice * one.cosine};
    const Angle three{multiply_add(two.cosine, one.cosine, -two.sine * one.sine),
                      multiply_add(two.sine, one.cosine, two.cosine * one.sine)};
    const double four_times = two.sine + two.sine;
    const Angle four{multiply_add(-four_times, two.sine, 1.0), four_times * two.cosine};
    double t = multiply_add(one.cosine, -0.17 * kCos30, 1.0);
    t = multiply_add(one.sine, -0.17 * kSin30, t);
    t = multiply_add(two.cosine, 0.24, t);
    t = multiply_add(three.cosine, 0.32 * kCos6, t);
    t = multiply_add(three.sine, -0.32 * kSin6, t);
    t = multiply_add(four.cosine, -0.20 * kCos63, t);
    t = multiply_add(four.sine, -0.20 * kSin63, t);
    return rounded_surely(t, kAbsoluteError, unsure);
}

void hue_terms(unsigned count, Steps &steps, i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        i32 doubt = unsure[i];
        const double root = __builtin_sqrt(wide(steps.c1p[i] * steps.c2p[i]));
        const float dhp = rounded_surely(2 * root * sine(wide(steps.dh[i]) / 2), doubt);
        const double cmp = wide(steps.cmp[i]);
        const float sh = rounded(1 + 0.015 * cmp * wide(hue_weight(steps.hm[i], doubt)));
        steps.tt[i] = dhp / (kCiedeWeightH * sh);
        unsure[i] = doubt;
    }
}

/// D of spec ciede 3.3. Where the argument is below -80, any number as small as e^-80 does.
void rotation_angles(unsigned count, Steps &steps, i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        const float dg = rounded((wide(rounded(wide(steps.hm[i]) * kCiedeDegrees)) - 275) * (1.0 / 25.0));
        i32 doubt = unsure[i];
        steps.d[i] = rounded_surely(60 * exponential(maximum(-wide(dg * dg), -80.0)), doubt);
        unsure[i] = doubt;
    }
}

/// P of spec ciede 3.3. The C library's powf is not rounded correctly: only powf itself gives its
/// last bit.
void powers(unsigned count, Steps &steps)
{
    for (unsigned i = 0; i < count; ++i) {
        const float cmp = steps.cmp[i], square = cmp * cmp;
        steps.power[i] = square * square * (square * cmp);
    }
    for (unsigned i = 0; i < count; ++i)
        if (steps.d[i] > kSmallD)
            steps.power[i] = __builtin_powf(steps.cmp[i], 7.0F);
}

void total(const CiedeSide &ref, const CiedeSide &dis, const Steps &steps, unsigned count, float *__restrict difference,
           i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        const float l1 = ref.l[i], l2 = dis.l[i];
        const float q = (l1 + l2) / 2 - 50;
        const float sl = rounded(1 + (0.015 * squared(q)) / __builtin_sqrt(20 + squared(q)));
        const float sc = rounded(1 + 0.045 * wide(steps.cmp[i]));
        const float tl = (l2 - l1) / (kCiedeWeightL * sl);
        const float tc = (steps.c2p[i] - steps.c1p[i]) / (kCiedeWeightC * sc);
        const float tt = steps.tt[i];
        i32 doubt = unsure[i];
        const float theta = rounded(wide(steps.d[i]) * kCiedeRadians);
        const float share = steps.power[i] / (steps.power[i] + static_cast<float>(kCiedePower25To7));
        const float rt = rounded_surely(-2 * __builtin_sqrt(wide(share)) * sine(wide(theta)), doubt);
        const double sum = squared(tl) + squared(tc) + squared(tt) + wide((rt * tc) * tt);
        difference[i] = rounded_surely(__builtin_sqrt(maximum(sum, 0)), doubt);
        doubt |= sum < 0 ? 1 : 0;
        unsure[i] = doubt;
    }
}

template <class Sample>
inline void double_samples(const Sample *__restrict in, unsigned count, std::uint16_t *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x) {
        out[2 * x] = in[x];
        out[2 * x + 1] = in[x];
    }
}

void double_8bit(const std::uint8_t *in, unsigned count, std::uint16_t *out)
{
    double_samples(in, count, out);
}

void double_16bit(const std::uint16_t *in, unsigned count, std::uint16_t *out)
{
    double_samples(in, count, out);
}

inline void copy_pixel(const CiedeRow &from, unsigned x, CiedeSide &to, unsigned at)
{
    to.y[at] = from.y[x];
    to.u[at] = from.u[x];
    to.v[at] = from.v[x];
}

inline void copy_values(const std::uint16_t *from, i32 *to)
{
    for (unsigned k = 0; k < V::kLanes16; k += V::kLanes32) {
        const V::Int values = V::load_signed16(reinterpret_cast<const std::int16_t *>(from + k));
        V::store32(to + k, V::bit_and(values, V::set32(0xffff)));
    }
}

inline void copy_pixels(const CiedeRow &from, unsigned x, CiedeSide &to, unsigned at)
{
    copy_values(from.y + x, to.y + at);
    copy_values(from.u + x, to.u + at);
    copy_values(from.v + x, to.v + at);
}

inline V::Int differing_bits(const std::uint16_t *a, const std::uint16_t *b)
{
    return V::bit_xor(V::load16(a), V::load16(b));
}

unsigned collect(const CiedeRow &ref, const CiedeRow &dis, unsigned count, CiedeBatch &batch, unsigned filled)
{
    constexpr std::uint32_t kAll = UINT32_MAX >> (32 - V::kLanes16);
    unsigned x = 0;
    for (; x + V::kLanes16 <= count; x += V::kLanes16) {
        const V::Int chroma = V::bit_or(differing_bits(ref.u + x, dis.u + x), differing_bits(ref.v + x, dis.v + x));
        std::uint32_t differing = V::differing16(V::bit_or(differing_bits(ref.y + x, dis.y + x), chroma), V::set16(0));
        if (differing == kAll) {
            copy_pixels(ref, x, batch.ref, filled);
            copy_pixels(dis, x, batch.dis, filled);
            filled += V::kLanes16;
        } else {
            for (; differing != 0; differing &= differing - 1, ++filled) {
                const unsigned next = x + static_cast<unsigned>(__builtin_ctz(differing));
                copy_pixel(ref, next, batch.ref, filled);
                copy_pixel(dis, next, batch.dis, filled);
            }
        }
    }
    for (; x < count; ++x) {
        copy_pixel(ref, x, batch.ref, filled); // stays if it is counted
        copy_pixel(dis, x, batch.dis, filled);
        filled += ref.y[x] != dis.y[x] || ref.u[x] != dis.u[x] || ref.v[x] != dis.v[x] ? 1 : 0;
    }
    return filled;
}

/// If all values are multiples of the last place of the sum, and it keeps its exponent, every
/// addition is exact and their order does not matter.
double add_in_order(double sum, const float *values, unsigned count)
{
    constexpr unsigned kLanes = 16;
    const unsigned whole = count / kLanes * kLanes;
    double totals[kLanes] = {};
    std::uint32_t least[kLanes];
    for (std::uint32_t &bits : least)
        bits = UINT32_MAX;
    for (unsigned i = 0; i < whole; i += kLanes)
        for (unsigned k = 0; k < kLanes; ++k) {
            const std::uint32_t below = __builtin_bit_cast(std::uint32_t, values[i + k]) - 1; // 0 does not count
            least[k] = below < least[k] ? below : least[k];
            totals[k] += wide(values[i + k]);
        }
    std::uint32_t smallest = UINT32_MAX;
    double total = 0;
    for (unsigned k = 0; k < kLanes; ++k) {
        smallest = least[k] < smallest ? least[k] : smallest;
        total += totals[k];
    }
    constexpr int kDoubleBias = 1023, kFloatBias = 127, kSpareBits = 52 - 23;
    const auto exponent = [](double value) { return static_cast<int>(__builtin_bit_cast(std::uint64_t, value) >> 52); };
    const int smallest_exponent = static_cast<int>((smallest + std::uint64_t{1}) >> 23) - kFloatBias;
    const bool exact =
        exponent(sum + total) == exponent(sum) && smallest_exponent >= exponent(sum) - kDoubleBias - kSpareBits;
    unsigned i = 0;
    if (exact) {
        sum += total;
        i = whole;
    }
    for (; i < count; ++i)
        sum += wide(values[i]);
    return sum;
}

void differences(CiedeBatch &pixels, unsigned count, const CiedeRange &range)
{
    LinearRgb rgb;
    Steps steps;
    for (unsigned i = 0; i < count; ++i)
        pixels.unsure[i] = 0;
    to_linear(pixels.ref, count, range, rgb);
    to_lab(rgb, count, pixels.ref, pixels.unsure);
    to_linear(pixels.dis, count, range, rgb);
    to_lab(rgb, count, pixels.dis, pixels.unsure);
    chroma_and_hue(pixels.ref, pixels.dis, count, steps, pixels.unsure);
    hue_terms(count, steps, pixels.unsure);
    rotation_angles(count, steps, pixels.unsure);
    powers(count, steps);
    total(pixels.ref, pixels.dis, steps, count, pixels.difference, pixels.unsure);
}

} // namespace

extern const CiedeLoops kCiedeLoops = {double_8bit, double_16bit, collect, differences, add_in_order};

} // namespace vmaf::VMAF_CPU_TARGET
