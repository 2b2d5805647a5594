// Positive binary64 numbers in integers, rounded to nearest even as the CPU rounds them. Vulkan
// promises neither doubles nor how they are rounded.

int highest_bit(uint64_t value)
{
    const uint upper = uint(value >> 32);
    return upper != 0 ? 32 + findMSB(upper) : findMSB(uint(value));
}

struct Real {
    uint64_t mantissa; // 2^52 to 2^53 - 1
    int exponent;      // value = mantissa * 2^exponent
};

// From the bits of a double, which is normal.
Real real_of_bits(uint64_t bits)
{
    const uint64_t one = uint64_t(1) << 52;
    return Real((bits & (one - 1)) | one, int(bits >> 52) - 1075);
}

// From an integer of 1 to 2^53 - 1.
Real real_of(uint64_t value)
{
    const int shift = 52 - highest_bit(value);
    return Real(value << shift, -shift);
}

uint64_t bits_of(Real a)
{
    return uint64_t(a.exponent + 1075) << 52 | (a.mantissa & ((uint64_t(1) << 52) - 1));
}

// mantissa * 2^exponent, and what was cut off: `rest` units of 2^-bits below it.
Real real_rounded(uint64_t mantissa, int exponent, uint64_t rest, int bits)
{
    const uint64_t half_unit = uint64_t(1) << (bits - 1), end = uint64_t(1) << 53;
    if (rest > half_unit || (rest == half_unit && (mantissa & 1) != 0))
        ++mantissa;
    if (mantissa == end)
        return Real(mantissa >> 1, exponent + 1);
    return Real(mantissa, exponent);
}

Real real_product(Real a, Real b)
{
    const uint64_t lower_word = 0xffffffffUL;
    const uint64_t a_high = a.mantissa >> 32, a_low = a.mantissa & lower_word;
    const uint64_t b_high = b.mantissa >> 32, b_low = b.mantissa & lower_word;
    const uint64_t low = a_low * b_low;
    const uint64_t middle = a_high * b_low + a_low * b_high + (low >> 32);
    // The product, of 105 or 106 bits, is (top * 2^52 + rest).
    const uint64_t top = (a_high * b_high << 12) + (middle >> 20);
    const uint64_t rest = ((middle & 0xfffffUL) << 32) | (low & lower_word);
    const int exponent = a.exponent + b.exponent + 52;
    if (top >> 53 == 0)
        return real_rounded(top, exponent, rest, 52);
    return real_rounded(top >> 1, exponent + 1, ((top & 1) << 52) | rest, 53);
}

// From any integer but 0.
Real real_of_large(uint64_t value)
{
    const int shift = highest_bit(value) - 52;
    if (shift <= 0)
        return real_of(value);
    return real_rounded(value >> shift, shift, value & ((uint64_t(1) << shift) - 1), shift);
}

Real real_sum(Real a, Real b)
{
    const bool a_is_larger = a.exponent > b.exponent;
    const Real large = a_is_larger ? a : b, small = a_is_larger ? b : a;
    const int shift = large.exponent - small.exponent;
    if (shift > 54)
        return large; // less than half a unit is added
    const uint64_t top = large.mantissa + (small.mantissa >> shift);
    const uint64_t rest = small.mantissa & ((uint64_t(1) << shift) - 1);
    if (top >> 53 != 0)
        return real_rounded(top >> 1, large.exponent + 1, ((top & 1) << shift) | rest, shift + 1);
    return real_rounded(top, large.exponent, rest, shift); // the shift is not 0
}

Real real_quotient(Real a, Real b)
{
    uint64_t rest = a.mantissa;
    int exponent = a.exponent - b.exponent - 52;
    if (rest < b.mantissa) {
        rest <<= 1;
        --exponent;
    }
    // The first bit, then 52 more in parts: each is guessed in binary32, right or too low by one
    // however the device rounds.
    const float reciprocal = (1 - exp2(-18)) / float(uint(b.mantissa >> 32));
    uint64_t quotient = 1;
    rest -= b.mantissa;
    for (int bits = 52, part; bits > 0; bits -= part) {
        part = min(bits, 11);
        rest <<= part;
        uint digit = uint(float(uint(rest >> 32)) * reciprocal);
        rest -= digit * b.mantissa;
        if (rest >= b.mantissa) {
            rest -= b.mantissa;
            ++digit;
        }
        quotient = quotient << part | digit;
    }
    rest <<= 1;
    if (rest > b.mantissa || (rest == b.mantissa && (quotient & 1) != 0))
        ++quotient;
    if (quotient >> 53 != 0)
        return Real(quotient >> 1, exponent + 1);
    return Real(quotient, exponent);
}

bool real_is_less(Real a, Real b)
{
    return a.exponent != b.exponent ? a.exponent < b.exponent : a.mantissa < b.mantissa;
}

// Rounded down; below 2^63.
uint64_t real_floor(Real a)
{
    if (a.exponent >= 0)
        return a.mantissa << a.exponent;
    return a.exponent < -63 ? 0 : a.mantissa >> -a.exponent;
}
