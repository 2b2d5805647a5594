#pragma once

// For loops of colour conversions. Like them, everything is local to the file (base/cpu.h).

#include <cstdint>
#include <cstring>

// A call left in a loop would keep the loop from being vectorised.
#define INLINE [[gnu::always_inline]] inline

// What is written overlaps nothing that is read. Clang has no such pragma and checks that when the loop begins.
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

/// First guess of x^(-exponent), 10 to 16 % off in what the iterations below call h: the bit pattern of a float is a straight-line
/// logarithm of it. `start` centres the error.
INLINE float inverse_root_guess(float x, float exponent, float start)
{
    std::int32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    const std::int32_t guess_bits = static_cast<std::int32_t>(start - static_cast<float>(bits) * exponent);
    float guess;
    std::memcpy(&guess, &guess_bits, sizeof guess);
    return guess;
}

/// Three values at a time, operation by operation: each has a long chain of them, of which a processor looks too little ahead to
/// find the next one's.
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
