#include "feature/psnr_hvs/psnr_hvs_loops.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using i32 = std::int32_t;

constexpr unsigned kSide = kHvsBlockPx;
constexpr unsigned kHalf = kSide / 2;

/// A number of every block.
struct Lanes {
    alignas(64) float value[kHvsGroup];
};

void widen(const std::uint8_t *__restrict samples, unsigned count, std::uint16_t *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = samples[x];
}

void limit(const std::uint16_t *__restrict samples, unsigned count, std::uint16_t peak, std::uint16_t *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = samples[x] < peak ? samples[x] : peak;
}

void spread(const HvsRows &rows, HvsSamples &samples)
{
    for (unsigned i = 0; i < kSide; ++i)
        for (unsigned j = 0; j < kSide; ++j)
            for (unsigned b = 0; b < kHvsGroup; ++b)
                samples.value[kSide * i + j][b] = rows.sample[i][kHvsStepPx * b + j];
}

/// The coefficient at place `n`, in raster order, of Side rows and columns from `corner` on.
template <unsigned Side> constexpr unsigned coefficient(unsigned corner, unsigned n)
{
    return corner + kSide * (n / Side) + n % Side;
}

/// Sum of the squared differences to the mean, over Side rows and columns from `corner` on, in raster order. Unrolled, so that
/// the loop over the blocks is the one that is vectorised.
template <unsigned Side> inline float squared_deviation(const HvsInts &p, unsigned b, unsigned corner)
{
    i32 sum = 0;
#pragma GCC unroll 64
    for (unsigned n = 0; n < Side * Side; ++n)
        sum += p[coefficient<Side>(corner, n)][b];
    const float mean = static_cast<float>(sum) / static_cast<float>(Side * Side);
    float total = 0;
#pragma GCC unroll 64
    for (unsigned n = 0; n < Side * Side; ++n) {
        const float deviation = static_cast<float>(p[coefficient<Side>(corner, n)][b]) - mean;
        total += deviation * deviation;
    }
    return total;
}

/// spec psnr_hvs 3.2: gv.
void variance_ratio(const HvsInts &__restrict p, Lanes &__restrict ratio)
{
    constexpr float kWhole = 1.0F / 63.0F * 64.0F, kQuadrant = 1.0F / 15.0F * 16.0F;
    for (unsigned b = 0; b < kHvsGroup; ++b) {
        const float whole = squared_deviation<kSide>(p, b, 0) * kWhole;
        const float tl = squared_deviation<kHalf>(p, b, 0) * kQuadrant;
        const float bl = squared_deviation<kHalf>(p, b, kSide * kHalf) * kQuadrant;
        const float tr = squared_deviation<kHalf>(p, b, kHalf) * kQuadrant;
        const float br = squared_deviation<kHalf>(p, b, kSide * kHalf + kHalf) * kQuadrant;
        const float divisor = whole > 0 ? whole : 1.0F;
        ratio.value[b] = whole > 0 ? (tl + bl + tr + br) / divisor : whole;
    }
}

inline i32 rounded_product(i32 a, i32 factor, int shift)
{
    return (a * factor + (1 << (shift - 1))) >> shift;
}

