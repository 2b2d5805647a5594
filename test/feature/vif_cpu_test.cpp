#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <functional>
#include <random>

#include "feature/vif/vif.h"
#include "feature/vif/vif_log_table.h"
#include "feature/vif/vif_loops.h"
#include "feature/vif_oracle.h"
#include "support/clips.h"
#include "support/cpu_targets.h"
#include "support/random.h"

// Compares the CPU backend with the independent implementation in vif_oracle, on pictures that no
// clip has.

namespace vmaf::test {
namespace {

/// A plane whose rows have space between them. It ends with its last sample, so an address checker
/// sees every read beyond it.
class Picture {
  public:
    Picture(unsigned width, unsigned height, unsigned bpc, unsigned slack_px = 0)
        : width_(width), height_(height), bpc_(bpc), stride_px_(width + slack_px),
          bytes_((std::size_t{stride_px_} * (height - 1) + width) * sample_bytes(), std::byte{0xa5})
    {
    }

    PlaneView view() const
    {
        return {bytes_.data(), static_cast<std::ptrdiff_t>(stride_px_ * sample_bytes()), width_, height_, bpc_};
    }

    void fill(const std::function<unsigned(unsigned x, unsigned y)> &sample)
    {
        for (unsigned y = 0; y < height_; ++y)
            for (unsigned x = 0; x < width_; ++x) {
                const auto value = static_cast<std::uint16_t>(sample(x, y));
                const std::size_t at = std::size_t{y} * stride_px_ + x;
                if (bpc_ > 8)
                    std::memcpy(&bytes_[2 * at], &value, 2);
                else
                    bytes_[at] = static_cast<std::byte>(value);
            }
    }

    unsigned peak() const { return (1U << bpc_) - 1; }
    PictureFormat format() const { return {VMAF_PIX_FMT_YUV400P, bpc_, width_, height_}; }

  private:
    std::size_t sample_bytes() const { return bpc_ > 8 ? 2 : 1; }

    unsigned width_, height_, bpc_, stride_px_;
    std::vector<std::byte> bytes_;
};

struct Pair {
    Picture ref, dis;
};

/// Detail at several scales, and a copy with changed contrast and added noise.
void fill_related(Pair &pair, Random &random)
{
    const unsigned peak = pair.ref.peak(), coarse = random.below(13) + 2, cells = random.below(1U << 30);
    const auto texture = [=](unsigned x, unsigned y) {
        const unsigned cell = ((x / coarse) * 2654435761U) ^ ((y / coarse) * 40503U) ^ cells;
        return ((cell >> 7) % (peak + 1) + (x * 37 + y * 11) * peak / 255) / 2 % (peak + 1);
    };
    const unsigned percent = random.below(100) + 50, noise = peak / (random.below(60) + 4) + 1;
    pair.ref.fill(texture);
    pair.dis.fill(
        [&](unsigned x, unsigned y) { return std::min(peak, texture(x, y) * percent / 100 + random.below(noise)); });
}

/// Independent samples, over the whole range or at its ends only.
void fill_noise(Pair &pair, Random &random)
{
    const unsigned peak = pair.ref.peak();
    const bool ends_only = random.below(2) == 0;
    const auto noise = [&](unsigned, unsigned) { return ends_only ? peak * random.below(2) : random.below(peak + 1); };
    pair.ref.fill(noise);
    pair.dis.fill(noise);
}

/// A reference with hardly any variance in some places, for the low-variance branch and for high
/// gains.
void fill_faint(Pair &pair, Random &random)
{
    const unsigned peak = pair.ref.peak(), step = std::max(1U, peak / 128), level = random.below(peak / 2);
    const unsigned gain = random.below(40) + 1;
    const auto faint = [=](unsigned x, unsigned y) { return x * y % 3 + (x * 7 + y * 3) % 5 * (y % 16 / 8); };
    pair.ref.fill([&](unsigned x, unsigned y) { return level + step * faint(x, y); });
    pair.dis.fill([&](unsigned x, unsigned y) { return std::min(peak, level + step * gain * faint(x, y)); });
}

Pair random_pair(unsigned width, unsigned height, unsigned bpc, Random &random)
{
    const unsigned slack_px = random.below(20);
    Pair pair{{width, height, bpc, slack_px}, {width, height, bpc, slack_px}};
    switch (random.below(3)) {
    case 0:
        fill_related(pair, random);
        break;
    case 1:
        fill_noise(pair, random);
        break;
    default:
        fill_faint(pair, random);
    }
    return pair;
}

VifSums extract(CpuExtractor &extractor, const Pair &pair)
{
    FramePlanes planes;
    planes.ref[0] = pair.ref.view();
    planes.dis[0] = pair.dis.view();
    VifSums sums;
    EXPECT_TRUE(extractor.extract(planes, &sums).ok());
    return sums;
}

VifSums cpu_sums(const Pair &pair, double gain_limit, CpuTarget target)
{
    return extract(*make_vif_cpu({gain_limit, false}, pair.ref.format(), target), pair);
}

bool equal(const VifSums &a, const VifSums &b)
{
    return std::memcmp(&a, &b, sizeof(VifSums)) == 0;
}

testing::Message describe(const Pair &pair, double gain_limit, CpuTarget target)
{
    const PictureFormat format = pair.ref.format();
    return testing::Message() << format.width << "x" << format.height << " " << format.bpc << " bit, gain limit "
                              << gain_limit << ", target " << static_cast<int>(target);
}

void expect_oracle(const Pair &pair, double gain_limit = 100)
{
    const VifSums expected = vif_oracle(pair.ref.view(), pair.dis.view(), gain_limit).sums;
    for (const CpuTarget target : targets())
        EXPECT_TRUE(equal(cpu_sums(pair, gain_limit, target), expected)) << describe(pair, gain_limit, target);
}

// Checks the oracle itself (spec vif 6).
TEST(VifOracle, PyramidAndMomentsEqualCheckValues)
{
    const Clip &clip = Clip::get("tiles_176x144_8");
    const VifOracle oracle = vif_oracle(clip.plane(Side::ref, 0, 0), clip.plane(Side::dis, 0, 0), 100);
    const auto sum = [](const VifPlane64 &plane) {
        std::int64_t total = 0;
        for (const std::int64_t sample : plane.samples)
            total += sample;
        return total;
    };
    EXPECT_EQ(sum(oracle.ref[1]), 219141564);
    EXPECT_EQ(sum(oracle.dis[1]), 219980630);
    EXPECT_EQ(sum(oracle.ref[2]), 54379348);
    EXPECT_EQ(sum(oracle.dis[2]), 54589017);
    EXPECT_EQ(sum(oracle.ref[3]), 13393855);
    EXPECT_EQ(sum(oracle.dis[3]), 13445988);
    EXPECT_EQ(oracle.moments[0].s1.at(0, 0), 776192);
    EXPECT_EQ(oracle.moments[0].s2.at(7, 0), 2931133);
    EXPECT_EQ(oracle.moments[0].s12.at(7, 72), 3233304);
    EXPECT_EQ(oracle.moments[1].s1.at(7, 36), 4373152);
    EXPECT_EQ(oracle.moments[1].s12.at(0, 0), 260648);
}

TEST(VifCpu, EqualsOracleAtEverySmallSize)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (unsigned height = 8; height <= 33; ++height)
        for (unsigned width = 8; width <= 33; ++width)
            expect_oracle(random_pair(width, height, (width + height) % 2 == 0 ? 8 : 10, random));
}

TEST(VifCpu, EqualsOracleAtEveryDepthAndGainLimit)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        for (const double gain_limit : {1.0, 1.23457, 20.25, 100.0})
            for (unsigned i = 0; i < 4; ++i)
                expect_oracle(random_pair(16 + random.below(60), 16 + random.below(60), bpc, random), gain_limit);
}

