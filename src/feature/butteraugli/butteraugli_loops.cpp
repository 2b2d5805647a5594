#include "feature/butteraugli/butteraugli_loops.h"

#include <cmath>
#include <cstddef>

#include "feature/common/colour_arithmetic.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

INLINE float clamped(float v, float low, float high)
{
    return smaller(larger(v, low), high);
}
INLINE float magnitude(float v)
{
    return v < 0 ? -v : v;
}
INLINE float squared(float v)
{
    return v * v;
}
INLINE double larger(double a, double b)
{
    return a > b ? a : b;
}

// spec butteraugli 3.4, the helpers.
INLINE float removed(float t, float w)
{
    return t - clamped(t, -w, w);
}
INLINE float amplified(float t, float w)
{
    return t + clamped(t, -w, w);
}
INLINE float bounded(float t, float most)
{
    const float inside = clamped(t, -most, most);
    return inside + kButteraugliClampSlope * (t - inside);
}

/// The exponent of a double that is larger than 1, and the double divided by that power of two:
/// from sqrt(1/2) to sqrt(2).
INLINE void split(double t, double &exponent, double &fraction)
{
    constexpr std::uint64_t kHalfRoot = 0x3fe6a09e00000000, kMantissa = 0x000fffffffffffff, kTwo52 = 0x4330000000000000;
    std::uint64_t bits;
    std::memcpy(&bits, &t, sizeof bits);
    const std::uint64_t above = bits - kHalfRoot;
    const std::uint64_t exponent_bits = above >> 52 | kTwo52; // 2^52 + the exponent
    const std::uint64_t fraction_bits = (above & kMantissa) + kHalfRoot;
    std::memcpy(&exponent, &exponent_bits, sizeof exponent);
    std::memcpy(&fraction, &fraction_bits, sizeof fraction);
    exponent -= 0x1p52;
}

/// gamma(m) / m of spec butteraugli 3.3. The logarithm is 2 artanh z of z = (f - 1) / (f + 1), the
/// series' rest below 1e-9, and one division serves both quotients.
INLINE double sensitivity(double m)
{
    double exponent, f;
    split(m + kButteraugliGammaOffset, exponent, f);
    const double inverse = 1 / (m * (f + 1));
    const double z = (f - 1) * m * inverse, z2 = z * z;
    const double series = z * (2.0 + z2 * (2.0 / 3 + z2 * (2.0 / 5 + z2 * (2.0 / 7 + z2 * (2.0 / 9)))));
    const double gamma = kButteraugliGammaFactor * (exponent * 0.69314718055994530942 + series) - kButteraugliGammaLess;
    return larger(gamma * (f + 1) * inverse, kButteraugliLeastSensitivity);
}

/// p_c of spec butteraugli 3.3, for cone c.
template <int kCone> INLINE double perceived(const double (&v)[3], const double (&u)[3])
{
    constexpr double kR = kButteraugliCones[kCone][0], kG = kButteraugliCones[kCone][1],
                     kB = kButteraugliCones[kCone][2], kBias = kButteraugliBias[kCone];
    const double m = larger(kR * u[0] + kG * u[1] + kB * u[2] + kBias, kBias);
    return larger((kR * v[0] + kG * v[1] + kB * v[2] + kBias) * sensitivity(m), kBias);
}

void opsin(const ColourRow &sharp, const ColourRow &blurred, double intensity, unsigned count,
           const ButteraugliXyb &out)
{
    const float *r = sharp.channel[0], *g = sharp.channel[1], *b = sharp.channel[2];
    const float *blurred_r = blurred.channel[0], *blurred_g = blurred.channel[1], *blurred_b = blurred.channel[2];
    double *__restrict out_x = out.plane[0], *__restrict out_y = out.plane[1], *__restrict out_b = out.plane[2];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const double v[3] = {r[x] * intensity, g[x] * intensity, b[x] * intensity};
        const double u[3] = {blurred_r[x] * intensity, blurred_g[x] * intensity, blurred_b[x] * intensity};
        const double p0 = perceived<0>(v, u), p1 = perceived<1>(v, u);
        out_x[x] = p0 - p1;
        out_y[x] = p0 + p1;
        out_b[x] = perceived<2>(v, u);
    }
}

