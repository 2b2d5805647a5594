// The statistic of a pixel (spec vif 3.5) from its moments, in integers.

const uint kNoise = 131072; // as in src/feature/vif/vif_params.h

// kernels/vulkan/vif.comp sets them.
Words log_table;         // vif_log_table()
uint64_t gain_limit;     // bits of a double
uint64_t gain_offset;    // likewise

// spec vif 3.4: L(a) for a >= kNoise.
uint logarithm(uint a)
{
    const int shift = findMSB(a) - 15;
    const uint m = (a >> shift) - 32768;
    return 30720 + ((log_table.words[m >> 3] + (m & 7)) >> 3) + 2048 * uint(shift);
}

struct Parts {
    uint noise;  // v, what the reference does not explain
    uint signal; // u
};

// The pixel's term of log_num.
uint log_rise(Parts of)
{
    return logarithm(of.noise + kNoise + of.signal) - logarithm(of.noise + kNoise);
}

struct Explained {
    uint whole;
    bool is_certain; // that no rounding matters
};

// With x = s12^2 / s1, the literal formula finds v from t = s2 - x + d and u from p = x - 2d,
// d = gain^2 * offset. For a gain below 3.5 2d is less than 169 units of 2^-20, and rounding errors
// are less than 4. So unless x is next to an integer, or above one by 2d, v = s2 - ceil(x) and
// u = floor(x). s1 >= kNoise, s12 positive.
//
// x is guessed twice in binary32, each time too low by 2^-19 at least and 2^-17 at most, however
// the device rounds. What is left is less than twice s1.
Explained explain(uint s1, uint s12, float gain_bound)
{
    const float kBelow = 1 - exp2(-18), reciprocal = kBelow / float(s1), gain = float(s12) * reciprocal;
    const float guess = gain * float(s12), kTooLarge = exp2(30);
    if (!(gain < gain_bound && guess < kTooLarge))
        return Explained(0, false);
    uint whole = uint(guess);
    const uint64_t left = uint64_t(s12) * s12 - uint64_t(whole) * s1;
    const uint more = uint((float(uint(left >> 32)) * exp2(32) + float(uint(left))) * reciprocal);
    whole += more;
    uint rest = uint(left) - more * s1;
    if (rest >= s1) {
        rest -= s1;
        ++whole;
    }
    return Explained(whole, rest > s1 >> 12 && s1 - rest > s1 >> 17);
}

// As written in the text, where explain() is not certain: s1 >= kNoise, s2 and s12 positive.
Parts parts(uint s1, uint s2, uint s12)
{
    const Real s1_real = real_of(s1), s12_real = real_of(s12), offset = real_of_bits(gain_offset);
    const int shift = s1_real.exponent - offset.exponent; // 35 to 48
    const Real variance =
        real_rounded(s1_real.mantissa + (offset.mantissa >> shift), s1_real.exponent,
                     offset.mantissa & ((uint64_t(1) << shift) - 1), shift);
    Real gain = real_quotient(s12_real, variance);

    // t = s2 - x, rounded to a double and cut off. x = whole + fraction * 2^exponent; where t is
    // next to the integer above, it is rounded to that.
    const Real x = real_product(gain, s12_real);
    const uint64_t whole = real_floor(x);
    uint noise = 0;
    if (whole < s2) {
        const uint64_t fraction = x.exponent < -63 ? x.mantissa : x.mantissa - (whole << -x.exponent);
        noise = s2 - uint(whole);
        if (fraction != 0) {
            --noise;
            const int half_unit = (noise == 0 ? -1 : findMSB(noise)) - 53 - x.exponent;
            if (half_unit >= 63 || (half_unit >= 0 && fraction <= (uint64_t(1) << half_unit)))
                ++noise;
        }
    }
    const Real limit = real_of_bits(gain_limit);
    if (real_is_less(limit, gain))
        gain = limit;
    return Parts(noise, uint(real_floor(real_product(real_product(gain, gain), s1_real))));
}
