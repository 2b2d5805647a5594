// Binary32 numbers as their bits: every operation rounds to nearest even, as the CPU does. There
// are no infinities and no NaN, and no operation makes a negative zero.

const uint kSign = 0x80000000, kOne = 0x3f800000;

uint single_size(uint a)
{
    return a & ~kSign;
}

uint single_negative(uint a)
{
    return a ^ kSign;
}

bool single_is_zero(uint a)
{
    return single_size(a) == 0;
}

// |a| = mantissa * 2^exponent
uint single_mantissa(uint a)
{
    return (a & 0x7fffff) | min(single_size(a) >> 23, 1u) << 23;
}
int single_exponent(uint a)
{
    return max(int(single_size(a) >> 23), 1) - 150;
}

// value * 2^exponent. From the 26th bit on, the last one may stand for all that follow it.
uint single_rounded(uint value, int exponent, uint sign)
{
    if (value == 0)
        return 0;
    const int zeros = 31 - findMSB(value);
    const uint left = value << zeros;
    const int last = max(exponent - zeros + 8, -149); // the exponent of the result's last bit
    const int cut = last - (exponent - zeros);
    if (cut > 31) // near the smallest number there is
        return cut == 32 && left > kSign ? (sign & kSign) | 1 : 0;
    const uint kept = left >> cut, rest = left << (32 - cut); // half a unit is 2^31
    const uint rounded_up = (rest | (kept & 1)) > kSign ? 1 : 0;
    return (sign & kSign) | ((uint(last + 149) << 23) + kept + rounded_up); // 2^23 carries into the exponent
}

// The first 32 bits of a value below 2^63 count, and whether any follows.
uint single_rounded(uint64_t value, int exponent, uint sign)
{
    const int cut = findMSB(uint(value >> 32)) + 1;
    const uint first = uint(value >> cut), more = (uint(value) & ((1u << cut) - 1)) != 0 ? 1 : 0;
    return single_rounded(first | more, exponent + cut, sign);
}

uint single_of(int value, int exponent)
{
    return single_rounded(uint(abs(value)), exponent, uint(value));
}

uint single_sum(uint a, uint b)
{
    const bool is_swapped = single_size(a) < single_size(b);
    const uint larger = is_swapped ? b : a, smaller = is_swapped ? a : b;
    const int more_bits = 7; // enough of them, as the last one says whether there are further ones
    const int distance = min(single_exponent(larger) - single_exponent(smaller), 31);
    const uint whole = single_mantissa(smaller) << more_bits, left = single_mantissa(larger) << more_bits;
    uint right = whole >> distance;
    right |= right << distance != whole ? 1 : 0;
    return single_rounded(((a ^ b) & kSign) == 0 ? left + right : left - right, single_exponent(larger) - more_bits,
                          larger);
}

uint single_difference(uint a, uint b)
{
    return single_sum(a, single_negative(b));
}

uint single_product(uint a, uint b)
{
    return single_rounded(uint64_t(single_mantissa(a)) * single_mantissa(b), single_exponent(a) + single_exponent(b),
                          a ^ b);
}

// sum + a * b, each rounded by itself.
uint add_product(uint sum, uint a, uint b)
{
    return single_sum(sum, single_product(a, b));
}

struct Whole { // mantissa * 2^exponent
    uint mantissa; // 2^23 to 2^24 - 1
    int exponent;
};

// Of a number that is not 0, without its sign.
Whole whole_of(uint a)
{
    const int missing = 23 - findMSB(single_mantissa(a));
    return Whole(single_mantissa(a) << missing, single_exponent(a) - missing);
}

// 0 by 0 too.
uint single_quotient(uint a, uint b)
{
    if (single_is_zero(a) || single_is_zero(b))
        return 0;
    const Whole over = whole_of(a), under = whole_of(b);
    const int shift = over.mantissa < under.mantissa ? 1 : 0;
    uint quotient = 1, rest = (over.mantissa << shift) - under.mantissa;
    for (int i = 0; i < 3; ++i) { // digits of 8 bits: divisions of 64 bits take longer
        rest <<= 8;
        const uint digit = rest / under.mantissa;
        rest -= digit * under.mantissa;
        quotient = quotient << 8 | digit;
    }
    return single_rounded(quotient << 1 | (rest != 0 ? 1 : 0), over.exponent - under.exponent - 25 - shift, a ^ b);
}

// Of a number that is not negative.
uint single_root(uint a)
{
    if (single_is_zero(a))
        return 0;
    const Whole whole = whole_of(a);
    const int shift = 26 - (whole.exponent & 1);
    const uint64_t square = uint64_t(whole.mantissa) << shift;
    uint root = 0;
    for (uint bit = 1u << 25; bit > 0; bit >>= 1)
        if (uint64_t(root | bit) * (root | bit) <= square)
            root |= bit;
    const uint more = uint64_t(root) * root != square ? 1 : 0;
    return single_rounded(root << 1 | more, (whole.exponent - shift) / 2 - 1, 0);
}
