// Binary64 numbers of either sign, after real.glsl and single.glsl: every operation rounds to
// nearest even, as the CPU does. There are no infinities and no NaN, and zero has no sign.

struct Number {
    Real size; // mantissa 0: zero
    bool is_negative;
};

bool is_zero(Number a)
{
    return a.size.mantissa == 0;
}

Number negative(Number a)
{
    return Number(a.size, !a.is_negative);
}

Number size_of(Number a)
{
    return Number(a.size, false);
}

// value * 2^exponent.
Number rounded(uint64_t value, int exponent, bool is_negative)
{
    if (value == 0)
        return Number(Real(0, 0), false);
    const Real whole = real_of_large(value);
    return Number(Real(whole.mantissa, whole.exponent + exponent), is_negative);
}

Number number_of(int value)
{
    return rounded(uint(abs(value)), 0, value < 0);
}

// From the bits of a binary32 number, and rounded to them: for a sum, product, quotient or root of
// such numbers, to round to 53 bits before is no difference.
Number number_of_bits(uint bits)
{
    const int exponent = int(bits >> 23 & 0xff);
    const uint fraction = bits & 0x7fffff;
    if (exponent == 0)
        return rounded(fraction, -149, bits >> 31 != 0);
    return Number(Real(uint64_t(fraction | 0x800000) << 29, exponent - 150 - 29), bits >> 31 != 0);
}

uint single_of_number(Number a)
{
    return single_rounded(a.size.mantissa, a.size.exponent, a.is_negative ? kSign : 0);
}

// From the bits of a double, zero or normal, and to them.
Number number_of_double_bits(uint64_t bits)
{
    const uint64_t size = bits & ~(uint64_t(1) << 63);
    if (size == 0)
        return Number(Real(0, 0), false);
    return Number(real_of_bits(size), size != bits);
}

uint64_t double_bits_of(Number a)
{
    return is_zero(a) ? 0 : bits_of(a.size) | uint64_t(a.is_negative ? 1 : 0) << 63;
}

Number plus(Number a, Number b)
{
    if (is_zero(a))
        return b;
    if (is_zero(b))
        return a;
    const bool is_swapped = real_is_less(a.size, b.size);
    const Real larger = is_swapped ? b.size : a.size, smaller = is_swapped ? a.size : b.size;
    const int more_bits = 9; // enough of them, if the last one says whether there are further ones
    const int distance = min(larger.exponent - smaller.exponent, 63);
    const uint64_t whole = smaller.mantissa << more_bits, rest = whole & ((uint64_t(1) << distance) - 1);
    const uint64_t left = larger.mantissa << more_bits, right = whole >> distance | (rest != 0 ? 1 : 0);
    const bool is_sum = a.is_negative == b.is_negative;
    return rounded(is_sum ? left + right : left - right, larger.exponent - more_bits,
                   is_swapped ? b.is_negative : a.is_negative);
}

Number minus(Number a, Number b)
{
    return plus(a, negative(b));
}

Number times(Number a, Number b)
{
    if (is_zero(a) || is_zero(b))
        return Number(Real(0, 0), false);
    return Number(real_product(a.size, b.size), a.is_negative != b.is_negative);
}

// In digits of 11 bits. Lavapipe ends a kernel's loops after 65,535 turns in all, so there are few.
Number over(Number a, Number b)
{
    if (is_zero(a) || is_zero(b))
        return Number(Real(0, 0), false);
    uint64_t quotient = a.size.mantissa / b.size.mantissa, rest = a.size.mantissa - quotient * b.size.mantissa;
    for (int i = 0; i < 5; ++i) {
        rest <<= 11;
        const uint64_t next = rest / b.size.mantissa;
        rest -= next * b.size.mantissa;
        quotient = (quotient << 11) | next;
    }
    return rounded((quotient << 1) | (rest != 0 ? 1 : 0), a.size.exponent - b.size.exponent - 56,
                   a.is_negative != b.is_negative);
}