void narrow(const double *values, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = static_cast<float>(values[x]);
}

void compare(const ButteraugliXyb &ref, const ButteraugliXyb &dis, unsigned count, float *const out[3])
{
    const double *ref_x = ref.plane[0], *ref_y = ref.plane[1], *ref_b = ref.plane[2];
    const double *dis_x = dis.plane[0], *dis_y = dis.plane[1], *dis_b = dis.plane[2];
    float *__restrict dx = out[0], *__restrict dy = out[1], *__restrict db = out[2];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        dx[x] = static_cast<float>(ref_x[x] - dis_x[x]);
        dy[x] = static_cast<float>(ref_y[x] - dis_y[x]);
        db[x] = static_cast<float>(ref_b[x] - dis_b[x]);
    }
}

void subtract(const float *minuend, const float *subtrahend, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x)
        out[x] = minuend[x] - subtrahend[x];
}

void low_errors(const float *const low[3], unsigned count, float *__restrict dc)
{
    const float *dx = low[0], *dy = low[1], *db = low[2];
    for (std::size_t x = 0; x < count; ++x) {
        const float lf_x = kButteraugliLowX * dx[x], lf_y = kButteraugliLowY * dy[x],
                    lf_b = kButteraugliLowB * (db[x] - kButteraugliLowYInB * dy[x]);
        dc[x] = kButteraugliLowError[0] * squared(lf_x) + kButteraugliLowError[1] * squared(lf_y) +
                kButteraugliLowError[2] * squared(lf_b);
    }
}

/// D of spec butteraugli 3.5.
INLINE float line_difference(float p, float q, const ButteraugliTuning::Lines &lines)
{
    const float sign = p < 0 ? -1.0F : 1.0F;
    const float size = magnitude(p), other = sign * q;
    const float t = clamped(other, 0.55F * size, 1.05F * size) - other;
    return (lines.equal * (p - q) + lines.one_sided * (sign * t)) / (lines.norm + 0.5F * (size + magnitude(q)));
}

/// h of X after step 4.
INLINE float suppressed(float high_x, float high_y)
{
    return high_x * (kButteraugliLeastSuppressed + (1 - kButteraugliLeastSuppressed) * kButteraugliSuppress /
                                                       (kButteraugliSuppress + squared(high_y)));
}

void reference_high(const float *const rest[2], const float *const medium[2], unsigned count, float *const high[2])
{
    const float *rest_x = rest[0], *rest_y = rest[1], *medium_x = medium[0], *medium_y = medium[1];
    float *__restrict high_x = high[0], *__restrict high_y = high[1];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float hx = rest_x[x] - medium_x[x], hy = rest_y[x] - medium_y[x];
        high_x[x] = suppressed(hx, hy);
        high_y[x] = hy;
    }
}

