#pragma once

// For loops of colour conversions. Like them, everything is local to the file (base/cpu.h).

#include <cstdint>
#include <cstring>

// A call left in a loop would keep the loop from being vectorised.
#define INLINE [[gnu::always_inline]] inline

// What is written overlaps nothing that is read. Clang has no such pragma and checks that when the
// loop begins.
#ifdef __clang__
#define NO_OVERLAP
#else
#define NO_OVERLAP _Pragma("GCC ivdep")
#endif

namespace vmaf::VMAF_CPU_TARGET {
namespace {

INLINE float larger(float a, float b)
{
    return a > b ? a : b;
}
INLINE float smaller(float a, float b)
{
    return a < b ? a : b;
}

/// First guess of x^(-exponent), 10 to 16 % off in what the iterations below call h: the bit
/// pattern of a float is a straight-line logarithm of it. `start` centres the error.
INLINE float inverse_root_guess(float x, float exponent, float start)
{
    std::int32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const std::int32_t guess_bits = static_cast<std::int32_t>(start - static_cast<float>(bits) * exponent);
    float guess;
    std::memcpy(&guess, &guess_bits, sizeof guess);
    return guess;
}

INLINE float from_bits(std::int32_t bits)
{
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
INLINE std::int32_t bits_of(float value)
{
    std::int32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Logarithm of a normal x > 0, within 2e-7 before rounding: log2(1 + t) / t for the mantissa that
/// is nearest to 1.
INLINE float log2_of(float x)
{
    constexpr std::int32_t kRootHalf = 0x3f3504f3, kMantissa = 0x7fffff;
    const std::int32_t above = bits_of(x) - kRootHalf;
    const float exponent = static_cast<float>(above >> 23);
    const float t = from_bits((above & kMantissa) + kRootHalf) - 1;
    float q = -0.14275974F;
    q = q * t + 0.23265257F;
    q = q * t - 0.24927182F;
    q = q * t + 0.28728887F;
    q = q * t - 0.36022517F;
    q = q * t + 0.48091670F;
    q = q * t - 0.72135293F;
    q = q * t + 1.4426950F;
    return q * t + exponent;
}

/// Relative error below 3e-7. What lies beyond a float's exponents counts as if it were at their
/// ends.
INLINE float exp2_of(float x)
{
    const float held = smaller(larger(x, -126), 127);
    constexpr float kRound = 0x1.8p23F; // to whole numbers: they are in its last bits
    const float rounded = held + kRound;
    const float f = held - (rounded - kRound);
    float p = 0.0013390863F;
    p = p * f + 0.0096760318F;
    p = p * f + 0.055503570F;
    p = p * f + 0.24022107F;
    p = p * f + 0.69314718F;
    p = p * f + 1;
    return from_bits(bits_of(p) + (bits_of(rounded) << 23));
}

/// Three values at a time, operation by operation: each has a long chain of them, of which a
/// processor looks too little ahead to find the next one's.
struct Three {
    float v[3];
};
template <class Operation> INLINE Three each(Operation operation)
{
    Three result;
    for (int i = 0; i < 3; ++i)
        result.v[i] = operation(i);
    return result;
}
INLINE Three operator*(const Three &a, const Three &b)
{
    return each([&](int i) { return a.v[i] * b.v[i]; });
}
INLINE Three operator*(const Three &a, float b)
{
    return each([&](int i) { return a.v[i] * b; });
}
INLINE Three operator+(const Three &a, const Three &b)
{
    return each([&](int i) { return a.v[i] + b.v[i]; });
}
INLINE Three operator+(const Three &a, float b)
{
    return each([&](int i) { return a.v[i] + b; });
}
INLINE Three operator-(const Three &a, const Three &b)
{
    return each([&](int i) { return a.v[i] - b.v[i]; });
}
INLINE Three operator-(float a, const Three &b)
{
    return each([&](int i) { return a - b.v[i]; });
}

} // namespace
} // namespace vmaf::VMAF_CPU_TARGET