bool is_less(Number a, Number b)
{
    const Number difference = minus(a, b);
    return !is_zero(difference) && difference.is_negative;
}

// Of a number that is not negative: bit by bit, two of the radicand's at a time.
Number root_of(Number a)
{
    if (is_zero(a))
        return a;
    const int odd = a.size.exponent & 1;
    const uint64_t radicand = a.size.mantissa << (odd + 10); // 54 bits, and 52 zeros behind
    uint64_t root = 0, rest = 0;
    for (int bit = 0; bit <= 52; ++bit) {
        const uint64_t two = bit < 32 ? radicand << (2 * bit) >> 62 : 0;
        rest = rest << 2 | two;
        const uint64_t trial = root << 2 | 1;
        root <<= 1;
        if (rest >= trial) {
            rest -= trial;
            root |= 1;
        }
    }
    const int exponent = (a.size.exponent - odd - 52) / 2;
    return Number(real_rounded(root, exponent, rest > root ? 2 : 0, 1), false);
}

struct Wide {
    uint64_t high, low;
};

Wide wide_product(uint64_t a, uint64_t b)
{
    const uint64_t lower_word = 0xffffffffUL;
    const uint64_t a_high = a >> 32, a_low = a & lower_word, b_high = b >> 32, b_low = b & lower_word;
    const uint64_t low = a_low * b_low;
    const uint64_t one = a_high * b_low + (low >> 32), other = a_low * b_high + (one & lower_word);
    return Wide(a_high * b_high + (one >> 32) + (other >> 32), (other << 32) | (low & lower_word));
}

// 2^64 times what follows the point of the logarithm to base 2, in 128 bits, of a number m of 1 to
// 2: m^2 is 2 or more if the first bit is 1, and so on. Squares are rounded down at 2^-127, which
// costs the logarithm two such units in all.
Wide fraction_of_logarithm(uint64_t mantissa)
{
    Wide m = Wide(mantissa << 11, 0), fraction = Wide(0, 0);
    for (int bit = 0; bit < 128; ++bit) {
        Wide square = wide_product(m.high, m.high);
        const uint64_t mixed = wide_product(m.high, m.low).high; // twice
        square.low += mixed;
        square.high += square.low < mixed ? 1 : 0;
        square.low += mixed;
        square.high += square.low < mixed ? 1 : 0;
        const uint64_t is_two = square.high >> 63;
        fraction = Wide((fraction.high << 1) | (fraction.low >> 63), (fraction.low << 1) | is_two);
        m = is_two != 0 ? square : Wide((square.high << 1) | (square.low >> 63), square.low << 1);
    }
    return fraction;
}

// The double nearest to the logarithm to base 2.
Number logarithm_of(Real x)
{
    Wide fraction = fraction_of_logarithm(x.mantissa);
    int whole = x.exponent + 52;
    const bool is_negative = whole < 0;
    if (is_negative) { // -(whole + fraction)
        fraction.low = ~fraction.low + 1;
        fraction.high = ~fraction.high + (fraction.low == 0 ? 1 : 0);
        whole = -whole - ((fraction.high | fraction.low) != 0 ? 1 : 0);
    }
    if (whole == 0 && fraction.high == 0)
        return Number(Real(0, 0), false); // of 1
    // 64 bits from the highest on, the last of which says too whether there are further ones.
    const bool is_below_1 = whole == 0;
    const uint64_t first = is_below_1 ? fraction.high : uint64_t(whole);
    const uint64_t next = is_below_1 ? fraction.low : fraction.high, last = is_below_1 ? 0 : fraction.low;
    const int zeros = 63 - highest_bit(first);
    const uint64_t kept = first << zeros | (zeros > 0 ? next >> (64 - zeros) : 0);
    return rounded(kept | (next << zeros != 0 || last != 0 ? 1 : 0), (is_below_1 ? -64 : 0) - zeros, is_negative);
}