void medium(const ButteraugliRows &rest, const ButteraugliRows &medium, const ButteraugliTuning &tuning, unsigned count,
            float *const high[2], float *const lines[2], float *__restrict ac)
{
    const float *rest_x = rest.row[kButteraugliX], *rest_y = rest.row[kButteraugliY],
                *rest_dx = rest.row[kButteraugliDifferenceX], *rest_dy = rest.row[kButteraugliDifferenceY];
    const float *medium_x = medium.row[kButteraugliX], *medium_y = medium.row[kButteraugliY],
                *medium_dx = medium.row[kButteraugliDifferenceX], *medium_dy = medium.row[kButteraugliDifferenceY],
                *medium_db = medium.row[kButteraugliDifferenceB];
    float *__restrict dis_x = high[0], *__restrict dis_y = high[1], *__restrict lines_x = lines[0],
                      *__restrict lines_y = lines[1];
    const ButteraugliTuning::Lines tuning_x = tuning.lines[kButteraugliMediumX],
                                   tuning_y = tuning.lines[kButteraugliMediumY];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float ref_mx = removed(medium_x[x], kButteraugliMediumRemoveX),
                    dis_mx = removed(medium_x[x] - medium_dx[x], kButteraugliMediumRemoveX);
        const float ref_my = amplified(medium_y[x], kButteraugliMediumAmplifyY),
                    dis_my = amplified(medium_y[x] - medium_dy[x], kButteraugliMediumAmplifyY);
        lines_x[x] = line_difference(ref_mx, dis_mx, tuning_x);
        lines_y[x] = line_difference(ref_my, dis_my, tuning_y);
        ac[x] = kButteraugliMediumError[0] * squared(ref_mx - dis_mx) +
                kButteraugliMediumError[1] * squared(ref_my - dis_my) +
                kButteraugliMediumError[2] * squared(medium_db[x]);
        const float hx = rest_x[x] - medium_x[x], hy = rest_y[x] - medium_y[x];
        const float dis_hx = hx - (rest_dx[x] - medium_dx[x]), dis_hy = hy - (rest_dy[x] - medium_dy[x]);
        dis_x[x] = suppressed(dis_hx, dis_hy);
        dis_y[x] = dis_hy;
    }
}

void split_x(const float *high, unsigned count, float *__restrict low, float *__restrict uhf)
{
    for (std::size_t x = 0; x < count; ++x) {
        const float l = low[x];
        uhf[x] = removed(high[x] - l, kButteraugliUltraRemoveX);
        low[x] = removed(l, kButteraugliHighRemoveX);
    }
}

void split_y(const float *high, unsigned count, float *__restrict low, float *__restrict uhf)
{
    for (std::size_t x = 0; x < count; ++x) {
        const float l = bounded(low[x], kButteraugliHighClampY);
        uhf[x] = kButteraugliUltraGainY * bounded(high[x] - l, kButteraugliUltraClampY);
        low[x] = amplified(kButteraugliHighGainY * l, kButteraugliHighAmplifyY);
    }
}

void activity(const float *const uhf[2], const float *const hf[2], unsigned count, float *__restrict out)
{
    const float *uhf_x = uhf[0], *uhf_y = uhf[1], *hf_x = hf[0], *hf_y = hf[1];
    for (std::size_t x = 0; x < count; ++x) {
        const float x_part = kButteraugliActivityX * (uhf_x[x] + hf_x[x]),
                    y_part = kButteraugliActivityY * (uhf_y[x] + hf_y[x]);
        const float root = std::sqrt(squared(x_part) + squared(y_part));
        out[x] = std::sqrt(kButteraugliActivity * root + kButteraugliActivityBias) - kButteraugliActivityBiasRoot;
    }
}

void line_differences(const float *ref, const float *dis, const ButteraugliTuning::Lines &lines, unsigned count,
                      float *__restrict out)
{
    const ButteraugliTuning::Lines tuning = lines;
    for (std::size_t x = 0; x < count; ++x)
        out[x] = line_difference(ref[x], dis[x], tuning);
}

void high_errors(const float *ref, const float *dis, const ButteraugliTuning::High &weights, unsigned count,
                 float *__restrict ac)
{
    const ButteraugliTuning::High tuning = weights;
    for (std::size_t x = 0; x < count; ++x) {
        const float p = ref[x], q = dis[x], size = magnitude(p), other = p < 0 ? -q : q;
        const float e = clamped(other, 0.4F * size, size) - other;
        ac[x] += tuning.equal * squared(p - q) + tuning.one_sided * squared(e);
    }
}

// spec butteraugli 3.5, the lines. Rows are counted from four above the pixel, columns from four
// before it.

