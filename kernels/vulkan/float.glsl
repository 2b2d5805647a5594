// Binary32 numbers that are not negative, in integers, rounded to nearest even as the CPU rounds
// them: Vulkan promises neither how floats are rounded nor that products are.

#include "bits.glsl"

struct Float {
    uint mantissa; // 2^23 to 2^24 - 1; 0: the number is 0
    int exponent;  // value = mantissa * 2^exponent
};

// Bits of a float have the order of their values.
Float float_of_bits(uint bits)
{
    return bits == 0 ? Float(0, 0) : Float((bits & 0x7fffff) | 0x800000, int(bits >> 23) - 150);
}

uint bits_of(Float a)
{
    return a.mantissa == 0 ? 0 : uint(a.exponent + 150) << 23 | (a.mantissa & 0x7fffff);
}

// The integer with 24 significant bits next to one below 2^63.
uint64_t rounded(uint64_t value)
{
    const int shift = highest_bit(value) - 23;
    if (shift <= 0)
        return value;
    const uint64_t half_unit = uint64_t(1) << (shift - 1);
    return (value + half_unit - 1 + (value >> shift & 1)) >> shift << shift;
}

// value * 2^exponent, rounded; value below 2^63.
Float float_of(uint64_t value, int exponent)
{
    const uint64_t kept = rounded(value);
    const int shift = highest_bit(kept) - 23;
    if (kept == 0)
        return Float(0, 0);
    return Float(uint(shift < 0 ? kept << -shift : kept >> shift), exponent + shift);
}

Float float_product(Float a, Float b)
{
    return float_of(uint64_t(a.mantissa) * b.mantissa, a.exponent + b.exponent);
}

Float float_sum(Float a, Float b)
{
    if (a.mantissa == 0 || b.mantissa == 0)
        return Float(a.mantissa + b.mantissa, a.exponent + b.exponent); // 0 has the exponent 0
    const bool a_is_larger = a.exponent > b.exponent;
    const Float large = a_is_larger ? a : b, small = a_is_larger ? b : a;
    const int shift = large.exponent - small.exponent;
    if (shift > 25)
        return large; // less than half a unit is added
    return float_of((uint64_t(large.mantissa) << shift) + small.mantissa, small.exponent);
}

// a - b; 0 if that is negative.
Float float_excess(Float a, Float b)
{
    if (bits_of(a) <= bits_of(b))
        return Float(0, 0);
    const int shift = a.exponent - b.exponent;
    if (b.mantissa == 0 || shift > 30)
        return a; // less than a quarter of a unit is subtracted
    return float_of((uint64_t(a.mantissa) << shift) - b.mantissa, b.exponent);
}

// b is not 0.
Float float_quotient(Float a, Float b)
{
    const uint64_t dividend = uint64_t(a.mantissa) << 32, quotient = dividend / b.mantissa;
    const uint64_t rest = dividend - quotient * b.mantissa;
    return float_of(quotient | (rest != 0 ? 1 : 0), a.exponent - b.exponent - 32);
}

Float float_root(Float a)
{
    const int shift = 26 - (a.exponent & 1);
    const uint64_t square = uint64_t(a.mantissa) << shift;
    uint root = 0;
    for (uint bit = 1u << 24; bit > 0; bit >>= 1)
        if (uint64_t(root | bit) * (root | bit) <= square)
            root |= bit;
    const bool is_exact = uint64_t(root) * root == square;
    return float_of(uint64_t(root) << 1 | (is_exact ? 0 : 1), (a.exponent - shift) / 2 - 1);
}
