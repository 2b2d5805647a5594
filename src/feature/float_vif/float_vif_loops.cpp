#include "feature/float_vif/float_vif_loops.h"

#include <cstddef>
#include <cstdint>

namespace vmaf::VMAF_CPU_TARGET {
namespace {

void product(const float *__restrict a, const float *__restrict b, unsigned count, float *__restrict out)
{
    for (unsigned i = 0; i < count; ++i)
        out[i] = a[i] * b[i];
}

// Columns whose sums stay in registers while their taps are added in order: four or eight vectors.
// A sum starts at its first tap: starting at 0 changes nothing but the sign of a zero.
constexpr unsigned kBlockPx = __BIGGEST_ALIGNMENT__ >= 32 ? 64 : 32;
static_assert(kFloatVifRoundPx % kBlockPx == 0);

template <std::ptrdiff_t Step>
void filter(const float *__restrict first, const float *__restrict taps, unsigned tap_count, unsigned count,
            float *__restrict out)
{
    for (unsigned x = 0; x < count; x += kBlockPx) {
        float sum[kBlockPx];
        const float *tap = first + x;
        for (unsigned i = 0; i < kBlockPx; ++i)
            sum[i] = taps[0] * tap[i];
        for (unsigned k = 1; k < tap_count; ++k) {
            tap += Step;
            for (unsigned i = 0; i < kBlockPx; ++i)
                sum[i] += taps[k] * tap[i];
        }
        __builtin_memcpy(out + x, sum, sizeof(sum));
    }
}

void every_second(const float *__restrict row, unsigned count, float *__restrict out)
{
    for (std::size_t i = 0; i < count; ++i)
        out[i] = row[2 * i];
}

/// LG of spec float_features 3.3, for a >= 1, infinity or NaN.
inline float log2_of(float a)
{
    constexpr float k0 = -0.012671635276421F, k1 = 0.064841182402670F, k2 = -0.157048836463065F,
                    k3 = 0.257167726303123F, k4 = -0.353800560300520F, k5 = 0.480131410397451F,
                    k6 = -0.721314327952201F, k7 = 1.442694803896991F;
    const std::uint32_t bits = __builtin_bit_cast(std::uint32_t, a);
    const std::int32_t exponent = static_cast<std::int32_t>(bits >> 23 & 0xff) - 127;
    const float t = __builtin_bit_cast(float, (bits & 0x7fffff) | 0x3f800000) - 1;
    return static_cast<float>(exponent) +
           (((((((k0 * t + k1) * t + k2) * t + k3) * t + k4) * t + k5) * t + k6) * t + k7) * t;
}

template <bool ExactInverse>
void statistic(const FloatVifMoments &moments, unsigned count, const FloatVifNoise &noise, float *__restrict num,
               float *__restrict den)
{
    constexpr float eps = 1.0e-10F;
    const float *m1 = moments.filtered[kFloatVifRef], *m2 = moments.filtered[kFloatVifDis];
    const float *xx = moments.filtered[kFloatVifRefRef], *yy = moments.filtered[kFloatVifDisDis];
    const float *xy = moments.filtered[kFloatVifRefDis];
    const FloatVifNoise n = noise;
    for (unsigned i = 0; i < count; ++i) {
        const float v1 = xx[i] - m1[i] * m1[i], v2 = yy[i] - m2[i] * m2[i];
        const float s2 = v2 > 0 ? v2 : 0, s12 = xy[i] - m1[i] * m2[i];
        float s1 = v1 > 0 ? v1 : 0;
        float g = s12 / (s1 + eps);
        float v = s2 - g * s12;
        const bool ref_flat = s1 < eps, dis_flat = s2 < eps;
        g = ref_flat ? 0 : g;
        v = ref_flat ? s2 : v;
        s1 = ref_flat ? 0 : s1;
        g = dis_flat ? 0 : g;
        v = dis_flat ? 0 : v;
        v = g < 0 ? s2 : v;
        g = g < 0 ? 0 : g;
        v = v > eps ? v : eps;
        g = g < n.gain_limit ? g : n.gain_limit;

        const float signal = g * g * s1;
        const float to_noise =
            static_cast<float>(1 + static_cast<double>(signal) / (static_cast<double>(v) + n.sigma_nsq));
        // Where the inverse is exact so is the sum in double, and only then rounded: the float sum
        // is the same.
        const float ref_to_noise =
            ExactInverse ? 1 + s1 * n.inverse : static_cast<float>(1 + static_cast<double>(s1) / n.sigma_nsq);
        const float unrelated = s12 < 0 ? 0 : log2_of(to_noise);
        const bool low = s1 < n.least_variance;
        num[i] = low ? 1 - s2 * n.low_factor : unrelated;
        den[i] = low ? 1 : log2_of(ref_to_noise);
    }
}

void any_statistic(const FloatVifMoments &moments, unsigned count, const FloatVifNoise &noise, float *num, float *den)
{
    (noise.exact_inverse ? statistic<true> : statistic<false>)(moments, count, noise, num, den);
}

} // namespace

extern const FloatVifLoops kFloatVifLoops = {product, filter<kFloatVifRowPx>, filter<1>, every_second, any_statistic};

} // namespace vmaf::VMAF_CPU_TARGET
