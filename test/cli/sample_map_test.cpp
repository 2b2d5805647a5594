#include "input/sample_map.h"

#include <gtest/gtest.h>

#include <cstring>

/// Conversion of range and depth, compared with the formulas of spec comparison 2.1 in integers.
namespace vmaf::tool {
namespace {

constexpr unsigned kDepths[] = {8, 9, 10, 12, 14, 16};
constexpr Range kRanges[] = {Range::limited, Range::full};

std::uint16_t mapped(const SampleMap &map, unsigned from_depth, unsigned to_depth, unsigned code)
{
    std::byte from[2]{std::byte(code & 0xff), std::byte(code >> 8)};
    std::byte to[2]{};
    map.convert(from, to, 1);
    EXPECT_TRUE(from_depth > 8 || code < 256);
    EXPECT_TRUE(to_depth > 8 || to[1] == std::byte(0));
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(to[0]) | std::to_integer<unsigned>(to[1]) << 8);
}

/// A value is (code - zero) / span.
struct Scale {
    long long zero, span;
};

Scale scale(unsigned depth, Range range, PlaneKind kind)
{
    const long long k = 1LL << (depth - 8);
    const long long all = (1LL << depth) - 1;
    if (kind == PlaneKind::chroma)
        return {128 * k, range == Range::full ? all : 224 * k};
    return range == Range::full ? Scale{0, all} : Scale{16 * k, 219 * k};
}

/// Whether `got` is the code nearest to the value, at most `largest`. Of two equally near codes,
/// the larger one counts.
bool is_rounded_half_up(long long code, const Scale &from, long long got, const Scale &to, long long largest)
{
    const long long value = (code - from.zero) * to.span; // times from.span
    const long long twice = 2 * (got - to.zero);
    if (got == 0)
        return 2 * value < (twice + 1) * from.span;
    if (got == largest)
        return 2 * value >= (twice - 1) * from.span;
    return 2 * value >= (twice - 1) * from.span && 2 * value < (twice + 1) * from.span;
}

TEST(SampleMap, IsExactBetweenAllRangesAndDepths)
{
    for (const unsigned from_depth : kDepths)
        for (const unsigned to_depth : kDepths)
            for (const Range from_range : kRanges)
                for (const Range to_range : kRanges)
                    for (const PlaneKind kind : {PlaneKind::luma, PlaneKind::chroma}) {
                        const SampleMap map({from_depth, from_range}, {to_depth, to_range}, kind);
                        const Scale from = scale(from_depth, from_range, kind), to = scale(to_depth, to_range, kind);
                        const unsigned step = from_depth > 12 ? 37 : 1;
                        for (unsigned code = 0; code < 1U << from_depth; code += step)
                            ASSERT_TRUE(is_rounded_half_up(code, from, mapped(map, from_depth, to_depth, code), to,
                                                           (1LL << to_depth) - 1))
                                << from_depth << " to " << to_depth << ": " << range_text(from_range) << " to "
                                << range_text(to_range) << ", code " << code;
                    }
}

// Values of the chapter.
TEST(SampleMap, HasTheValuesOfTheChapter)
{
    const SampleMap deeper({8, Range::full}, {10, Range::full}, PlaneKind::luma);
    EXPECT_EQ(mapped(deeper, 8, 10, 255), 1023);
    const SampleMap shifted({8, Range::limited}, {10, Range::limited}, PlaneKind::luma);
    EXPECT_EQ(mapped(shifted, 8, 10, 255), 1020);
    const SampleMap full({8, Range::limited}, {8, Range::full}, PlaneKind::luma);
    EXPECT_EQ(mapped(full, 8, 8, 16), 0);
    EXPECT_EQ(mapped(full, 8, 8, 235), 255);
    EXPECT_EQ(mapped(full, 8, 8, 5), 0);
    EXPECT_EQ(mapped(full, 8, 8, 250), 255);
    const SampleMap chroma({8, Range::limited}, {10, Range::full}, PlaneKind::chroma);
    EXPECT_EQ(mapped(chroma, 8, 10, 128), 512);
    EXPECT_EQ(mapped(chroma, 8, 10, 240), 1023);
}

// Every length, so that vector code and the remainder of a row are tested.
TEST(SampleMap, ConvertsRowsOfEveryLength)
{
    const SampleMap map({8, Range::full}, {12, Range::full}, PlaneKind::luma);
    for (std::size_t length = 0; length < 70; ++length) {
        std::vector<std::byte> from(length), to(2 * length + 1, std::byte{0x5a});
        for (std::size_t x = 0; x < length; ++x)
            from[x] = std::byte(static_cast<unsigned char>(x * 37));
        map.convert(from.data(), to.data(), length);
        for (std::size_t x = 0; x < length; ++x) {
            std::uint16_t sample = 0;
            std::memcpy(&sample, to.data() + 2 * x, 2);
            ASSERT_EQ(sample, mapped(map, 8, 12, std::to_integer<unsigned>(from[x])));
        }
        EXPECT_EQ(to.back(), std::byte{0x5a});
    }
}

// A file may contain such samples.
TEST(SampleMap, TakesSamplesThatTheDepthDoesNotAllow)
{
    const SampleMap map({10, Range::full}, {12, Range::full}, PlaneKind::luma);
    EXPECT_EQ(mapped(map, 16, 12, 65535), 4095);
}

} // namespace
} // namespace vmaf::tool
