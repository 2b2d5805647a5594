#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/cpu.h"
#include "support/random.h"

// The operations of hot loops. Those of the baseline, or of SSE4.1, are compared with those in
// plain C++, which other processors run and which define the results.

#if defined(__SSE2__) || defined(__aarch64__)

#define VMAF_CPU_TARGET plain
#include "base/vectors_plain.h"
#undef VMAF_CPU_TARGET
#define VMAF_CPU_TARGET baseline
#if defined(VMAF_TEST_SSE4)
#include "base/vectors_sse4.h"
#elif defined(__SSE2__)
#include "base/vectors_sse2.h"
#else
#include "base/vectors_neon.h"
#endif

namespace vmaf::test {
namespace {

using P = plain::Vectors;
#if defined(VMAF_TEST_SSE4)
using B = baseline::Sse4Vectors;
#elif defined(__SSE2__)
using B = baseline::Sse2Vectors;
#else
using B = baseline::Vectors;
#endif
using Lanes = std::array<std::int32_t, 4>;

Lanes lanes(P::Int v)
{
    Lanes out;
    P::store32(out.data(), v);
    return out;
}
Lanes lanes(B::Int v)
{
    Lanes out;
    B::store32(out.data(), v);
    return out;
}

/// Any bits. The extremes of both lane sizes are more frequent than other values.
Lanes any(Random &random)
{
    constexpr std::array<std::uint32_t, 8> kEnds{0, 1, 0x7fff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0xffffffff};
    Lanes v;
    for (std::int32_t &lane : v)
        lane = static_cast<std::int32_t>(random.below(2) == 0 ? random()
                                                              : kEnds[random.below(8)] ^ (random.below(2) << 16));
    return v;
}

class Vectors : public testing::Test {
  protected:
    void SetUp() override
    {
#if defined(VMAF_TEST_SSE4)
        if (!cpu_runs(CpuTarget::sse4))
            GTEST_SKIP() << "this processor does not have SSE4.1";
#endif
    }

    /// Calls operation(V, a, b, c) for both kinds.
    template <class Operation> void expect_equal(const char *name, Operation operation)
    {
        SCOPED_TRACE(random_.seed());
        for (unsigned i = 0; i < 2000; ++i) {
            const Lanes a = any(random_), b = any(random_), c = any(random_);
            const auto of = [&](auto kind) {
                using V = decltype(kind);
                return lanes(operation(kind, V::load32(a.data()), V::load32(b.data()), V::load32(c.data())));
            };
            ASSERT_EQ(of(P{}), of(B{})) << name;
        }
    }

