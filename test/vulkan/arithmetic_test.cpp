// Integer arithmetic that the kernels use in place of the CPU's binary64. It is compiled as C++ and
// compared with binary64 (spec vulkan 4). The values include those that a test's picture hardly
// ever has.

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "feature/speed/speed_logarithms.h"
#include "vulkan/glsl.h"

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wsign-compare"
#pragma GCC diagnostic ignored "-Wunused-function"
namespace vmaf::test::glsl {
namespace {
#include "real.glsl"
#include "single.glsl"

#include "signed_real.glsl"
#include "vif_statistic.glsl"

constexpr int kScale = 1; // needs the wider arithmetic
struct {
    uint64_t gain_limit;
} params;
#include "adm_signals.glsl"
} // namespace
} // namespace vmaf::test::glsl
#pragma GCC diagnostic pop

namespace vmaf::test {
namespace {

using Random = std::mt19937_64;

double value_of(const glsl::Real &real)
{
    return std::ldexp(static_cast<double>(real.mantissa), real.exponent);
}

glsl::Real real_of(double value)
{
    return glsl::real_of_bits(std::bit_cast<std::uint64_t>(value));
}

/// Values with few and with many significant bits.
double any_double(Random &random)
{
    const std::uint64_t bits = random() >> random() % 52 | 1;
    return std::ldexp(static_cast<double>(bits), static_cast<int>(random() % 60) - 80);
}

/// Ways in which devices may round binary32. Results must not depend on the way.
constexpr int kRoundings[] = {FE_TONEAREST, FE_DOWNWARD, FE_UPWARD, FE_TOWARDZERO};

/// The result, rounded in that way.
template <class Function> auto rounded(int rounding, Function function)
{
    std::fesetround(rounding);
    const auto result = function();
    std::fesetround(FE_TONEAREST);
    return result;
}

TEST(KernelArithmetic, RealsAreRoundedAsDoubles)
{
    Random random(1);
    for (unsigned i = 0; i < 300000; ++i) {
        const double a = any_double(random), b = any_double(random);
        ASSERT_EQ(value_of(real_product(real_of(a), real_of(b))), a * b) << a << " * " << b;
        for (const int rounding : kRoundings)
            ASSERT_EQ(value_of(rounded(rounding, [=] { return real_quotient(real_of(a), real_of(b)); })), a / b)
                << a << " / " << b;
        ASSERT_EQ(value_of(real_sum(real_of(a), real_of(b))), a + b) << a << " + " << b;
        ASSERT_EQ(real_is_less(real_of(a), real_of(b)), a < b) << a << " < " << b;
        ASSERT_EQ(bits_of(real_of(a)), std::bit_cast<std::uint64_t>(a));
        const std::uint64_t integer = random() >> random() % 64 | 1;
        ASSERT_EQ(value_of(glsl::real_of_large(integer)), static_cast<double>(integer)) << integer;
        ASSERT_EQ(real_floor(real_of(a)), static_cast<std::uint64_t>(a)) << a;
    }
    // Halves of a unit go to the even neighbour.
    for (const double odd : {0x1.0000000000001p0, 0x1.0000000000003p0})
        ASSERT_EQ(value_of(real_product(real_of(odd), real_of(1.5))), odd * 1.5);
}

glsl::Number number_of(double value)
{
    if (value == 0)
        return {};
    return {real_of(std::abs(value)), value < 0};
}

double value_of(const glsl::Number &number)
{
    return (number.is_negative ? -1 : 1) * value_of(number.size);
}

TEST(KernelArithmetic, NumbersAreRoundedAsDoubles)
{
    Random random(6);
    const auto any = [&] { return (random() % 2 == 0 ? 1 : -1) * (random() % 50 == 0 ? 0 : any_double(random)); };
    for (unsigned i = 0; i < 300000; ++i) {
        const double a = any(), near = a * (1 + static_cast<double>(random() % 9) * 0x1p-52), other = any();
        for (const double b : {other, near, -near}) {
            ASSERT_EQ(value_of(plus(number_of(a), number_of(b))), a + b) << a << " + " << b;
            ASSERT_EQ(value_of(minus(number_of(a), number_of(b))), a - b) << a << " - " << b;
            ASSERT_EQ(value_of(times(number_of(a), number_of(b))), a * b) << a << " * " << b;
            ASSERT_EQ(is_less(number_of(a), number_of(b)), a < b) << a << " < " << b;
            if (b != 0) {
                ASSERT_EQ(value_of(over(number_of(a), number_of(b))), a / b) << a << " / " << b;
            }
        }
        ASSERT_EQ(value_of(root_of(number_of(std::abs(a)))), std::sqrt(std::abs(a))) << a;
    }
}

TEST(KernelArithmetic, SinglesAreRoundedAsFloats)
{
    Random random(7);
    const auto any = [&] {
        const float size = std::bit_cast<float>(static_cast<std::uint32_t>(random() % 0x7f000000) >> random() % 2 * 8);
        return random() % 2 == 0 ? -size : size;
    };
    const auto bits = [](float value) { return value == 0 ? 0 : std::bit_cast<std::uint32_t>(value); };
    for (unsigned i = 0; i < 1000000; ++i) {
        const float a = any(), b = i % 2 == 0 ? any() : a * (1 + static_cast<float>(random() % 99) * 0x1p-21F);
        ASSERT_EQ(single_of_number(glsl::number_of_bits(bits(a))), bits(a));
        ASSERT_EQ(glsl::single_root(bits(std::abs(a))), bits(std::sqrt(std::abs(a)))) << a;
        ASSERT_EQ(glsl::single_sum(bits(a), 0), bits(a));
        ASSERT_EQ(glsl::single_product(bits(a), 0), 0U);
        if (const float sum = a + b; std::isfinite(sum)) {
            ASSERT_EQ(glsl::single_sum(bits(a), bits(b)), bits(sum)) << a << " + " << b;
        }
        if (const float difference = a - b; std::isfinite(difference)) {
            ASSERT_EQ(glsl::single_difference(bits(a), bits(b)), bits(difference)) << a << " - " << b;
        }
        if (const float product = a * b; std::isfinite(product)) {
            ASSERT_EQ(glsl::single_product(bits(a), bits(b)), bits(product)) << a << " * " << b;
        }
        if (const float quotient = a / b; std::isfinite(quotient)) {
            ASSERT_EQ(glsl::single_quotient(bits(a), bits(b)), bits(quotient)) << a << " / " << b;
        }
        const int integer = static_cast<int>(random()) >> random() % 32;
        ASSERT_EQ(glsl::single_of(integer, -8), bits(std::ldexp(static_cast<float>(integer), -8))) << integer;
        const std::uint64_t large = random() >> 1 >> random() % 63;
        ASSERT_EQ(glsl::single_rounded(large, -3, 0), bits(std::ldexp(static_cast<float>(large), -3))) << large;
        const double wide = std::ldexp(static_cast<double>(random() >> 11), static_cast<int>(random() % 280) - 200);
        if (wide != 0 && wide < 1e38) {
            ASSERT_EQ(single_of_number(glsl::Number{real_of(wide), false}), bits(static_cast<float>(wide))) << wide;
        }
    }
}

TEST(KernelArithmetic, LogarithmsAreTheNearestDoubles)
{
    Random random(8);
    const auto expect = [](double x) { ASSERT_EQ(value_of(logarithm_of(real_of(x))), speed_nearest_log2(x)) << x; };
    for (unsigned i = 0; i < 100000; ++i) {
        expect(any_double(random));
        expect(1 + std::ldexp(static_cast<double>(random() % 1000), -static_cast<int>(random() % 50) - 2));
    }
    for (const double x : {1.0, 2.0, 0.5, 1024.0, 0x1p-20, 1 + 0x1p-52, 1 - 0x1p-53, 0x1.fffffp-1})
        expect(x);
}

/// Step 3 of spec vif 3.5, as written there.
glsl::Parts parts_in_doubles(std::uint32_t s1, std::uint32_t s2, std::uint32_t s12, double gain_limit)
{
    const double gain = s12 / (s1 + 65536 * 1.0e-10);
    const double rest = s2 - gain * s12;
    const double limited = std::fmin(gain, gain_limit);
    return {rest > 0 ? static_cast<std::uint32_t>(rest) : 0,
            static_cast<std::uint32_t>(static_cast<std::uint64_t>(limited * limited * s1))};
}

std::uint32_t below(Random &random, double end)
{
    return static_cast<std::uint32_t>(std::exp2(std::log2(end) * static_cast<double>(random() % 100001) / 100000));
}

/// Expects these parts if they are certain. @return whether they are certain.
bool expect_explained(std::uint32_t s1, std::uint32_t s2, std::uint32_t s12, double gain_limit,
                      const glsl::Parts &expected)
{
    bool is_certain = true;
    const auto bound = static_cast<float>(std::fmin(gain_limit, 3.5) * (1 - 0x1p-17));
    for (const int rounding : kRoundings) {
        const glsl::Explained x = rounded(rounding, [=] { return glsl::explain(s1, s12, bound); });
        is_certain = is_certain && x.is_certain;
        if (!x.is_certain)
            continue;
        EXPECT_EQ(x.whole, expected.signal) << s1 << ' ' << s2 << ' ' << s12 << ", limit " << gain_limit;
        EXPECT_EQ(x.whole + 1 < s2 ? s2 - 1 - x.whole : 0, expected.noise) << s1 << ' ' << s2 << ' ' << s12;
    }
    return is_certain;
}

bool expect_parts(std::uint32_t s1, std::uint32_t s2, std::uint32_t s12, double gain_limit)
{
    glsl::gain_limit = std::bit_cast<std::uint64_t>(gain_limit);
    glsl::gain_offset = std::bit_cast<std::uint64_t>(65536 * 1.0e-10);
    const glsl::Parts expected = parts_in_doubles(s1, s2, s12, gain_limit), found = glsl::parts(s1, s2, s12);
    EXPECT_EQ(found.noise, expected.noise) << s1 << ' ' << s2 << ' ' << s12 << ", limit " << gain_limit;
    EXPECT_EQ(found.signal, expected.signal) << s1 << ' ' << s2 << ' ' << s12 << ", limit " << gain_limit;
    return expect_explained(s1, s2, s12, gain_limit, expected);
}

TEST(KernelArithmetic, VifsPartsAreThoseOfDoubles)
{
    Random random(2);
    constexpr unsigned kPixels = 150000;
    for (const double limit : {100.0, 1.0, 1.07, 2.5, 20.25}) {
        unsigned certain = 0;
        for (unsigned i = 0; i < kPixels; ++i) {
            const std::uint32_t s1 = 131072 + below(random, 0x1p30);
            const std::uint32_t s2 = below(random, 0x1p30);
            // The covariance is at most the geometric mean, except for rounding.
            const double most = std::sqrt(static_cast<double>(s1) * s2) + 65536;
            certain += expect_parts(s1, s2, below(random, std::fmin(most, 0x1p30)), limit) ? 1 : 0;
        }
        EXPECT_GT(certain, kPixels / 4) << limit;
    }
}

TEST(KernelArithmetic, VifsPartsNextToIntegersAreThoseOfDoubles)
{
    Random random(3);
    for (unsigned i = 0; i < 100000; ++i) {
        // s12^2 / s1 is an integer or near one.
        const std::uint32_t factor = 1 + below(random, 300), root = 400 + below(random, 4000);
        const std::uint32_t s1 = std::max(131072U, root * root), s12 = root * factor;
        for (const std::uint32_t near : {s12 - 1, s12, s12 + 1})
            for (const std::uint32_t s2 : {factor * factor - 1, factor * factor, factor * factor + 1, 1U << 29})
                if (s2 > 0)
                    expect_parts(s1, s2, near, 100);
    }
    // The rest of s2 is near an integer and is rounded to it.
    for (std::uint32_t s12 = 1; s12 < 40; ++s12)
        for (const std::uint32_t s1 : {1U << 17, (1U << 29) - 1, 1U << 29, (1U << 30) + 7})
            for (const std::uint32_t s2 : {1U, 2U, 1000U, 1U << 29, (1U << 30) - 1})
                expect_parts(s1, s2, s12, 100);
}

/// The ratio of spec adm 3.3.
bool flag_in_doubles(std::int64_t oh, std::int64_t th, std::int64_t ov, std::int64_t tv)
{
    const auto rounded = [](std::int64_t value) { return static_cast<double>(static_cast<float>(value)); };
    const double fd = rounded(oh * th + ov * tv), fo = rounded(oh * oh + ov * ov), ft = rounded(th * th + tv * tv);
    return fd >= 0 && fd * fd >= 0x1.ffd814p-1 * fo * ft;
}

TEST(KernelArithmetic, AdmsAngleFlagIsThatOfDoubles)
{
    Random random(4);
    const auto any = [&](int bits) {
        return static_cast<int>(static_cast<std::int64_t>(random() << (64 - bits)) >> (64 - bits));
    };
    unsigned flagged = 0;
    for (unsigned i = 0; i < 500000; ++i) {
        const int bits = 2 + static_cast<int>(random() % 29);
        const int oh = any(bits), ov = any(bits);
        // Vectors near the limit, turned by one degree.
        const double angle = (random() % 2 == 0 ? 1 : -1) * 3.14159265358979323846 / 180 * (1 + 1e-7 * any(7));
        const double scale = static_cast<double>(1 + random() % 100) / 100;
        int th = any(bits), tv = any(bits);
        if (i % 4 != 0) {
            th = static_cast<int>(scale * (oh * std::cos(angle) - ov * std::sin(angle)));
            tv = static_cast<int>(scale * (oh * std::sin(angle) + ov * std::cos(angle)));
        }
        const bool expected = flag_in_doubles(oh, th, ov, tv);
        flagged += expected ? 1 : 0;
        for (const int rounding : kRoundings)
            ASSERT_EQ(rounded(rounding,
                              [=] {
                                  return glsl::angle_flag({oh, th}, {ov, tv});
                              }),
                      expected)
                << oh << ' ' << th << ' ' << ov << ' ' << tv;
    }
    EXPECT_GT(flagged, 100000U);
    EXPECT_LT(flagged, 400000U);
}

/// The ratio r of spec adm 3.3 for scales 1 to 3.
std::int64_t restored_in_doubles(std::int64_t o, std::int64_t t, bool flag, double gain_limit)
{
    const std::int64_t size = std::abs(o), sign = o < 0 ? -1 : 1;
    std::int64_t k = 32768;
    if (o != 0) {
        const int q = size < 32768 ? 0 : 17 - std::countl_zero(static_cast<std::uint32_t>(size));
        const std::int64_t m = q == 0 ? size : (size + (std::int64_t{1} << (q - 1))) >> q;
        k = ((std::int64_t{1} << 30) / m * t * sign + (std::int64_t{1} << (14 + q))) >> (15 + q);
        k = std::clamp<std::int64_t>(k, 0, 32768);
    }
    const std::int64_t r = (k * o + 16384) >> 15;
    if (!flag || k == 0 || o == 0)
        return r;
    const double raised = static_cast<double>(r) * gain_limit, target = static_cast<double>(t);
    return static_cast<std::int64_t>(o > 0 ? std::fmin(raised, target) : std::fmax(raised, target));
}

TEST(KernelArithmetic, AdmsSignalsAreThoseOfTheText)
{
    Random random(5);
    for (const double limit : {100.0, 1.0, 1.2, 1.07, 0x1p31 - 0.5}) {
        glsl::params.gain_limit = std::bit_cast<std::uint64_t>(limit);
        for (unsigned i = 0; i < 200000; ++i) {
            const auto any = [&] {
                const auto size = static_cast<std::int64_t>(below(random, 1.4e9)) - 1;
                return static_cast<int>(random() % 2 == 0 ? size : -size);
            };
            const int o = any(),
                      t = i % 3 == 0 ? any() : static_cast<int>(o * (0.2 + 0.01 * static_cast<double>(random() % 100)));
            const bool flag = random() % 2 == 0;
            const glsl::Decoupled found = glsl::decouple(o, t, flag);
            const std::int64_t expected = restored_in_doubles(o, t, flag, limit);
            const auto value = [](const glsl::Signed &from) {
                return from.sign_ < 0 ? -std::int64_t{from.size} : std::int64_t{from.size};
            };
            ASSERT_EQ(value(found.restored), expected) << o << ' ' << t << ' ' << flag << ", limit " << limit;
            ASSERT_EQ(value(found.additive), t - expected) << o << ' ' << t << ' ' << flag << ", limit " << limit;
        }
    }
}

} // namespace
} // namespace vmaf::test
