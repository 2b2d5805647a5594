#include "feature/ciede/ciede_loops.h"

#include "feature/ciede/ciede_math.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using i32 = std::int32_t;

constexpr double kPi = kCiedePi;

/// Absolute error of lab(t) and of T, and relative error of the other rounded values (spec ciede 3.2, 3.3); all with room.
/// Where a sum of linear R, G, B cancels, lab(t) has the largest: below 24 times that of a power, over 3.
constexpr double kAbsoluteError = 1e-13, kRelativeError = 1e-13;
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

/// The binary32 number next to `value`, which is off by up to `error`; marks `unsure` if that leaves a choice.
inline float rounded_surely(double value, double error, i32 &unsure)
{
    const float low = static_cast<float>(value - error), high = static_cast<float>(value + error);
    unsure |= low != high ? 1 : 0;
    return low;
}
inline float rounded_surely(double value, i32 &unsure)
{
    return rounded_surely(value, (value < 0 ? -value : value) * kRelativeError, unsure);
}

inline double linear(double c)
{
    const double curved = power_2_4(maximum((c + 0.055) * (1 / 1.055), 0.05));
    return c > kCiedeLinearLimit ? curved : c * (1 / 12.92);
}

inline float lab_of(double t, i32 &unsure)
{
    const double root = cube_root(maximum(t, 0.008));
    return rounded_surely(t > kCiedeCubeLimit ? root : (kCiedeCubeSlope * t + 16) * (1.0 / 116.0), kAbsoluteError,
                          unsure);
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
        out.r[i] = linear(y + kCiedeRedFromV * v);
        out.g[i] = linear(y - kCiedeGreenFromU * u - kCiedeGreenFromV * v);
        out.b[i] = linear(y + kCiedeBlueFromU * u);
    }
}

inline double tristimulus(const double (&row)[3], double r, double g, double b)
{
    return r * row[0] + g * row[1] + b * row[2];
}

/// spec ciede 3.2: linear R, G, B to L, a, b.
void to_lab(const LinearRgb &rgb, unsigned count, CiedeSide &side, i32 *__restrict unsure)
{
    for (unsigned i = 0; i < count; ++i) {
        const double r = rgb.r[i], g = rgb.g[i], b = rgb.b[i];
        i32 doubt = unsure[i];
        const double fx = wide(lab_of(tristimulus(kCiedeXyz[0], r, g, b) * kCiedeWhiteX, doubt));
        const double fy = wide(lab_of(tristimulus(kCiedeXyz[1], r, g, b), doubt));
        const double fz = wide(lab_of(tristimulus(kCiedeXyz[2], r, g, b) * kCiedeWhiteZ, doubt));
        unsure[i] = doubt;
        side.l[i] = rounded(116 * fy - 16);
        side.a[i] = rounded(500 * (fx - fy));
        side.b[i] = rounded(200 * (fy - fz));
    }
}

inline float chroma(float a, float b)
{
    return rounded(__builtin_sqrt(squared(a) + squared(b)));
}

inline float hue(float p, float r, i32 &unsure)
{
    const float t = rounded_surely(arc_tangent2(wide(p), wide(r)), unsure);
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

/// What the steps of spec ciede 3.3 hand to the next; names as there, with a prime as p.
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
        const float h1 = hue(b1, a1p, doubt), h2 = hue(b2, a2p, doubt);
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

/// T of spec ciede 3.3.
inline float hue_weight(float mean, i32 &unsure)
{
    const double h = wide(mean);
    return rounded_surely(1 - 0.17 * cosine(h - kPi / 6) + 0.24 * cosine(2 * h) + 0.32 * cosine(3 * h + kPi / 30) -
                              0.20 * cosine(4 * h - 7 * kPi / 20),
                          kAbsoluteError, unsure);
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

/// P of spec ciede 3.3. The C library's powf is not rounded correctly: only powf itself gives its last bit.
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

extern const CiedeLoops kCiedeLoops = {differences};

} // namespace vmaf::VMAF_CPU_TARGET
