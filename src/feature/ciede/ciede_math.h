#pragma once

#include <cstdint>

#include "feature/ciede/ciede_params.h"

// Functions for the vector loops of ciede: no branches, only operations that every target has in vectors. For ciede_loops.cpp
// alone, so each target has its own copies. The error bounds are relative and generous; u = 2^-53.

namespace vmaf::VMAF_CPU_TARGET {
namespace {

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

// With h = 1 - x r^N, x^(-1/N) is r (1 - h)^(-1/N): the binomial series is cut where its rest is below 2^-16 for the binary32
// step, then below 2^-54 for the binary64 step.

/// x^(1/3). Error below 12 u.
inline double cube_root(double x)
{
    const float xf = static_cast<float>(x), seed = inverse_root_seed<3>(xf);
    const float hf = 1.0F - xf * seed * (seed * seed);
    const double r =
        static_cast<double>(seed * (1.0F + hf * (1.0F / 3 + hf * (2.0F / 9 + hf * (14.0F / 81 + hf * (35.0F / 243))))));
    const double h = 1.0 - x * r * (r * r);
    const double root = r * (1.0 + h * (1.0 / 3 + h * (2.0 / 9 + h * (14.0 / 81))));
    return x * (root * root);
}

/// x^2.4 = (x x^(-1/5))^3. Error below 20 u.
inline double power_2_4(double x)
{
    const float xf = static_cast<float>(x), seed = inverse_root_seed<5>(xf);
    const float square = seed * seed;
    const float hf = 1.0F - xf * seed * (square * square);
    const double r = static_cast<double>(
        seed * (1.0F + hf * (1.0F / 5 + hf * (3.0F / 25 + hf * (11.0F / 125 + hf * (44.0F / 625))))));
    const double r2 = r * r;
    const double h = 1.0 - x * r * (r2 * r2);
    const double product = x * (r * (1.0 + h * (1.0 / 5 + h * (3.0 / 25 + h * (11.0 / 125)))));
    return product * product * product;
}

/// For |x| up to pi/2: the Taylor series, whose next term is below 2^-59. Error below 4 u.
inline double sine(double x)
{
    const double w = x * x;
    const double rest =
        -1.0 / 6 +
        w * (1.0 / 120 +
             w * (-1.0 / 5040 +
                  w * (1.0 / 362880 +
                       w * (-1.0 / 39916800 +
                            w * (1.0 / 6227020800 +
                                 w * (-1.0 / 1307674368000 +
                                      w * (1.0 / 355687428096000 +
                                           w * (-1.0 / 121645100408832000 + w * (1.0 / 51090942171709440000.0)))))))));
    return x + x * (w * rest);
}

/// The integer next to x, for |x| < 2^51.
inline double nearest_integer(double x)
{
    constexpr double kShift = 6755399441055744.0; // 1.5 * 2^52
    return (x + kShift) - kShift;
}

/// For |x| up to 40. Absolute error below 2^-46, nearly all of it from reducing x.
inline double cosine(double x)
{
    const double half = 0.5 * x;
    const double s = sine(half - nearest_integer(half * (1 / kCiedePi)) * kCiedePi);
    return 1 - 2 * (s * s);
}

/// e^x for -80 <= x <= 0: the Taylor series of e^r, |r| <= ln(2) / 2, times a power of two. Error below 2^-45.
inline double exponential(double x)
{
    constexpr double kLn2 = 0.69314718055994530942, kShift = 6755399441055744.0;
    const double shifted = x * (1 / kLn2) + kShift; // its low bits are the exponent
    const double r = x - (shifted - kShift) * kLn2;
    const double series =
        1 + r * (1 + r * (1.0 / 2 +
                          r * (1.0 / 6 +
                               r * (1.0 / 24 +
                                    r * (1.0 / 120 +
                                         r * (1.0 / 720 +
                                              r * (1.0 / 5040 +
                                                   r * (1.0 / 40320 +
                                                        r * (1.0 / 362880 +
                                                             r * (1.0 / 3628800 + r * (1.0 / 39916800 +
                                                                                       r * (1.0 / 479001600))))))))))));
    return __builtin_bit_cast(double, __builtin_bit_cast(std::uint64_t, series) +
                                          (__builtin_bit_cast(std::uint64_t, shifted) << 52));
}

/// atan(z) for |z| <= tan(pi/8): z (1 + w Q(w)) with w = z^2 and Q interpolating at Chebyshev nodes. Error below 8 u.
inline double arc_tangent(double z)
{
    const double w = z * z;
    const double q =
        -0.3333333333333333 +
        w * (0.1999999999999552 +
             w * (-0.14285714284666542 +
                  w * (0.11111111015256292 +
                       w * (-0.09090904578121085 +
                            w * (0.07692183190760651 +
                                 w * (-0.0666451144646022 +
                                      w * (0.05858148904795124 +
                                           w * (-0.050854496960392584 +
                                                w * (0.039231657085083686 + w * -0.019176885636589053)))))))));
    return z + z * (w * q);
}

/// The angle of (x, y), 0 for the origin; y is not -0. Error below 16 u.
inline double arc_tangent2(double y, double x)
{
    constexpr double kTanPi8 = 0.41421356237309504880;
    const double ay = y < 0 ? -y : y, ax = x < 0 ? -x : x;
    const double small = ay < ax ? ay : ax, large = ay < ax ? ax : ay;
    const bool upper = small > kTanPi8 * large;
    const double divisor = upper ? large + small : large;
    const double z = (upper ? small - large : small) / (divisor > 0 ? divisor : 1.0);
    const double first_eighth = arc_tangent(z) + (upper ? kCiedePi / 4 : 0.0);
    const double quadrant = ay > ax ? kCiedePi / 2 - first_eighth : first_eighth;
    const double half = x < 0 ? kCiedePi - quadrant : quadrant;
    return y < 0 ? -half : half;
}

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
