#pragma once

#include <cstdint>

#include "feature/ciede/ciede_params.h"

// Functions for the vector loops of ciede: no branches, only operations that every target has in
// vectors. For ciede_loops.cpp alone, so each target has its own copies. The error bounds are
// relative and generous; u = 2^-53.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

/// a * b + c, rounded once where that is one instruction, else twice.
#if defined(__FMA__) || defined(__AVX512F__) || defined(__ARM_FEATURE_FMA)
inline double multiply_add(double a, double b, double c)
{
    return __builtin_fma(a, b, c);
}
inline float multiply_add(float a, float b, float c)
{
    return __builtin_fmaf(a, b, c);
}
#else
inline double multiply_add(double a, double b, double c)
{
    return a * b + c;
}
inline float multiply_add(float a, float b, float c)
{
    return a * b + c;
}
#endif

/// The polynomial c0 + c1 x + c2 x^2 ..
template <class Number> inline Number polynomial(Number, Number c0)
{
    return c0;
}
template <class Number, class... More> inline Number polynomial(Number x, Number c0, More... more)
{
    return multiply_add(x, polynomial(x, static_cast<Number>(more)...), c0);
}

inline double magnitude(double value)
{
    return value < 0 ? -value : value;
}

inline double maximum(double a, double b)
{
    return a > b ? a : b;
}

/// About x^(-1/N), 4 % off at most: the bits of a positive number are nearly its logarithm.
template <int N> inline float inverse_root_seed(float x)
{
    constexpr float kBits = N == 3 ? 1419890954.0F : 1277903859.0F;
    const float bits = static_cast<float>(__builtin_bit_cast(std::int32_t, x));
    return __builtin_bit_cast(float, static_cast<std::int32_t>(kBits - bits * (1.0F / N)));
}

// With h = 1 - x r^N, x^(-1/N) is r (1 - h)^(-1/N): the binomial series is cut where its rest is
// below 2^-16 for the binary32 step, then below 2^-54 for the binary64 step.

// Each function is one long chain of dependent operations. Several values go through it step by
// step, so that processors find work in all of them at once.

/// x^(1/3). Error below 12 u.
template <unsigned Count> inline void cube_roots(const double (&x)[Count], double (&roots)[Count])
{
    float seed[Count], hf[Count];
    double r[Count], h[Count];
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        seed[k] = inverse_root_seed<3>(static_cast<float>(x[k]));
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        hf[k] = multiply_add(-static_cast<float>(x[k]) * seed[k], seed[k] * seed[k], 1.0F);
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        r[k] = static_cast<double>(seed[k] * polynomial(hf[k], 1.0F, 1.0F / 3, 2.0F / 9, 14.0F / 81, 35.0F / 243));
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        h[k] = multiply_add(-x[k] * r[k], r[k] * r[k], 1.0);
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k) {
        const double root = r[k] * polynomial(h[k], 1.0, 1.0 / 3, 2.0 / 9, 14.0 / 81);
        roots[k] = x[k] * (root * root);
    }
}

/// x^2.4 = (x x^(-1/5))^3. Error below 20 u.
template <unsigned Count> inline void powers_2_4(const double (&x)[Count], double (&powers)[Count])
{
    float seed[Count], hf[Count];
    double r[Count], h[Count];
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        seed[k] = inverse_root_seed<5>(static_cast<float>(x[k]));
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k) {
        const float square = seed[k] * seed[k];
        hf[k] = multiply_add(-static_cast<float>(x[k]) * seed[k], square * square, 1.0F);
    }
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k)
        r[k] = static_cast<double>(seed[k] * polynomial(hf[k], 1.0F, 1.0F / 5, 3.0F / 25, 11.0F / 125, 44.0F / 625));
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k) {
        const double square = r[k] * r[k];
        h[k] = multiply_add(-x[k] * r[k], square * square, 1.0);
    }
#pragma GCC unroll 3
    for (unsigned k = 0; k < Count; ++k) {
        const double product = (x[k] * r[k]) * polynomial(h[k], 1.0, 1.0 / 5, 3.0 / 25, 11.0 / 125);
        powers[k] = product * product * product;
    }
}