void add_fine_lines(const float *const rows[9], unsigned count, float *__restrict ac)
{
    const float *r0 = rows[0] - 4, *r1 = rows[1] - 4, *r2 = rows[2] - 4, *r3 = rows[3] - 4, *r4 = rows[4] - 4,
                *r5 = rows[5] - 4, *r6 = rows[6] - 4, *r7 = rows[7] - 4, *r8 = rows[8] - 4;
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float centre = r4[x + 4];
        // The centre and the pair beside it, which several lines share.
        const float across = centre + (r4[x + 5] + r4[x + 3]), down = centre + (r5[x + 4] + r3[x + 4]),
                    falling = centre + (r5[x + 5] + r3[x + 3]), rising = centre + (r5[x + 3] + r3[x + 5]);
        // spec butteraugli 3.5, the fine lines 1, 2, 3, 4, 9, 10, 11, 12.
        const float once = squared(across + (r4[x + 6] + r4[x + 2]) + (r4[x + 7] + r4[x + 1]) + (r4[x + 8] + r4[x])) +
                           squared(down + (r6[x + 4] + r2[x + 4]) + (r7[x + 4] + r1[x + 4]) + (r8[x + 4] + r0[x + 4])) +
                           squared(falling + (r6[x + 6] + r2[x + 2]) + (r7[x + 7] + r1[x + 1])) +
                           squared(rising + (r6[x + 2] + r2[x + 6]) + (r7[x + 1] + r1[x + 7])) +
                           squared(falling + (r6[x + 5] + r2[x + 3]) + (r7[x + 6] + r1[x + 2])) +
                           squared(rising + (r6[x + 3] + r2[x + 5]) + (r7[x + 2] + r1[x + 6])) +
                           squared(falling + (r5[x + 6] + r3[x + 2]) + (r6[x + 7] + r2[x + 1])) +
                           squared(rising + (r5[x + 2] + r3[x + 6]) + (r6[x + 1] + r2[x + 7]));
        // 5, 6, 7, 8.
        const float twice =
            squared(down + (r6[x + 3] + r2[x + 5]) + (r7[x + 3] + r1[x + 5]) + (r8[x + 3] + r0[x + 5])) +
            squared(down + (r6[x + 5] + r2[x + 3]) + (r7[x + 5] + r1[x + 3]) + (r8[x + 5] + r0[x + 3])) +
            squared(across + (r5[x + 6] + r3[x + 2]) + (r5[x + 7] + r3[x + 1]) + (r5[x + 8] + r3[x])) +
            squared(across + (r3[x + 6] + r5[x + 2]) + (r3[x + 7] + r5[x + 1]) + (r3[x + 8] + r5[x]));
        ac[x] += once + 2 * twice;
    }
}

void add_coarse_lines(const float *const rows[9], unsigned count, float *__restrict ac)
{
    const float *r0 = rows[0] - 4, *r1 = rows[1] - 4, *r2 = rows[2] - 4, *r3 = rows[3] - 4, *r4 = rows[4] - 4,
                *r5 = rows[5] - 4, *r6 = rows[6] - 4, *r7 = rows[7] - 4, *r8 = rows[8] - 4;
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float centre = r4[x + 4];
        // The centre and an inner pair, by its offset.
        const float p20 = centre + (r4[x + 6] + r4[x + 2]), p02 = centre + (r6[x + 4] + r2[x + 4]),
                    p22 = centre + (r6[x + 6] + r2[x + 2]), m22 = centre + (r6[x + 2] + r2[x + 6]),
                    m12 = centre + (r6[x + 3] + r2[x + 5]), p12 = centre + (r6[x + 5] + r2[x + 3]),
                    p21 = centre + (r5[x + 6] + r3[x + 2]), m21 = centre + (r3[x + 6] + r5[x + 2]);
        // spec butteraugli 3.5, the coarse lines in their order.
        ac[x] += squared(p20 + (r4[x + 8] + r4[x])) + squared(p02 + (r8[x + 4] + r0[x + 4])) +
                 squared(p22 + (r7[x + 7] + r1[x + 1])) + squared(m22 + (r7[x + 1] + r1[x + 7])) +
                 squared(m12 + (r8[x + 3] + r0[x + 5])) + squared(p12 + (r8[x + 5] + r0[x + 3])) +
                 squared(p21 + (r5[x + 8] + r3[x])) + squared(m21 + (r3[x + 8] + r5[x])) +
                 squared(p12 + (r7[x + 6] + r1[x + 2])) + squared(m12 + (r7[x + 2] + r1[x + 6])) +
                 squared(p21 + (r6[x + 7] + r2[x + 1])) + squared(m21 + (r6[x + 1] + r2[x + 7])) +
                 squared(m21 + (r2[x + 8] + r6[x])) + squared(p21 + (r6[x + 8] + r2[x])) +
                 squared(p12 + (r8[x + 6] + r0[x + 2])) + squared(m12 + (r8[x + 2] + r0[x + 6]));
    }
}