// The backend works in strips of 384 columns and blocks of 8 rows.
TEST(VifCpu, EqualsOracleAroundTheBordersOfItsBlocks)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const unsigned width : {368U, 376U, 382U, 383U, 384U, 385U, 386U, 392U, 393U, 767U, 768U, 769U, 770U, 1155U})
        expect_oracle(random_pair(width, 16 + random.below(3), random.below(2) == 0 ? 8 : 12, random));
    for (unsigned height = 40; height <= 110; ++height)
        expect_oracle(random_pair(17, height, random.below(2) == 0 ? 8 : 12, random));
}

/// Any number from 0 to 2^30 + 2^16; small ones are as likely as large ones.
std::int32_t random_variance(Random &random)
{
    constexpr unsigned kLargest = (1U << 30) + (1U << 16);
    return static_cast<std::int32_t>((random.below(kLargest) + 1) >> random.below(31));
}

/// A row of moments that are rare in pictures: related ones, gains near 1 and near an integer, no
/// variance on one side only.
void fill_moments(VifReferenceMoments &reference, VifMoments &moments, unsigned width_px, Random &random)
{
    reference = {};
    moments = {};
    for (unsigned x = 0; x < width_px; ++x) {
        const unsigned i = vif_moment_place(x);
        const std::int32_t s1 = random_variance(random), s2 = random_variance(random);
        const auto bound = static_cast<unsigned>(std::sqrt(static_cast<double>(s1) * s2)) + 1;
        const auto s12 = static_cast<std::int32_t>(random.below(2) == 0 ? bound : random.below(bound));
        switch (random.below(6)) {
        case 0: // identical pictures
            reference.s1[i] = moments.s2[i] = moments.s12[i] = s1;
            break;
        case 1: // a gain that is an integer, or nearly one
            reference.s1[i] = s1 >> 6;
            moments.s2[i] = s2;
            moments.s12[i] = (s1 >> 6) * static_cast<std::int32_t>(random.below(60)) + 1 - static_cast<int>(x % 3);
            break;
        case 2: // possible results of rounding the means
            reference.s1[i] = s1 - 32000;
            moments.s2[i] = static_cast<std::int32_t>(random.below(2));
            moments.s12[i] = static_cast<std::int32_t>(random.below(65536)) - 32000;
            break;
        default:
            reference.s1[i] = s1;
            moments.s2[i] = s2;
            moments.s12[i] = random.below(5) == 0 ? -s12 : s12;
        }
        // No picture has larger moments (spec vif 3.3).
        const double most = std::sqrt((reference.s1[i] + 65537.0) * (moments.s2[i] + 65537.0));
        moments.s12[i] = static_cast<std::int32_t>(std::clamp<double>(moments.s12[i], -most, most));
    }
}