/// For |x| up to pi/2: the Taylor series, whose next term is below 2^-59. Error below 4 u.
inline double sine(double x)
{
    const double w = x * x;
    const double rest = polynomial(w, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800,
                                   -1.0 / 1307674368000, 1.0 / 355687428096000, -1.0 / 121645100408832000,
                                   1.0 / 51090942171709440000.0);
    return multiply_add(x, w * rest, x);
}

/// The integer next to x, for |x| < 2^51.
inline double nearest_integer(double x)
{
    constexpr double kShift = 6755399441055744.0; // 1.5 * 2^52
    return (x + kShift) - kShift;
}

struct Angle {
    double cosine, sine;
};

/// For |x| up to 40: Taylor series of a quarter of x, less whole turns, whose angle is then doubled
/// twice. Absolute error below 2^-46, nearly all of it from reducing x.
inline Angle angle(double x)
{
    const double quarter = 0.25 * multiply_add(nearest_integer(x * (0.5 / kCiedePi)), -2 * kCiedePi, x);
    const double w = quarter * quarter;
    double s = quarter * polynomial(w, 1.0, -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800,
                                    1.0 / 6227020800, -1.0 / 1307674368000);
    double c = polynomial(w, 1.0, -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600,
                          -1.0 / 87178291200, 1.0 / 20922789888000);
    for (int doubled = 0; doubled < 2; ++doubled) {
        const double twice = s + s, half_cosine = c;
        c = multiply_add(-twice, s, 1.0);
        s = twice * half_cosine;
    }
    return {c, s};
}

/// e^x for -80 <= x <= 0: the Taylor series of e^r, |r| <= ln(2) / 2, times a power of two. Error
/// below 2^-45.
inline double exponential(double x)
{
    constexpr double kLn2 = 0.69314718055994530942, kShift = 6755399441055744.0;
    const double shifted = x * (1 / kLn2) + kShift; // its low bits are the exponent
    const double r = x - (shifted - kShift) * kLn2;
    const double series = polynomial(r, 1.0, 1.0, 1.0 / 2, 1.0 / 6, 1.0 / 24, 1.0 / 120, 1.0 / 720, 1.0 / 5040,
                                     1.0 / 40320, 1.0 / 362880, 1.0 / 3628800, 1.0 / 39916800, 1.0 / 479001600);
    return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, series) +
                                          (__builtin_bit_cast(std::uint64_t, shifted) << 52));
}

/// atan(z) for |z| <= tan(pi/8): z (1 + w Q(w)) with w = z^2 and Q interpolating at Chebyshev
/// nodes. Error below 8 u.
inline double arc_tangent(double z)
{
    const double w = z * z;
    const double q = polynomial(w, -0.3333333333333333, 0.1999999999999552, -0.14285714284666542, 0.11111111015256292,
                                -0.09090904578121085, 0.07692183190760651, -0.0666451144646022, 0.05858148904795124,
                                -0.050854496960392584, 0.039231657085083686, -0.019176885636589053);
    return multiply_add(z, w * q, z);
}

/// The angles of (x, y), 0 for the origin; y is not -0. Error below 16 u.
template <unsigned Count>
inline void arc_tangents2(const double (&y)[Count], const double (&x)[Count], double (&angles)[Count])
{
    constexpr double kTanPi8 = 0.41421356237309504880;
    double first_eighth[Count];
    bool upper[Count];
#pragma GCC unroll 2
    for (unsigned k = 0; k < Count; ++k) {
        const double ay = magnitude(y[k]), ax = magnitude(x[k]);
        const double small = ay < ax ? ay : ax, large = ay < ax ? ax : ay;
        upper[k] = small > kTanPi8 * large;
        const double divisor = upper[k] ? large + small : large;
        first_eighth[k] = (upper[k] ? small - large : small) / (divisor > 0 ? divisor : 1.0);
    }
#pragma GCC unroll 2
    for (unsigned k = 0; k < Count; ++k)
        first_eighth[k] = arc_tangent(first_eighth[k]);
#pragma GCC unroll 2
    for (unsigned k = 0; k < Count; ++k) {
        const double eighth = first_eighth[k] + (upper[k] ? kCiedePi / 4 : 0.0);
        const double quadrant = magnitude(y[k]) > magnitude(x[k]) ? kCiedePi / 2 - eighth : eighth;
        const double half = x[k] < 0 ? kCiedePi - quadrant : quadrant;
        angles[k] = y[k] < 0 ? -half : half;
    }
}

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
