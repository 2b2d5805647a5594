#pragma once

// Shared with kernels/speed/: plain C++17. Every operation is rounded by itself.

#include <cmath>

#include "base/host_and_device.h"

// The logarithms of spec speed 3.7 and 3.8 go into sums and products that are rounded to float at
// once. Logarithms of the C library and of a device differ in the last place of a double, and once
// in some hundred thousand frames that would change a float. There the double nearest to the true
// logarithm is taken, which is computed here: so every processor has the same float.

namespace vmaf {

/// log2(2 * pi * e), of which the entropy of a Gaussian is half.
constexpr double kSpeedGaussianBits = 4.0941911703612819;

/// An unevaluated sum, `low` below the last place of `high`.
struct SpeedDoubles {
    double high, low;
};

/// |a| >= |b|, or a = 0.
VMAF_HOST_AND_DEVICE SpeedDoubles speed_ordered_sum(double a, double b)
{
    const double sum = a + b;
    return {sum, b - (sum - a)};
}

VMAF_HOST_AND_DEVICE SpeedDoubles speed_sum(double a, double b)
{
    const double sum = a + b, from_b = sum - a;
    return {sum, (a - (sum - from_b)) + (b - from_b)};
}

/// The upper half of a double's bits and the lower one: products of halves are exact.
VMAF_HOST_AND_DEVICE SpeedDoubles speed_halves(double a)
{
    const double scaled = 134217729.0 * a; // 2^27 + 1
    const double high = scaled - (scaled - a);
    return {high, a - high};
}

VMAF_HOST_AND_DEVICE SpeedDoubles speed_product(double a, double b)
{
    const double product = a * b;
    const SpeedDoubles x = speed_halves(a), y = speed_halves(b);
    return {product, ((x.high * y.high - product) + x.high * y.low + x.low * y.high) + x.low * y.low};
}

VMAF_HOST_AND_DEVICE SpeedDoubles speed_product(const SpeedDoubles &a, const SpeedDoubles &b)
{
    const SpeedDoubles product = speed_product(a.high, b.high);
    return speed_ordered_sum(product.high, product.low + (a.high * b.low + a.low * b.high));
}

VMAF_HOST_AND_DEVICE SpeedDoubles speed_quotient(double a, const SpeedDoubles &b)
{
    const double quotient = a / b.high;
    const SpeedDoubles product = speed_product(quotient, b.high);
    return speed_ordered_sum(quotient, (((a - product.high) - product.low) - quotient * b.low) / b.high);
}

/// log2(x) to about 100 bits, rounded to the nearest double; x > 0 and finite. With x = 2^n m, m
/// near 1, and z = (m - 1) / (m + 1): n + 2 / ln(2) * (z + z^3 / 3 + z^5 / 5 ..).
VMAF_HOST_AND_DEVICE double speed_nearest_log2(double x)
{
    constexpr int kTerms = 24; // the next one is below 2^-120 of the sum
    int exponent = 0;
    double m = std::frexp(x, &exponent);
    if (m < 0.70710678118654752) {
        m *= 2;
        --exponent;
    }
    const SpeedDoubles z = speed_quotient(m - 1, speed_sum(m, 1)), square = speed_product(z, z);
    SpeedDoubles series{0, 0};
    for (int k = kTerms; k >= 0; --k) {
        const SpeedDoubles term = speed_quotient(1, {2.0 * k + 1, 0}), more = speed_product(series, square);
        const SpeedDoubles sum = speed_sum(term.high, more.high);
        series = speed_ordered_sum(sum.high, sum.low + (term.low + more.low));
    }
    const SpeedDoubles two_by_ln2{0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
    const SpeedDoubles fraction = speed_product(speed_product(z, series), two_by_ln2);
    const SpeedDoubles sum = speed_sum(exponent, fraction.high);
    return sum.high + (sum.low + fraction.low);
}

/// float(bits + (log2(argument) + C)). @param near_log2 off by a few units of the last place at
/// most; NaN and infinities stay.
VMAF_HOST_AND_DEVICE float speed_add_bits(float bits, float argument, double near_log2)
{
    const double term = near_log2 + kSpeedGaussianBits;
    const double error = 0x1p-49 * (std::abs(near_log2) + kSpeedGaussianBits);
    const auto low = static_cast<float>(bits + (term - error)), high = static_cast<float>(bits + (term + error));
    if (low == high || !(argument > 0) || std::isinf(argument))
        return static_cast<float>(bits + term);
    return static_cast<float>(bits + (speed_nearest_log2(argument) + kSpeedGaussianBits));
}

/// float(entropy * log2(weight)), with the same.
VMAF_HOST_AND_DEVICE float speed_weighted(float entropy, double weight, double near_log2)
{
    const double error = 0x1p-50 * std::abs(near_log2);
    const auto low = static_cast<float>(entropy * (near_log2 - error)),
               high = static_cast<float>(entropy * (near_log2 + error));
    if (low == high || !(weight > 0) || std::isinf(weight))
        return static_cast<float>(entropy * near_log2);
    return static_cast<float>(entropy * speed_nearest_log2(weight));
}

struct SpeedWeights {
    double ref, dis;
};

/// spec speed 3.8: the arguments of the logarithms that weight two entropies. 1 + s alone is
/// rounded to float; what mixes both variances is not.
VMAF_HOST_AND_DEVICE SpeedWeights speed_weights(int mode, float ref, float dis)
{
    const double ref_alone = 1 + ref, dis_alone = 1 + dis;
    const double r = ref, d = dis;
    switch (mode) {
    case 1:
        return {ref_alone, ref_alone};
    case 2:
        return {dis_alone, dis_alone};
    case 3: {
        const double mean = 1 + static_cast<double>(ref + dis) / 2;
        return {mean, mean};
    }
    case 4:
        return {ref_alone, 1 + static_cast<double>(ref + dis) / 2};
    case 5:
        return {ref_alone, 1 + (0.75 * r + 0.25 * d)};
    case 6:
        return {ref_alone, 1 + (0.25 * r + 0.75 * d)};
    default:
        return {ref_alone, dis_alone};
    }
}

} // namespace vmaf