void add_mask_error(const float *ref, const float *dis, unsigned count, float *__restrict ac)
{
    for (std::size_t x = 0; x < count; ++x)
        ac[x] += kButteraugliMaskError * squared(ref[x] - dis[x]);
}

/// The three smallest of all that were put in.
struct Smallest {
    float least, middle, most;

    INLINE void put(float v)
    {
        const float above_least = larger(least, v);
        least = smaller(least, v);
        const float above_middle = larger(middle, above_least);
        middle = smaller(middle, above_least);
        most = smaller(most, above_middle);
    }
};

/// mu or nu of spec butteraugli 3.8, squared.
INLINE float masking(float mask, const float (&factors)[3])
{
    return squared(kButteraugliGlobal * (1 + factors[0] / (factors[1] * mask + factors[2])));
}

void local_distance(const float *const mask[3], const float *ac, const float *dc, unsigned count, float *__restrict out)
{
    constexpr auto kReach = static_cast<std::ptrdiff_t>(kButteraugliErosionReach);
    const float *above = mask[0] - kReach, *same = mask[1] - kReach, *below = mask[2] - kReach;
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const float centre = same[x + kReach];
        Smallest smallest{centre, 2 * centre, 2 * centre};
        smallest.put(same[x]);
        smallest.put(same[x + 2 * kReach]);
        smallest.put(above[x]);
        smallest.put(above[x + kReach]);
        smallest.put(above[x + 2 * kReach]);
        smallest.put(below[x]);
        smallest.put(below[x + kReach]);
        smallest.put(below[x + 2 * kReach]);
        const float m = kButteraugliErosion[0] * smallest.least + kButteraugliErosion[1] * smallest.middle +
                        kButteraugliErosion[2] * smallest.most;
        out[x] = std::sqrt(masking(m, kButteraugliMaskDc) * dc[x] + masking(m, kButteraugliMaskAc) * ac[x]);
    }
}

void add_half(const float *half, unsigned count, float *__restrict map)
{
    for (std::size_t x = 0; x < count / 2; ++x) {
        const float part = kButteraugliHalfWeight * half[x];
        map[2 * x] = kButteraugliFullWeight * map[2 * x] + part;
        map[2 * x + 1] = kButteraugliFullWeight * map[2 * x + 1] + part;
    }
    if (count % 2 != 0)
        map[count - 1] = kButteraugliFullWeight * map[count - 1] + kButteraugliHalfWeight * half[count / 2];
}

void pool(const float *map, unsigned count, double *const powers[kButteraugliPowers], float *__restrict max)
{
    double *__restrict second = powers[kButteraugli2], *__restrict third = powers[kButteraugli3],
                       *__restrict sixth = powers[kButteraugli6], *__restrict twelfth = powers[kButteraugli12];
    NO_OVERLAP
    for (std::size_t x = 0; x < count; ++x) {
        const double d = static_cast<double>(map[x]), d2 = d * d, d3 = d2 * d, d6 = d3 * d3;
        second[x] += d2;
        third[x] += d3;
        sixth[x] += d6;
        twelfth[x] += d6 * d6;
        max[x] = larger(max[x], map[x]);
    }
}

} // namespace

extern const ButteraugliLoops kButteraugliLoops = {
    opsin,          narrow,           compare,        subtract,       low_errors,       reference_high,
    medium,         split_x,          split_y,        activity,       line_differences, high_errors,
    add_fine_lines, add_coarse_lines, add_mask_error, local_distance, add_half,         pool,
};

} // namespace vmaf::VMAF_CPU_TARGET
