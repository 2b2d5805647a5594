#include "engine/plane_scaling.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "engine/foreign_picture.h"
#include "engine/scaled_samples.h"
#include "support/scaling.h"

// Scaling of lent planes (spec device_pictures 3) on the CPU: the filters and the scaled planes,
// compared with the chapter's formulas.

namespace vmaf::test {
namespace {

/// Weights of all samples of the row.
std::vector<int> weights_of(const ScaleFilter &filter, unsigned x)
{
    std::vector<int> weights(filter.from_px);
    for (unsigned k = 0; k < filter.taps; ++k)
        weights[static_cast<unsigned>(filter.first[x]) + k] += filter.weights[std::size_t{x} * filter.taps + k];
    return weights;
}

/// Sizes with ratios of all kinds.
constexpr std::pair<unsigned, unsigned> kLargeSizes[] = {
    {1920, 3840}, {3840, 1920}, {1280, 1920}, {1920, 1280}, {720, 1080},  {1080, 720},  {854, 1920},     {1919, 1081},
    {1081, 1919}, {5760, 320},  {320, 5760},  {16384, 16},  {4099, 4093}, {4093, 4099}, {1U << 20, 1024}};

TEST(ScaleFilters, AreTheChaptersForAllSmallSizes)
{
    for (unsigned from = 1; from <= 40; ++from)
        for (unsigned to = 1; to <= 40; ++to) {
            const ScaleFilter filter = make_scale_filter(from, to);
            for (unsigned x = 0; x < to; ++x)
                ASSERT_EQ(weights_of(filter, x), scale_weights(from, to, x)) << from << " to " << to << ", " << x;
        }
}

TEST(ScaleFilters, HaveWeightsOfOneWholeInsideTheRow)
{
    const auto check = [](unsigned from, unsigned to) {
        const ScaleFilter filter = make_scale_filter(from, to);
        ASSERT_EQ(filter.from_px, from);
        ASSERT_EQ(filter.to_px, to);
        ASSERT_EQ(filter.first.size(), to);
        ASSERT_EQ(filter.weights.size(), std::size_t{to} * filter.taps);
        for (unsigned x = 0; x < to; ++x) {
            ASSERT_GE(filter.first[x], x == 0 ? 0 : filter.first[x - 1]);
            ASSERT_LE(static_cast<unsigned>(filter.first[x]) + filter.taps, from);
            int sum = 0, magnitude = 0;
            for (unsigned k = 0; k < filter.taps; ++k) {
                sum += filter.weights[std::size_t{x} * filter.taps + k];
                magnitude += std::abs(filter.weights[std::size_t{x} * filter.taps + k]);
            }
            ASSERT_EQ(sum, 1 << kScaleWeightBits) << from << " to " << to << ", " << x;
            ASSERT_LE(magnitude, kMostScaleWeight) << from << " to " << to << ", " << x;
        }
    };
    for (const auto &[from, to] : kLargeSizes)
        check(from, to);
    for (unsigned from = 1; from <= 90; ++from)
        for (unsigned to = 1; to <= 90; ++to)
            check(from, to);
}

TEST(ScaleFilters, OfEqualSizesChangeNothing)
{
    for (const unsigned size : {1U, 2U, 3U, 4U, 5U, 100U, 1921U}) {
        const ScaleFilter filter = make_scale_filter(size, size);
        for (unsigned x = 0; x < size; ++x)
            ASSERT_EQ(weights_of(filter, x)[x], 1 << kScaleWeightBits) << size;
    }
}

TEST(ScaleFilters, LookAtFourSamplesAndAtMoreWhenTheyShrink)
{
    EXPECT_EQ(make_scale_filter(100, 100).taps, 4U);
    EXPECT_EQ(make_scale_filter(100, 333).taps, 4U);
    EXPECT_EQ(make_scale_filter(100, 50).taps, 8U);
    EXPECT_EQ(make_scale_filter(100, 99).taps, 5U);
    EXPECT_EQ(make_scale_filter(3, 99).taps, 3U) << "there are no more";
}

TEST(ScaleFilters, AreMadeWithinTheirLimits)
{
    EXPECT_TRUE(can_scale(1, 1));
    EXPECT_TRUE(can_scale(1, 1U << 20));
    EXPECT_TRUE(can_scale(1U << 20, 1U << 10));
    EXPECT_FALSE(can_scale(1U << 20, (1U << 10) - 1));
    EXPECT_FALSE(can_scale(1025, 1));
    EXPECT_FALSE(can_scale(1, (1U << 20) + 1));
    EXPECT_FALSE(can_scale((1U << 20) + 1, 1U << 20));
    EXPECT_FALSE(can_scale(~0U, ~0U));
    EXPECT_FALSE(can_scale(0, 1));
    EXPECT_FALSE(can_scale(1, 0));
}

TEST(ScaleFilters, AreMadeOnceForASession)
{
    PlaneScalings scalings;
    const auto first = scalings.between({64, 48}, {96, 48}), other = scalings.between({64, 48}, {96, 49});
    EXPECT_EQ(scalings.between({64, 48}, {96, 48}), first);
    EXPECT_EQ(scalings.between({64, 48}, {96, 49}), other);
    EXPECT_NE(first, other);
    EXPECT_NE(scalings.between({48, 64}, {96, 48}), first);
    EXPECT_EQ(first->across.to_px, 96U);
    EXPECT_EQ(first->down.from_px, 48U);
}

/// A plane of `bpc` bits with the samples `sample(x, y)`, scaled by the library.
template <class Sample, class At>
std::vector<unsigned> scaled(PlaneSize from, PlaneSize to, unsigned bpc, SampleSource source, At &&at)
{
    const std::size_t stride = std::size_t{from.width_px} * source.step + 3;
    std::vector<Sample> samples(stride * from.height_px, static_cast<Sample>(-1));
    for (unsigned y = 0; y < from.height_px; ++y)
        for (unsigned x = 0; x < from.width_px; ++x)
            samples[stride * y + std::size_t{x} * source.step + source.first] =
                static_cast<Sample>(at(x, y) << source.shift | ((1U << source.shift) - 1));
    source.data = reinterpret_cast<const std::byte *>(samples.data());
    source.stride_bytes = static_cast<std::ptrdiff_t>(stride * sizeof(Sample));
    source.scaling = std::make_shared<const PlaneScaling>(
        PlaneScaling{make_scale_filter(from.width_px, to.width_px), make_scale_filter(from.height_px, to.height_px)});
    ForeignPlanes planes;
    planes.plane[0] = source;
    ForeignPicture picture({VMAF_PIX_FMT_YUV400P, bpc, to.width_px, to.height_px}, planes);
    EXPECT_FALSE(picture.is_plain());
    NormalisedPlanes memory;
    EXPECT_TRUE(picture.reserve(0, memory).ok());
    picture.normalise(0);
    const PlaneView view = picture.normalised(0);
    std::vector<unsigned> got;
    for (unsigned y = 0; y < to.height_px; ++y)
        for (unsigned x = 0; x < to.width_px; ++x)
            got.push_back(view.row<Sample>(y)[x]);
    return got;
}

template <class At>
std::vector<unsigned> scaled(PlaneSize from, PlaneSize to, unsigned bpc, const SampleSource &source, At &&at)
{
    return bpc > 8 ? scaled<std::uint16_t>(from, to, bpc, source, at) : scaled<std::uint8_t>(from, to, bpc, source, at);
}

/// The scaled samples by the chapter's formulas.
template <class At> std::vector<unsigned> expected(PlaneSize from, PlaneSize to, unsigned bpc, At &&at)
{
    std::vector<std::uint16_t> samples;
    std::vector<std::uint8_t> bytes;
    for (unsigned y = 0; y < from.height_px; ++y)
        for (unsigned x = 0; x < from.width_px; ++x) {
            samples.push_back(static_cast<std::uint16_t>(at(x, y)));
            bytes.push_back(static_cast<std::uint8_t>(at(x, y)));
        }
    const auto *data = bpc > 8 ? reinterpret_cast<const std::byte *>(samples.data())
                               : reinterpret_cast<const std::byte *>(bytes.data());
    return scaled_plane(
        {data, static_cast<std::ptrdiff_t>(from.width_px * sample_bytes(bpc)), from.width_px, from.height_px, bpc},
        to.width_px, to.height_px);
}

constexpr PlaneSize kSizes[] = {{1, 1},   {2, 3},   {5, 1},   {1, 9},    {16, 16}, {17, 31},
                                {40, 23}, {64, 48}, {65, 49}, {130, 11}, {7, 100}};

TEST(ScaledPlanes, AreTheChaptersAtEveryDepth)
{
    std::mt19937 random(7);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (const PlaneSize &from : kSizes)
            for (const PlaneSize &to : kSizes) {
                const auto seed = static_cast<std::uint32_t>(random());
                const bool is_extreme = seed % 2 == 0; // black and white, so that results leave the range
                const auto noise = [&](unsigned x, unsigned y) {
                    const unsigned value = ((x * 2654435761U ^ y * 40503U ^ seed) * 2246822519U) >> (32 - bpc);
                    return is_extreme ? (value & 1) * ((1U << bpc) - 1) : value;
                };
                ASSERT_EQ(scaled(from, to, bpc, {}, noise), expected(from, to, bpc, noise))
                    << from.width_px << "x" << from.height_px << " to " << to.width_px << "x" << to.height_px << ", "
                    << bpc << " bits";
            }
}

TEST(ScaledPlanes, AreThoseOfTheSamplesHoweverTheyLie)
{
    const auto at = [](unsigned x, unsigned y) { return (x * x + 7 * y) % 256; };
    for (const unsigned bpc : {8U, 10U, 12U})
        for (unsigned first = 0; first < 2; ++first)
            for (const unsigned shift : {0U, bpc > 8 ? 16 - bpc : 0U}) {
                SampleSource pairs;
                pairs.step = 2;
                pairs.first = first;
                pairs.shift = shift;
                EXPECT_EQ(scaled({21, 13}, {34, 9}, bpc, pairs, at), expected({21, 13}, {34, 9}, bpc, at));
                SampleSource shifted;
                shifted.shift = shift;
                EXPECT_EQ(scaled({21, 13}, {34, 9}, bpc, shifted, at), expected({21, 13}, {34, 9}, bpc, at));
            }
}

TEST(ScaledPlanes, OfOneValueHaveThatValue)
{
    for (const unsigned bpc : {8U, 10U, 16U})
        for (const unsigned value : {0U, 1U, 77U, (1U << bpc) - 1})
            for (const auto &[from, to] : {std::pair{PlaneSize{50, 31}, PlaneSize{77, 77}}, {{300, 201}, {33, 2}}}) {
                const auto got = scaled(from, to, bpc, {}, [&](unsigned, unsigned) { return value; });
                EXPECT_EQ(got, std::vector<unsigned>(got.size(), value));
            }
}

// Bicubic weights keep linear samples linear, and centres are aligned. If a ramp with steps of 8 is
// doubled, it gets steps of 4 and begins 2 lower.
TEST(ScaledPlanes, OfARampAreARamp)
{
    const auto got = scaled({30, 4}, {60, 4}, 8, {}, [](unsigned x, unsigned) { return 10 + 8 * x; });
    for (unsigned x = 4; x < 56; ++x)
        EXPECT_EQ(got[x], 8 + 4 * x) << x;
    const auto halved = scaled({4, 60}, {4, 30}, 10, {}, [](unsigned, unsigned y) { return 10 + 8 * y; });
    for (unsigned y = 4; y < 26; ++y)
        EXPECT_EQ(halved[4 * y], 14 + 16 * y) << y;
}

TEST(ScaledPlanes, OfTheirOwnSizeAreTheSame)
{
    const auto at = [](unsigned x, unsigned y) { return (x * 31 + y * y) % 1024; };
    EXPECT_EQ(scaled({37, 19}, {37, 19}, 10, {}, at), expected({37, 19}, {37, 19}, 10, at));
    const auto got = scaled({37, 19}, {37, 19}, 10, {}, at);
    for (unsigned y = 0; y < 19; ++y)
        for (unsigned x = 0; x < 37; ++x)
            ASSERT_EQ(got[37 * y + x], at(x, y));
}

} // namespace
} // namespace vmaf::test
