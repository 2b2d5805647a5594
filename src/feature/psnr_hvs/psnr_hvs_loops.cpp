#include "feature/psnr_hvs/psnr_hvs_loops.h"

#include "base/vectors.h"

namespace vmaf::VMAF_CPU_TARGET {
namespace {

using i16 = std::int16_t;
using V = Vectors;

constexpr unsigned kSide = kHvsBlockPx;
constexpr unsigned kHalf = kSide / 2;
static_assert(kHvsGroup % V::kLanes16 == 0 && kSide == 8);

/// Eight samples of a row of each block, load(blocks, offset), become eight rows of lanes.
template <class Load>
inline void gather(const HvsBlocks &blocks, std::ptrdiff_t stride_bytes, unsigned peak, HvsSamples &samples, Load load)
{
    const V::Int most = V::set16(static_cast<int>(peak));
    for (unsigned b = 0; b < kHvsGroup; b += V::kLanes16)
        for (unsigned i = 0; i < kSide; ++i) {
            V::Int v[kSide];
#pragma GCC unroll 8
            for (unsigned n = 0; n < kSide; ++n)
                v[n] = load(blocks.start + b + n, stride_bytes * static_cast<std::ptrdiff_t>(i));
            V::transpose16(v);
#pragma GCC unroll 8
            for (unsigned j = 0; j < kSide; ++j)
                V::store16(&samples.value[kSide * i + j][b], V::min_u16(v[j], most));
        }
}

void gather_8bit(const HvsBlocks &blocks, std::ptrdiff_t stride_bytes, HvsSamples &samples)
{
    gather(blocks, stride_bytes, 255, samples,
           [](const std::byte *const *from, std::ptrdiff_t offset) { return V::load_blocks8(from, offset); });
}

void gather_16bit(const HvsBlocks &blocks, std::ptrdiff_t stride_bytes, std::uint16_t peak, HvsSamples &samples)
{
    gather(blocks, stride_bytes, peak, samples,
           [](const std::byte *const *from, std::ptrdiff_t offset) { return V::load_blocks16(from, offset); });
}

inline V::Float to_float(const i16 *from)
{
    return V::to_float(V::load_signed16(from));
}

/// The place in raster order of sample n of a quadrant that begins at `corner`.
constexpr unsigned place(unsigned corner, unsigned n)
{
    return corner + kSide * (n / kHalf) + n % kHalf;
}

constexpr unsigned kQuadrants[4] = {0, kSide *kHalf, kHalf, kSide *kHalf + kHalf}; // TL, BL, TR, BR

/// The sums of the samples of each quadrant; 16 samples of 12 bits fit an unsigned 16-bit number.
struct QuadrantSums {
    alignas(64) i16 value[4][kHvsGroup];
};

void add_quadrants(const HvsSamples &p, QuadrantSums &sums)
{
    for (unsigned q = 0; q < 4; ++q)
        for (unsigned b = 0; b < kHvsGroup; b += V::kLanes16) {
            V::Int sum = V::set16(0);
            for (unsigned n = 0; n < kHalf * kHalf; ++n)
                sum = V::add16(sum, V::load16(&p.value[place(kQuadrants[q], n)][b]));
            V::store16(&sums.value[q][b], sum);
        }
}

inline void add_squared(V::Float &sum, V::Float sample, V::Float mean)
{
    const V::Float deviation = sample - mean;
    sum = sum + deviation * deviation;
}

/// spec psnr_hvs 3.2: gv. The rows of the upper half, then of the lower, so that the order is that
/// of the chapter for the whole block and for each quadrant.
void variance_ratio(const HvsSamples &p, HvsLanes &ratio)
{
    constexpr float kWhole = 1.0F / 63.0F * 64.0F, kQuadrant = 1.0F / 15.0F * 16.0F;
    constexpr float kLeast = 0x1p-100F; // keeps 0 / 0 away, where every deviation is 0
    QuadrantSums sums;
    add_quadrants(p, sums);
    for (unsigned b = 0; b < kHvsGroup; b += V::kLanes32) {
        V::Float mean[4], v[4];
        for (unsigned q = 0; q < 4; ++q) {
            mean[q] = V::to_float(V::bit_and(V::load_signed16(&sums.value[q][b]), V::set32(0xffff)));
            v[q] = V::set_float(0);
        }
        const V::Float whole_mean = ((mean[0] + mean[1]) + (mean[2] + mean[3])) * V::set_float(1.0F / 64.0F);
        for (V::Float &m : mean)
            m = m * V::set_float(1.0F / 16.0F);
        V::Float gv = V::set_float(0);
#pragma GCC unroll 2
        for (unsigned half = 0; half < 2; ++half)
            for (unsigned i = kHalf * half; i < kHalf * (half + 1); ++i)
#pragma GCC unroll 8
                for (unsigned j = 0; j < kSide; ++j) {
                    const unsigned q = j / kHalf * 2 + half;
                    const V::Float sample = to_float(&p.value[kSide * i + j][b]);
                    add_squared(gv, sample, whole_mean);
                    add_squared(v[q], sample, mean[q]);
                }
        for (V::Float &quadrant : v)
            quadrant = quadrant * V::set_float(kQuadrant);
        gv = gv * V::set_float(kWhole);
        V::store_float(ratio.value + b, (((v[0] + v[1]) + v[2]) + v[3]) / V::max(gv, V::set_float(kLeast)));
    }
}

/// A number of the transform in each lane (spec psnr_hvs 5: 16 bits hold all of them).
struct Number {
    V::Int v;

