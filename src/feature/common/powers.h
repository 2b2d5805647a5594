#pragma once

// Shared with kernels and hot loops: plain C++17. Every operation is rounded by itself, so every
// processor and every device has the same bits. Loops without calls are vectorised.

#include <cstdint>
#include <cstring>

#include "base/host_and_device.h"

namespace vmaf {
namespace {

/// Marks functions that hot loops call: local to the file (base/cpu.h), and never left as a call.
#ifdef __CUDACC__
#define VMAF_LOCAL_INLINE VMAF_HOST_AND_DEVICE
#else
#define VMAF_LOCAL_INLINE [[gnu::always_inline]] inline
#endif

VMAF_LOCAL_INLINE std::uint64_t bits_of_double(double value)
{
    std::uint64_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

VMAF_LOCAL_INLINE double double_of_bits(std::uint64_t bits)
{
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// log2((1 + z) / (1 - z)) for |z| up to 3 - sqrt(8), within 1e-13 of the value.
VMAF_LOCAL_INLINE double log2_of_quotient(double z)
{
    constexpr double kInverseLn2 = 1.4426950408889634;
    const double w = z * z;
    double series = 1.0 / 15;
    series = series * w + 1.0 / 13;
    series = series * w + 1.0 / 11;
    series = series * w + 1.0 / 9;
    series = series * w + 1.0 / 7;
    series = series * w + 1.0 / 5;
    series = series * w + 1.0 / 3;
    series = series * w + 1;
    return 2 * kInverseLn2 * z * series;
}

/// log2(x) of normal x > 0, within 1e-13 of the value; of 0 a number below -1000.
VMAF_LOCAL_INLINE double exact_log2(double x)
{
    constexpr std::uint64_t kRootHalf = 0x3fe6a09e667f3bcd, kMantissa = 0xfffffffffffff;
    constexpr std::uint64_t kTwo52 = 0x4330000000000000; // 2^52: whole numbers are its last bits
    const std::uint64_t above = bits_of_double(x) - kRootHalf + (std::uint64_t{1023} << 52);
    const double exponent = double_of_bits((above >> 52) | kTwo52) - (4503599627370496.0 + 1023);
    const double m = double_of_bits((above & kMantissa) + kRootHalf);
    return exponent + log2_of_quotient((m - 1) / (m + 1));
}

/// 2^x within 1e-13 of the value. What lies beyond the exponents of normal numbers counts as if it
/// were at their ends.
VMAF_LOCAL_INLINE double exact_exp2(double x)
{
    constexpr double kRound = 0x1.8p52; // to whole numbers: they are in its last bits
    constexpr double kLn2 = 0.69314718055994531;
    const double limited = x < -1022 ? -1022 : x > 1023 ? 1023 : x;
    const double rounded = limited + kRound;
    const double f = (limited - (rounded - kRound)) * kLn2;
    double series = 1.0 / 39916800;
    series = series * f + 1.0 / 3628800;
    series = series * f + 1.0 / 362880;
    series = series * f + 1.0 / 40320;
    series = series * f + 1.0 / 5040;
    series = series * f + 1.0 / 720;
    series = series * f + 1.0 / 120;
    series = series * f + 1.0 / 24;
    series = series * f + 1.0 / 6;
    series = series * f + 0.5;
    series = series * f + 1;
    series = series * f + 1;
    return double_of_bits(bits_of_double(series) + (bits_of_double(rounded) << 52));
}

/// light^power for light > 0, rounded to binary32.
VMAF_LOCAL_INLINE float power_of_light(float light, float power)
{
    return static_cast<float>(exact_exp2(static_cast<double>(power) * exact_log2(static_cast<double>(light))));
}

} // namespace
} // namespace vmaf