/// spec psnr_hvs 3.3: the one-dimensional transform of eight numbers of each block, `step` coefficients apart, in place.
void transform(i32 (*x)[kHvsGroup], unsigned step)
{
    for (unsigned b = 0; b < kHvsGroup; ++b) {
        const i32 x0 = x[0][b], x1 = x[step][b], x2 = x[2 * step][b], x3 = x[3 * step][b];
        const i32 x4 = x[4 * step][b], x5 = x[5 * step][b], x6 = x[6 * step][b], x7 = x[7 * step][b];
        i32 u1 = x0 - x7;
        const i32 k1 = u1 / 2;
        i32 u0 = x0 - k1;
        i32 u4 = x1 + x6;
        const i32 k4 = u4 / 2;
        i32 u5 = x6 - k4;
        i32 u3 = x2 - x5;
        i32 u2 = x2 - u3 / 2;
        i32 u6 = x3 + x4;
        const i32 k6 = u6 / 2;
        i32 u7 = k6 - x4;
        u0 += k6;
        u6 = u0 - u6;
        u2 = k4 - u2;
        u4 = u2 - u4;
        u0 -= rounded_product(u4, 13573, 15);
        u4 += rounded_product(u0, 11585, 14);
        u0 -= rounded_product(u4, 13573, 15);
        u6 -= rounded_product(u2, 21895, 15);
        u2 += rounded_product(u6, 15137, 14);
        u6 -= rounded_product(u2, 21895, 15);
        u3 += rounded_product(u5, 19195, 15);
        u5 += rounded_product(u3, 11585, 14);
        u3 -= rounded_product(u5, 7489, 13);
        u7 = u5 / 2 - u7;
        u5 -= u7;
        u3 = k1 - u3;
        u1 -= u3;
        u7 += rounded_product(u1, 3227, 15);
        u1 -= rounded_product(u7, 6393, 15);
        u7 += rounded_product(u1, 3227, 15);
        u5 += rounded_product(u3, 2485, 13);
        u3 -= rounded_product(u5, 18205, 15);
        u5 += rounded_product(u3, 2485, 13);
        x[0][b] = u0;
        x[step][b] = u1;
        x[2 * step][b] = u2;
        x[3 * step][b] = u3;
        x[4 * step][b] = u4;
        x[5 * step][b] = u5;
        x[6 * step][b] = u6;
        x[7 * step][b] = u7;
    }
}

/// spec psnr_hvs 3.3: the columns, then the rows.
void transform_block(const HvsInts &p, HvsInts &x)
{
    for (unsigned k = 0; k < kHvsCoefficients; ++k)
        for (unsigned b = 0; b < kHvsGroup; ++b)
            x[k][b] = p[k][b];
    for (unsigned j = 0; j < kSide; ++j)
        transform(x + j, kSide);
    for (unsigned i = 0; i < kSide; ++i)
        transform(x + kSide * i, 1);
}

/// spec psnr_hvs 3.4: mask.
void masking(const HvsInts &__restrict x, const Lanes &__restrict ratio, const HvsWeights &__restrict weights,
             Lanes &__restrict mask)
{
    for (unsigned b = 0; b < kHvsGroup; ++b) {
        float sum = 0;
        for (unsigned k = 1; k < kHvsCoefficients; ++k)
            sum += static_cast<float>(x[k][b] * x[k][b]) * weights.mask[k];
        mask.value[b] = __builtin_sqrtf(sum * ratio.value[b]) / 32.0F;
    }
}

void transform_and_mask(const HvsInts &p, const HvsWeights &weights, HvsInts &x, Lanes &mask)
{
    Lanes ratio;
    variance_ratio(p, ratio);
    transform_block(p, x);
    masking(x, ratio, weights, mask);
}

/// spec psnr_hvs 3.4: z of one coefficient.
void error_terms(const i32 *__restrict ref_x, const i32 *__restrict dis_x, const Lanes &__restrict threshold,
                 float mask, float csf, float *__restrict z)
{
    for (unsigned b = 0; b < kHvsGroup; ++b) {
        const i32 difference = ref_x[b] - dis_x[b];
        const float visible = static_cast<float>(difference < 0 ? -difference : difference) - threshold.value[b] / mask;
        const float error = visible < 0 ? 0.0F : visible;
        z[b] = (error * csf) * (error * csf);
    }
}

void errors(const HvsSamples &ref, const HvsSamples &dis, const HvsWeights &__restrict weights,
            HvsErrors &__restrict errors)
{
    alignas(64) HvsInts ref_x, dis_x;
    Lanes ref_mask, dis_mask, threshold;
    transform_and_mask(ref.value, weights, ref_x, ref_mask);
    transform_and_mask(dis.value, weights, dis_x, dis_mask);
    for (unsigned b = 0; b < kHvsGroup; ++b)
        threshold.value[b] = dis_mask.value[b] > ref_mask.value[b] ? dis_mask.value[b] : ref_mask.value[b];
    error_terms(ref_x[0], dis_x[0], Lanes{}, 1, weights.csf[0], errors.z[0]);
    for (unsigned k = 1; k < kHvsCoefficients; ++k)
        error_terms(ref_x[k], dis_x[k], threshold, weights.mask[k], weights.csf[k], errors.z[k]);
}

} // namespace

extern const PsnrHvsLoops kPsnrHvsLoops = {widen, limit, spread, errors};

} // namespace vmaf::VMAF_CPU_TARGET
