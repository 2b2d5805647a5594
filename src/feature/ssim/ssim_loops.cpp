#include "feature/ssim/ssim_loops.h"

#include <cstddef>

#include "base/vectors.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using V = Vectors;

constexpr const float *kTaps = kSsimWindowTaps.tap;

void widen_8bit(const std::uint8_t *__restrict samples, unsigned count, float *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = static_cast<float>(samples[x]);
}

void widen_16bit(const std::uint16_t *__restrict samples, unsigned count, float inverse_divisor, float *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = static_cast<float>(samples[x]) * inverse_divisor;
}

void multiply(const float *a, const float *b, unsigned count, float *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = a[x] * b[x];
}

void filter_signed(const float *const rows[kSsimTaps], unsigned count, float *__restrict out)
{
    const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3], *r4 = rows[4], *r5 = rows[5], *r6 = rows[6],
                *r7 = rows[7], *r8 = rows[8], *r9 = rows[9], *r10 = rows[10];
    for (unsigned x = 0; x < count; ++x) {
        const float products[kSsimTaps] = {r0[x] * kTaps[0], r1[x] * kTaps[1], r2[x] * kTaps[2],  r3[x] * kTaps[3],
                                           r4[x] * kTaps[4], r5[x] * kTaps[5], r6[x] * kTaps[6],  r7[x] * kTaps[7],
                                           r8[x] * kTaps[8], r9[x] * kTaps[9], r10[x] * kTaps[10]};
        double sum = 0;
#pragma GCC unroll 11
        for (const float product : products)
            sum += static_cast<double>(product);
        out[x] = static_cast<float>(sum);
    }
}

inline V::Float filtered(const float *const rows[kSsimTaps], unsigned x)
{
    V::Double first = V::set_double(0), second = first;
#pragma GCC unroll 11
    for (unsigned k = 0; k < kSsimTaps; ++k) {
        V::Double product_first, product_second;
        V::to_scaled(V::load_float(rows[k] + x) * V::set_float(kTaps[k]), product_first, product_second);
        first = k == 0 ? product_first : first + product_first;
        second = k == 0 ? product_second : second + product_second;
    }
    return V::from_scaled(first, second);
}

void filter(const float *const rows[kSsimTaps], unsigned count, float *__restrict out)
{
    if (count < V::kLanes32)
        return filter_signed(rows, count, out);
    unsigned x = 0;
    for (; x + V::kLanes32 <= count; x += V::kLanes32)
        V::store_float(out + x, filtered(rows, x));
    if (x < count) // ends with the row; some are done again
        V::store_float(out + count - V::kLanes32, filtered(rows, count - V::kLanes32));
}

inline float not_negative(float value)
{
    return value < 0 ? 0.0F : value;
}

void terms(const SsimMoments &moments, unsigned count, const SsimTerms &out)
{
    const float *ref = moments.plane[kSsimRef], *dis = moments.plane[kSsimDis];
    const float *ref_ref = moments.plane[kSsimRefRef], *dis_dis = moments.plane[kSsimDisDis];
    const float *ref_dis = moments.plane[kSsimRefDis];
    double *__restrict l = out.l, *__restrict c = out.c, *__restrict s = out.s, *__restrict q = out.q;
    for (unsigned x = 0; x < count; ++x) {
        const float mr = ref[x], mt = dis[x];
        const float vr = not_negative(ref_ref[x] - mr * mr);
        const float vt = not_negative(dis_dis[x] - mt * mt);
        const float cv = ref_dis[x] - mr * mt;
        const float sg = __builtin_sqrtf(vr * vt);
        l[x] = ((2 * static_cast<double>(mr)) * static_cast<double>(mt) + static_cast<double>(kSsimC1)) /
               static_cast<double>((mr * mr + mt * mt) + kSsimC1);
        c[x] = (2 * static_cast<double>(sg) + static_cast<double>(kSsimC2)) / static_cast<double>((vr + vt) + kSsimC2);
        const float cp = cv < 0 && sg <= 0 ? 0.0F : cv;
        s[x] = static_cast<double>((cp + kSsimC3) / (sg + kSsimC3));
        q[x] = l[x] * c[x] * s[x];
    }
}

void add_products(const float *__restrict in, float tap, unsigned count, double *__restrict sums)
{
    for (std::size_t x = 0; x < count; ++x)
        sums[x] += static_cast<double>(in[x] * tap);
}

void reduce(const double *__restrict sums, unsigned factor, unsigned count, float *__restrict out)
{
    for (std::size_t x = 0; x < count; ++x) {
        double sum = 0;
        for (std::size_t u = 0; u < factor; ++u)
            sum += sums[factor * x + u];
        out[x] = static_cast<float>(sum);
    }
}

void split(const float *__restrict in, unsigned count, float *__restrict even, float *__restrict odd)
{
    for (std::size_t x = 0; x < count; ++x) {
        even[x] = in[2 * x];
        odd[x] = in[2 * x + 1];
    }
}

template <unsigned Distance>
void add_low_passed_row(const float *__restrict even, const float *__restrict odd, unsigned count,
                        double *__restrict sums)
{
    constexpr const float(&tap)[kMsSsimReach + 1] = kMsSsimLowPass.tap[Distance];
    for (std::size_t x = 0; x < count; ++x) {
        double sum = sums[x];
        sum += static_cast<double>(even[x] * tap[4]);
        sum += static_cast<double>(odd[x] * tap[3]);
        sum += static_cast<double>(even[x + 1] * tap[2]);
        sum += static_cast<double>(odd[x + 1] * tap[1]);
        sum += static_cast<double>(even[x + 2] * tap[0]);
        sum += static_cast<double>(odd[x + 2] * tap[1]);
        sum += static_cast<double>(even[x + 3] * tap[2]);
        sum += static_cast<double>(odd[x + 3] * tap[3]);
        sum += static_cast<double>(even[x + 4] * tap[4]);
        sums[x] = sum;
    }
}

void add_low_passed(const float *even, const float *odd, unsigned distance, unsigned count, double *sums)
{
    constexpr decltype(&add_low_passed_row<0>) kRow[kMsSsimReach + 1] = {add_low_passed_row<0>, add_low_passed_row<1>,
                                                                         add_low_passed_row<2>, add_low_passed_row<3>,
                                                                         add_low_passed_row<4>};
    kRow[distance](even, odd, count, sums);
}

void narrow(const double *__restrict sums, unsigned count, float *__restrict out)
{
    for (unsigned x = 0; x < count; ++x)
        out[x] = static_cast<float>(sums[x]);
}

unsigned any_negative(const float *values, unsigned count)
{
    std::uint32_t bits = 0;
    for (unsigned x = 0; x < count; ++x)
        bits |= __builtin_bit_cast(std::uint32_t, values[x]);
    return bits >> 31;
}

} // namespace

extern const SsimLoops kSsimLoops = {widen_8bit,   widen_16bit, multiply, filter,         filter_signed, terms,
                                     add_products, reduce,      split,    add_low_passed, narrow,        any_negative};

} // namespace vmaf::VMAF_CPU_TARGET