    Random random_;
};

#define EXPECT_SAME(call)                                                                                              \
    expect_equal(#call, []([[maybe_unused]] auto kind, [[maybe_unused]] auto a, [[maybe_unused]] auto b,               \
                           [[maybe_unused]] auto c) {                                                                  \
        using V = decltype(kind);                                                                                      \
        return V::call;                                                                                                \
    })

TEST_F(Vectors, SixteenBitLanes)
{
    EXPECT_SAME(multiply_low16(a, b));
    EXPECT_SAME(multiply_high16(a, b));
    EXPECT_SAME(min_u16(a, b));
    EXPECT_SAME(add16(a, b));
    EXPECT_SAME(subtract16(a, b));
    EXPECT_SAME(min16(a, b));
    EXPECT_SAME(max16(a, b));
    EXPECT_SAME(abs16(a));
    EXPECT_SAME(select16(V::equal16(V::min_u16(a, V::set16(1)), V::min_u16(b, V::set16(1))), b, c));
    EXPECT_SAME(set32(V::differing16(V::min_u16(a, V::set16(1)), V::min_u16(b, V::set16(1)))));
    EXPECT_SAME(pack_signed32(a, b));
    EXPECT_SAME(set16(-3));
    EXPECT_SAME(set16(0x8000));
    EXPECT_SAME(add16(a, b));
    EXPECT_SAME(subtract16(a, b));
    EXPECT_SAME(set32(V::differing16(V::bit_and(a, V::bit_and(b, c)), V::set16(0))));
    EXPECT_SAME(set32(V::differing16(V::shift_right32(a, 16), V::set16(0))));
    // Not -2^15 times itself, because the result does not fit.
    EXPECT_SAME(
        multiply_rounded16(a, V::select(V::greater32(b, V::set32(0)), V::set16(29956), V::shift_right16(b, 1))));
    for (const unsigned bits : {0U, 1U, 8U, 15U})
        expect_equal("shifts", [bits](auto kind, auto a, auto b, auto) {
            using V = decltype(kind);
            return V::bit_xor(V::shift_right16(a, bits), V::shift_right_signed16(b, bits));
        });
}

TEST_F(Vectors, BlocksAreTransposed)
{
    for (const unsigned row : {0U, 3U, 7U})
        expect_equal("transpose16", [row](auto kind, auto a, auto b, auto c) {
            using V = decltype(kind);
            decltype(a) rows[8] = {a,
                                   b,
                                   c,
                                   V::add16(a, b),
                                   V::subtract16(a, b),
                                   V::multiply_low16(b, c),
                                   V::bit_xor(a, c),
                                   V::add16(b, c)};
            V::transpose16(rows);
            return rows[row];
        });
}

// The order of a pair's values is not compared, only results that are computed from them.
TEST_F(Vectors, Pairs)
{
    EXPECT_SAME(multiply_pairs(V::pair_low_halves(a, b), V::pair_low_halves(b, c)));
    EXPECT_SAME(multiply_pairs(V::pairs_low16(a, b), V::pairs_low16(b, c)));
    EXPECT_SAME(multiply_pairs(V::pairs_high16(a, b), V::pairs_high16(b, c)));
    EXPECT_SAME(add_pair_products(a, V::pair_low_halves(b, c), V::pair_low_halves(c, a)));
    EXPECT_SAME(add_pair_products(a, V::pairs_low16(b, c), V::set_pair16(-32768, 32767)));
    EXPECT_SAME(add_pair_products(a, V::pairs_high16(b, c), V::set_pair16(2, -3)));
}

TEST_F(Vectors, PairsAreLoaded)
{
    expect_equal("load_pairs16", [](auto kind, auto a, auto b, auto c) {
        using V = decltype(kind);
        std::array<std::int16_t, V::kLanes16> values, taps;
        V::store16(values.data(), a);
        for (unsigned lane = 0; lane < V::kLanes16; ++lane)
            taps[lane] = V::is_second_of_pair(lane) ? -7 : 300;
        return V::add_pair_products(V::multiply_pairs(V::load_pairs16(values.data()), V::pair_low_halves(b, c)),
                                    V::load_pairs16(values.data()), V::load16(taps.data()));
    });
}

TEST_F(Vectors, HalvesAreSplitInOrder)
{
    for (const bool upper : {false, true})
        expect_equal("split_halves", [upper](auto kind, auto a, auto b, auto) {
            auto low = a, high = b;
            decltype(kind)::split_halves(a, b, low, high);
            return upper ? high : low;
        });
}

TEST_F(Vectors, ThirtyTwoBitLanes)
{
    EXPECT_SAME(add32(a, b));
    EXPECT_SAME(subtract32(a, b));
    EXPECT_SAME(max32(a, b));
    EXPECT_SAME(min32(a, b));
    EXPECT_SAME(abs32(a));
    EXPECT_SAME(multiply_low32(a, b));
    EXPECT_SAME(multiply_small32(V::shift_right_signed32(a, 16), V::shift_right32(b, 17)));
    EXPECT_SAME(shift_left32_by(a, V::min32(V::shift_right32(b, 27), V::set32(30))));
    EXPECT_SAME(shift_right32_by(a, V::min32(V::shift_right32(b, 27), V::set32(30))));
    EXPECT_SAME(bit_and(a, b));
    EXPECT_SAME(bit_or(a, b));
    EXPECT_SAME(bit_xor(a, b));
    EXPECT_SAME(add_widened32(a, b));
    EXPECT_SAME(multiply_rounded_high32(a, b, V::odd_to_even32(a), V::odd_to_even32(b)));
    EXPECT_SAME(set32(0x80008000));
    for (const unsigned bits : {0U, 1U, 8U, 15U, 16U, 31U})
        expect_equal("shifts", [bits](auto kind, auto a, auto b, auto c) {
            using V = decltype(kind);
            return V::bit_xor(V::shift_left32(a, bits),
                              V::bit_xor(V::shift_right32(b, bits), V::shift_right_signed32(c, bits)));
        });
}

TEST_F(Vectors, Masks)
{
    EXPECT_SAME(select(V::greater32(a, b), b, c));
    EXPECT_SAME(keep(V::both(V::greater32(a, b), V::greater32(b, c)), a));
    EXPECT_SAME(drop(V::greater32(a, b), c));
    EXPECT_SAME(count(a, V::greater32(b, c)));
    EXPECT_SAME(keep(V::equal32(V::shift_right32(a, 31), V::shift_right32(b, 31)), c));
    EXPECT_SAME(set32(V::is_zero(V::bit_and(V::bit_and(a, b), V::set32(0x10))) ? 1 : 0));
    EXPECT_SAME(set32(V::all(V::greater32(a, b)) ? 1 : 0));
    EXPECT_SAME(set32(V::all(V::greater32(V::set32(1), V::shift_right32(a, 31))) ? 1 : 0));
    expect_equal("load_mask", [](auto kind, auto a, auto b, auto c) {
        using V = decltype(kind);
        std::array<std::int32_t, V::kLanes32> stored;
        V::store_mask(stored.data(), V::greater32(a, b));
        return V::keep(V::load_mask(stored.data()), c);
    });
}

TEST_F(Vectors, SixtyFourBitLanes)
{
    EXPECT_SAME(multiply_even32(a, b));
    EXPECT_SAME(even_and_odd32(a, b));
    EXPECT_SAME(add64(a, b));
    EXPECT_SAME(set64(0x123456789abcdef0));
    for (const unsigned bits : {0U, 1U, 28U, 31U, 32U, 63U})
        expect_equal("shifts", [bits](auto kind, auto a, auto b, auto) {
            using V = decltype(kind);
            return V::bit_xor(V::shift_left64(a, bits), V::shift_right64(b, bits));
        });
}

TEST_F(Vectors, LoadsAndStores)
{
    for (unsigned i = 0; i < 200; ++i) {
        std::array<std::int16_t, 9> halves{}, plain_halves{}, baseline_halves{};
        std::array<std::uint8_t, 9> bytes{};
        std::array<std::uint16_t, 5> plain_low{}, baseline_low{};
        for (std::int16_t &value : halves)
            value = static_cast<std::int16_t>(random_());
        for (std::uint8_t &value : bytes)
            value = static_cast<std::uint8_t>(random_());
        EXPECT_EQ(lanes(P::load16(&halves[1])), lanes(B::load16(&halves[1])));
        EXPECT_EQ(lanes(P::load_widened(&bytes[1])), lanes(B::load_widened(&bytes[1])));
        EXPECT_EQ(lanes(P::load_signed16(&halves[1])), lanes(B::load_signed16(&halves[1])));
        const std::byte *const blocks[1] = {reinterpret_cast<const std::byte *>(halves.data())};
        EXPECT_EQ(lanes(P::load_blocks8(blocks, 3)), lanes(B::load_blocks8(blocks, 3)));
        EXPECT_EQ(lanes(P::load_blocks16(blocks, 2)), lanes(B::load_blocks16(blocks, 2)));
        P::store16(&plain_halves[1], P::load16(&halves[1]));
        B::store16(&baseline_halves[1], B::load16(&halves[1]));
        EXPECT_EQ(plain_halves, baseline_halves);
        P::store_low16(&plain_low[1], P::shift_right32(P::load16(&halves[1]), 16));
        B::store_low16(&baseline_low[1], B::shift_right32(B::load16(&halves[1]), 16));
        EXPECT_EQ(plain_low, baseline_low);
        std::array<std::int32_t, 9> plain_wide{}, baseline_wide{};
        P::store_widened(&plain_wide[1], P::load16(&halves[1]));
        B::store_widened(&baseline_wide[1], B::load16(&halves[1]));
        EXPECT_EQ(plain_wide, baseline_wide);
        const auto narrow = [&](auto kind, auto &to) {
            using V = decltype(kind);
            V::store_narrowed(&to[1], V::shift_right_signed32(V::load16(&halves[1]), 15), V::load_signed16(&halves[0]));
        };
        narrow(P{}, plain_halves);
        narrow(B{}, baseline_halves);
        EXPECT_EQ(plain_halves, baseline_halves);
    }
}

TEST_F(Vectors, BinarySixtyFour)
{
    expect_equal("doubles", [](auto kind, auto a, auto b, auto c) {
        using V = decltype(kind);
        const auto half = [&](auto x, auto y, auto z) {
            return V::min(x / (y + V::set_double(0.25)) - z * V::set_double(1.5), V::set_double(1e9));
        };
        return V::truncated(half(V::low_doubles(a), V::low_doubles(b), V::low_doubles(c)),
                            half(V::high_doubles(a), V::high_doubles(b), V::high_doubles(c)));
    });
}

TEST_F(Vectors, DoublesComeFromMemory)
{
    expect_equal("doubles", [](auto kind, auto a, auto b, auto) {
        using V = decltype(kind);
        std::array<std::int32_t, V::kLanes32> values;
        V::store32(values.data(), a);
        const auto part = V::set_double(0.3);
        return V::bit_xor(V::truncated(V::doubles(&values[0]) * part, V::doubles(&values[V::kLanes32 / 2]) * part), b);
    });
}

TEST_F(Vectors, DoublesAreComparedAndMadeWhole)
{
    expect_equal("not_less", [](auto kind, auto a, auto b, auto c) {
        using V = decltype(kind);
        const auto nearly = V::select(V::greater32(c, V::set32(0)), a, b);
        return V::keep(
            V::not_less(V::low_doubles(a), V::high_doubles(a), V::low_doubles(nearly), V::high_doubles(nearly)), b);
    });
    expect_equal("whole", [](auto kind, auto a, auto b, auto) {
        using V = decltype(kind);
        const auto half = [&](auto x, auto y) { return V::max(V::whole(x * V::set_double(0.3)), y); };
        return V::truncated(half(V::low_doubles(a), V::low_doubles(b)), half(V::high_doubles(a), V::high_doubles(b)));
    });
}

// Converts to the nearest float, and back without a loss.
TEST_F(Vectors, IntegersAreRoundedToFloatsOnce)
{
    expect_equal("to_float", [](auto kind, auto a, auto, auto) {
        using V = decltype(kind);
        const auto rounded = V::to_float(a);
        const auto largest = V::set_double(INT32_MAX); // as a float it becomes 2^31
        return V::truncated(V::min(V::low_doubles(rounded), largest), V::min(V::high_doubles(rounded), largest));
    });
}

TEST_F(Vectors, BinaryThirtyTwo)
{
    expect_equal("floats", [](auto kind, auto a, auto, auto) {
        using V = decltype(kind);
        const auto positive = V::max32(V::shift_right32(a, 1), V::set32(1));
        const auto bits = V::bit_and(V::upper_float_bits(positive), V::set32(~0xffU));
        const float table[1] = {3.25F};
        const auto mantissa = V::as_float(V::bit_or(V::bit_and(bits, V::set32(0x7fff00)), V::set32(0x3f800000)));
        const auto scaled = V::multiply_add(mantissa - V::set_float(0.5F), V::set_float(1024), V::look_up(table, bits));
        return V::bit_xor(bits, V::truncated(scaled));
    });
}

TEST_F(Vectors, FloatsAreAddedMultipliedAndDivided)
{
    expect_equal("floats", [](auto kind, auto a, auto b, auto c) {
        using V = decltype(kind);
        const auto x = V::to_float(a), y = V::to_float(b), z = V::to_float(c);
        float in_memory[4];
        V::store_float(in_memory, V::max((x + y) * z, V::set_float(1)));
        return V::as_int(V::square_root(V::load_float(in_memory) / (y - V::set_float(0.25F))));
    });
}

// Zeros, the smallest floats and others.
TEST_F(Vectors, ScaledDoublesAreRoundedToFloatsOnce)
{
    expect_equal("to_scaled", [](auto kind, auto a, auto b, auto) {
        using V = decltype(kind);
        const auto positive = [](auto v) { return V::as_float(V::bit_and(v, V::set32(0x7effffff))); };
        auto first = V::set_double(0), second = first, third = first, fourth = first;
        V::to_scaled(positive(a), first, second);
        V::to_scaled(positive(b), third, fourth);
        return V::as_int(V::from_scaled(first + third, second + fourth));
    });
}

// The exponent and 16 bits of the mantissa, including the leading one, are the number's, cut off.
TEST_F(Vectors, UpperFloatBitsAreCutOff)
{
    for (unsigned i = 0; i < 20000; ++i) {
        const auto value = static_cast<std::int32_t>((random_() >> 1 >> random_.below(16)) | 65536U);
        const Lanes v{value, value, value, value};
        const float cut =
            static_cast<float>(value >> (std::ilogb(value) - 15)) * std::ldexp(1.0F, std::ilogb(value) - 15);
        std::int32_t wanted;
        std::memcpy(&wanted, &cut, sizeof(wanted));
        for (const Lanes &bits :
             {lanes(P::upper_float_bits(P::load32(v.data()))), lanes(B::upper_float_bits(B::load32(v.data())))})
            ASSERT_EQ(bits[0] & ~0xff, wanted) << value;
    }
}

} // namespace
} // namespace vmaf::test

#else

TEST(Vectors, OfTheBaseline)
{
    GTEST_SKIP() << "this processor has the plain operations alone";
}

#endif