TEST(VifCpu, StatisticEqualsOracleOnSyntheticMoments)
{
    Random random;
    SCOPED_TRACE(random.seed());
    VifReferenceMoments reference;
    VifMoments moments;
    for (unsigned row = 0; row < 2000; ++row) {
        const unsigned width_px = kVifStripPx - random.below(40);
        fill_moments(reference, moments, width_px, random);
        const double gain_limit = std::array{1.0, 1.5, 20.25, 100.0}[row % 4];
        VifScaleSums expected{};
        for (unsigned x = 0; x < width_px; ++x) {
            const unsigned i = vif_moment_place(x);
            add_oracle_pixel(reference.s1[i], moments.s2[i], moments.s12[i], gain_limit, expected);
        }
        for (const CpuTarget target : targets()) {
            VifScaleSums sums{};
            select_kVifLoops(target).statistic(reference, moments, width_px, gain_limit, sums);
            ASSERT_EQ(std::memcmp(&sums, &expected, sizeof(sums)), 0) << "row " << row << ", target " << int(target);
        }
    }
}

// logDen of one pixel is L(S1 + 131072) - 34816 (spec vif 3.4, 3.5). Bits below the mantissa's 16
// must not matter.
TEST(VifCpu, LogarithmIsExactForEveryMantissa)
{
    Random random;
    SCOPED_TRACE(random.seed());
    const VifLogTable &table = vif_log_table();
    for (const CpuTarget target : targets())
        for (unsigned m = 32768; m < 65536; ++m)
            for (const unsigned shift : {3U, 4U, 14U}) {
                const unsigned low_bits = std::array{0U, (1U << shift) - 1, random.below(1U << shift)}[m % 3];
                VifReferenceMoments reference{};
                const VifMoments moments{};
                reference.s1[0] = static_cast<std::int32_t>((m << shift) + low_bits) - kVifNoise;
                VifScaleSums sums{};
                select_kVifLoops(target).statistic(reference, moments, 1, 100, sums);
                const unsigned curve = (table[(m - 32768) / 8] + m % 8) / 8;
                ASSERT_EQ(sums.log_den, 30720 + curve + 2048 * shift - 34816) << m << ", target " << int(target);
            }
}

TEST(VifCpu, FramesAreIndependent)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const unsigned bpc : {8U, 10U}) {
        const Pair first = random_pair(61, 45, bpc, random), second = random_pair(61, 45, bpc, random);
        for (const CpuTarget target : targets()) {
            const auto extractor = make_vif_cpu({100, false}, first.ref.format(), target);
            const VifSums sums = extract(*extractor, first);
            extract(*extractor, second);
            EXPECT_TRUE(equal(extract(*extractor, first), sums));
        }
    }
}

TEST(VifCpu, SkippedScale0LeavesTheOthersUnchanged)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const unsigned bpc : {8U, 10U}) {
        const Pair pair = random_pair(267, 45, bpc, random);
        VifSums expected = vif_oracle(pair.ref.view(), pair.dis.view(), 100).sums;
        expected.scale[0] = {};
        for (const CpuTarget target : targets())
            EXPECT_TRUE(equal(extract(*make_vif_cpu({100, true}, pair.ref.format(), target), pair), expected));
    }
}

// Scores of samples out of range have no meaning. But nothing is read or written out of bounds, and
// the next frame's scores are right.
TEST(VifCpu, SurvivesSamplesOutOfRange)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (unsigned bpc = 9; bpc <= 15; ++bpc) {
        Pair wild{{253, 37, bpc}, {253, 37, bpc}};
        const auto any = [&](unsigned, unsigned) { return random.below(4) == 0 ? 65535U : random.below(65536); };
        wild.ref.fill(any);
        wild.dis.fill(any);
        const Pair valid = random_pair(253, 37, bpc, random);
        const VifSums expected = vif_oracle(valid.ref.view(), valid.dis.view(), 100).sums;
        for (const CpuTarget target : targets()) {
            const auto extractor = make_vif_cpu({100, false}, valid.ref.format(), target);
            extract(*extractor, wild);
            EXPECT_TRUE(equal(extract(*extractor, valid), expected)) << describe(valid, 100, target);
        }
    }
}

} // namespace
} // namespace vmaf::test