    static Number load(const i16 *from) { return {V::load16(from)}; }
    void store(i16 *to) const { V::store16(to, v); }
    friend Number operator+(Number a, Number b) { return {V::add16(a.v, b.v)}; }
    friend Number operator-(Number a, Number b) { return {V::subtract16(a.v, b.v)}; }
};

inline Number half(Number a)
{
    return {V::shift_right_signed16(V::add16(a.v, V::shift_right16(a.v, 15)), 1)};
}

/// r(a, m, s) for factor = m * 2^(15 - s).
inline Number product(Number a, int factor)
{
    return {V::multiply_rounded16(a.v, V::set16(factor))};
}

/// spec psnr_hvs 3.3: the one-dimensional transform of eight numbers of each block, `step` numbers
/// apart, in place.
inline void transform(i16 (*x)[kHvsGroup], unsigned step)
{
    for (unsigned b = 0; b < kHvsGroup; b += V::kLanes16) {
        const auto at = [=](unsigned k) { return Number::load(&x[k * step][b]); };
        const Number x0 = at(0), x1 = at(1), x2 = at(2), x3 = at(3), x4 = at(4), x5 = at(5), x6 = at(6), x7 = at(7);
        Number u1 = x0 - x7;
        const Number k1 = half(u1);
        Number u0 = x0 - k1;
        Number u4 = x1 + x6;
        const Number k4 = half(u4);
        Number u5 = x6 - k4;
        Number u3 = x2 - x5;
        Number u2 = x2 - half(u3);
        Number u6 = x3 + x4;
        const Number k6 = half(u6);
        Number u7 = k6 - x4;
        u0 = u0 + k6;
        u6 = u0 - u6;
        u2 = k4 - u2;
        u4 = u2 - u4;
        u0 = u0 - product(u4, 13573);
        u4 = u4 + product(u0, 2 * 11585);
        u0 = u0 - product(u4, 13573);
        u6 = u6 - product(u2, 21895);
        u2 = u2 + product(u6, 2 * 15137);
        u6 = u6 - product(u2, 21895);
        u3 = u3 + product(u5, 19195);
        u5 = u5 + product(u3, 2 * 11585);
        u3 = u3 - product(u5, 4 * 7489);
        u7 = half(u5) - u7;
        u5 = u5 - u7;
        u3 = k1 - u3;
        u1 = u1 - u3;
        u7 = u7 + product(u1, 3227);
        u1 = u1 - product(u7, 6393);
        u7 = u7 + product(u1, 3227);
        u5 = u5 + product(u3, 4 * 2485);
        u3 = u3 - product(u5, 18205);
        u5 = u5 + product(u3, 4 * 2485);
        const Number u[kSide] = {u0, u1, u2, u3, u4, u5, u6, u7};
        for (unsigned k = 0; k < kSide; ++k)
            u[k].store(&x[k * step][b]);
    }
}

/// spec psnr_hvs 3.3: the columns, then the rows.
void transform_block(HvsSamples &x)
{
    for (unsigned j = 0; j < kSide; ++j)
        transform(x.value + j, kSide);
    for (unsigned i = 0; i < kSide; ++i)
        transform(x.value + kSide * i, 1);
}

/// spec psnr_hvs 3.4: mask. The product of two such floats is X * X rounded once.
void masking(const HvsSamples &x, const HvsWeights &weights, const HvsLanes &ratio, HvsLanes &mask)
{
    for (unsigned b = 0; b < kHvsGroup; b += V::kLanes32) {
        V::Float sum = V::set_float(0);
        for (unsigned k = 1; k < kHvsCoefficients; ++k) {
            const V::Float coefficient = to_float(&x.value[k][b]);
            sum = sum + (coefficient * coefficient) * V::set_float(weights.mask[k]);
        }
        const V::Float root = V::square_root(sum * V::load_float(ratio.value + b));
        V::store_float(mask.value + b, root * V::set_float(1.0F / 32.0F));
    }
}

void transform_and_mask(HvsSamples &samples, const HvsWeights &weights, HvsLanes &mask)
{
    HvsLanes ratio;
    variance_ratio(samples, ratio);
    transform_block(samples);
    masking(samples, weights, ratio, mask);
}

/// |Xr - Xd|
inline V::Float difference(const i16 *ref, const i16 *dis)
{
    return V::to_float(V::abs32(V::subtract32(V::load_signed16(ref), V::load_signed16(dis))));
}

inline void store_squared(float *z, V::Float error, float csf)
{
    const V::Float weighted = error * V::set_float(csf);
    V::store_float(z, weighted * weighted);
}

void errors(const HvsSamples &ref, const HvsLanes &ref_mask, const HvsSamples &dis, const HvsLanes &dis_mask,
            const HvsWeights &weights, HvsErrors &errors)
{
    const V::Float none = V::set_float(0);
    for (unsigned b = 0; b < kHvsGroup; b += V::kLanes32) {
        store_squared(&errors.z[0][b], difference(&ref.value[0][b], &dis.value[0][b]), weights.csf[0]);
        const V::Float threshold = V::max(V::load_float(dis_mask.value + b), V::load_float(ref_mask.value + b));
        for (unsigned k = 1; k < kHvsCoefficients; ++k) {
            const V::Float visible =
                difference(&ref.value[k][b], &dis.value[k][b]) - threshold / V::set_float(weights.mask[k]);
            store_squared(&errors.z[k][b], V::max(visible, none), weights.csf[k]);
        }
    }
}

float accumulate_in_order(float accumulator, const HvsErrors &errors)
{
    for (unsigned b = 0; b < kHvsGroup; ++b)
        for (const float(&z)[kHvsGroup] : errors.z)
            accumulator += z[b];
    return accumulator;
}

inline float sum_of_lanes(V::Float v)
{
    alignas(64) float lanes[V::kLanes32];
    V::store_float(lanes, v);
    float sum = 0;
    for (const float lane : lanes)
        sum += lane;
    return sum;
}

/// While acc stays below the next power of two, adding z adds what z gives rounded to a multiple of
/// acc's last place, whatever acc is, but for ties, which depend on its last bit. So without ties
/// the order does not matter. Rounded z is z + base - base, where base is in the middle of numbers
/// that have the same last place; all sums of it are exact.
float accumulate(float accumulator, const HvsErrors &errors)
{
    const std::uint32_t exponent = __builtin_bit_cast(std::uint32_t, accumulator) & 0x7f800000U;
    // Between 2^-63 and 2^63 nothing leaves the range of normal numbers.
    constexpr std::uint32_t kLeast = 64U << 23, kMost = 190U << 23;
    if (exponent < kLeast || exponent > kMost)
        return accumulate_in_order(accumulator, errors);
    const float power = __builtin_bit_cast(float, exponent), half_place = power * 0x1p-24F;
    const V::Float base = V::set_float(1.5F * power);
    V::Float total = V::set_float(0);
    V::Int largest = V::set32(0);
    for (const float(&z)[kHvsGroup] : errors.z)
        for (unsigned b = 0; b < kHvsGroup; b += V::kLanes32) {
            const V::Float term = V::load_float(z + b);
            const V::Float rounded = (term + base) - base;
            largest = V::max32(largest, V::bit_and(V::as_int(term - rounded), V::set32(0x7fffffff)));
            total = total + rounded;
        }
    const auto half_place_bits = __builtin_bit_cast(std::uint32_t, half_place);
    const bool no_ties = V::all(V::greater32(V::set32(half_place_bits), largest));
    const float sum = sum_of_lanes(total);
    if (no_ties && sum < 0.5F * power && accumulator + sum < 2 * power)
        return accumulator + sum;
    return accumulate_in_order(accumulator, errors);
}

} // namespace

extern const PsnrHvsLoops kPsnrHvsLoops = {gather_8bit, gather_16bit, transform_and_mask, errors, accumulate};

} // namespace vmaf::VMAF_CPU_TARGET
