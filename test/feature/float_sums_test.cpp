#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>

#include "feature/feature_runner.h"
#include "feature/float_ansnr/float_ansnr.h"
#include "feature/float_moment/float_moment.h"
#include "feature/float_oracle.h"
#include "feature/float_psnr/float_psnr.h"
#include "feature/registry.h"
#include "support/cpu_targets.h"
#include "support/random.h"
#include "support/same_scores.h"

// Tests float_moment, float_ansnr and float_psnr.

namespace vmaf::test {
namespace {

using MomentRunner = FeatureRunner<FloatMomentSums>;
using AnsnrRunner = FeatureRunner<FloatAnsnrSums>;
using PsnrRunner = FeatureRunner<FloatPsnrSums>;

// The table of spec float_features 6.2: the four moments, ansnr, anpsnr.
struct ExpectedScores {
    const char *clip;
    unsigned frame;
    std::array<double, 6> scores;
};
constexpr ExpectedScores kExpected[] = {
    {"tiles_176x144_8",
     0,
     {135.60929608585857, 136.12760416666666, 20102.608822601011, 20167.387784090908, 23.545545811360824,
      39.392364934137888}},
    {"tiles_176x144_8",
     1,
     {135.70075757575756, 136.18158143939394, 20153.160037878788, 20206.171875, 23.468853001468425,
      39.258022682796607}},
    {"tiles_176x144_8",
     2,
     {135.76787405303031, 136.296875, 20186.158341224749, 20249.596590909092, 23.42641641616332, 39.175060060995442}},
    {"tiles_177x145_8",
     0,
     {135.89892850185078, 136.39088252483927, 20181.306136762127, 20234.216247808301, 23.311229746435913,
      39.155202786419366}},
    {"tiles_177x145_8",
     1,
     {135.97662185856225, 136.48112215078902, 20230.329631794273, 20289.917007597895, 23.445129487810462,
      39.217721813716132}},
    {"tiles_177x145_8",
     2,
     {136.02388466783557, 136.54447691408532, 20262.049834404832, 20323.24909409702, 23.484140282157597,
      39.205840545168179}},
    {"tiles_352x288_10",
     0,
     {136.27584684738005, 136.40565814393941, 20221.88701282848, 20180.65411931818, 23.41607964374511,
      39.424635286795841}},
    {"tiles_352x288_10",
     1,
     {136.27535610006314, 136.41270123106059, 20228.71686469184, 20188.856889204544, 23.325272808803437,
      39.319794887150415}},
    {"tiles_352x288_10",
     2,
     {136.29046075994319, 136.40855823863637, 20247.53562172013, 20203.083451704544, 23.377881615379778,
      39.333336066402651}},
    {"tiles_256x192_12",
     0,
     {135.93879699707031, 135.9808349609375, 20157.704068024952, 20093.388427734375, 23.579864632786848,
      39.534870513240911}},
    {"tiles_256x192_12",
     1,
     {135.92130661010742, 135.9521484375, 20162.049223184586, 20091.41455078125, 23.423583056491992,
      39.36315663270878}},
    {"tiles_256x192_12",
     2,
     {135.93243281046549, 135.986083984375, 20165.7593729496, 20100.37353515625, 23.406040668117729,
      39.343237710663097}},
    {"tiles_256x192_16",
     0,
     {135.96823000907898, 135.9808349609375, 20165.7034998325, 20093.388427734375, 23.58231498768744,
      39.538088295942153}},
    {"tiles_256x192_16",
     1,
     {135.95070958137512, 135.9521484375, 20170.035528435063, 20091.41455078125, 23.425540223652153,
      39.365902916165034}},
    {"tiles_256x192_16",
     2,
     {135.96175527572632, 135.986083984375, 20173.72624661525, 20100.37353515625, 23.408523340033458,
      39.346507530937195}},
    {"grey_178x146_10",
     0,
     {136.23714791442205, 136.35039248884101, 20274.058166269046, 20226.4049561336, 23.551024069378172,
      39.403709234709325}},
    {"noise_176x144_8",
     0,
     {127.92369002525253, 127.06687973484848, 21855.250710227272, 21578.620620265152, -2.164898411299808,
      16.964803202820733}},
    {"noise_176x144_8",
     1,
     {127.8471433080808, 127.53590593434343, 21826.262468434343, 21640.515309343435, -2.3049365981299221,
      16.851485032614406}},
    {"noise_176x144_8",
     2,
     {128.29541508838383, 127.72107796717172, 21907.740175189392, 21739.094262941919, -2.3795971316069351,
      16.863396630123098}},
    {"same_352x288_8",
     0,
     {135.90005523989899, 135.90005523989899, 20119.761758207071, 20119.761758207071, 30.369326477451825,
      46.368295968427837}},
    {"same_352x288_8",
     1,
     {135.90203795770202, 135.90203795770202, 20127.199741556185, 20127.199741556185, 30.286489804267823,
      46.271450167870505}},
    {"same_352x288_8",
     2,
     {135.91763336489899, 135.91763336489899, 20146.140546085859, 20146.140546085859, 30.333005284670477,
      46.278767852506739}},
    {"flat_176x144_8", 0, {90, 90, 8100, 8100, 60, 60}},
    {"bands_640x360_8",
     0,
     {60.496006944444446, 60.498068576388889, 3707.1954513888891, 3707.3470095486109, 47.243925257616233,
      58.74331050177976}},
};
constexpr ExpectedScores kExpectedLarge[] = {
    {"tiles_1920x1080_8",
     0,
     {134.37255063657406, 134.87254340277778, 19703.803225790896, 19761.68765625, 23.135020777738518,
      39.201438478551474}},
    {"tiles_1920x1080_8",
     1,
     {134.37324556327161, 134.87462673611111, 19705.610343364198, 19763.637725694443, 23.128175661829367,
      39.191037821700291}},
    {"tiles_3840x2160_10",
     0,
     {134.76746817129629, 134.89225694444445, 19808.173825050635, 19764.677569444444, 23.274577795181695,
      39.357919909194848}},
};

void expect_scores(std::span<const ExpectedScores> expected)
{
    for (const ExpectedScores &row : expected) {
        std::vector<double> scores = MomentRunner(kFloatMoment).scores(row.clip, row.frame);
        const std::vector<double> ansnr = AnsnrRunner(kFloatAnsnr).scores(row.clip, row.frame);
        scores.insert(scores.end(), ansnr.begin(), ansnr.end());
        EXPECT_TRUE(are_the_scores(scores, row.scores)) << row.clip << " frame " << row.frame;
    }
}

TEST(FloatMomentAndAnsnr, ScoresEqualCheckValues)
{
    expect_scores(kExpected);
}

TEST(FloatMomentAndAnsnrLarge, ScoresEqualCheckValues)
{
    expect_scores(kExpectedLarge);
}

// spec float_features 6.1
TEST(FloatAnsnr, SumsEqualCheckValues)
{
    const FloatAnsnrSums sums = AnsnrRunner(kFloatAnsnr).sums("tiles_176x144_8", 0);
    EXPECT_EQ(sums.signal, 42881860.0F);
    EXPECT_EQ(sums.noise, 189547.922F);
}

// spec psnr 7
TEST(FloatPsnr, ScoresEqualCheckValues)
{
    const auto score = [](const char *clip) { return PsnrRunner(kFloatPsnr).scores(clip, 0)[0]; };
    EXPECT_EQ(score("tiles_176x144_8"), 32.889213897582678);
    EXPECT_EQ(score("tiles_352x288_10"), 32.978634251967435);
    EXPECT_EQ(score("tiles_256x192_16"), 33.030768569895123);
    EXPECT_EQ(score("same_352x288_8"), 60);
}

struct Pair {
    Pair(const PictureFormat &format, Random &random) : ref(format), dis(format)
    {
        const auto noise = [&](unsigned, unsigned, unsigned) { return random.below(1U << format.bpc); };
        ref.fill(noise);
        dis.fill(noise);
    }

    TestPicture ref, dis;
};

/// At sizes below and above the lengths of the vector loops and of the rows that are summed
/// together.
template <class Expect> void for_each_picture(const Expect &expect)
{
    Random random;
    for (const unsigned bpc : {8U, 10U, 12U, 16U})
        for (const unsigned size : {1U, 2U, 3U, 7U, 8U, 9U, 15U, 16U, 17U, 33U, 65U}) {
            SCOPED_TRACE(random.seed() << " size " << size << " " << bpc << " bits");
            const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, size, 66 - size};
            const Pair pair(format, random);
            for (const CpuTarget target : targets()) {
                SCOPED_TRACE(static_cast<int>(target));
                expect(pair, format, target);
            }
        }
}

TEST(FloatAnsnr, SumsEqualOracle)
{
    for_each_picture([](const Pair &pair, const PictureFormat &format, CpuTarget target) {
        const FloatAnsnrSums sums = AnsnrRunner(kFloatAnsnr, {}, target).sums(planes_of(pair.ref, pair.dis), format);
        const FloatAnsnrSums expected = float_ansnr_oracle(pair.ref.plane(0), pair.dis.plane(0));
        EXPECT_EQ(sums.signal, expected.signal);
        EXPECT_EQ(sums.noise, expected.noise);
    });
}

/// Sum of f(x, y) over a picture. At 16 bits, each value is first rounded to float.
template <class Value> std::uint64_t rounded_sum(const PictureFormat &format, const Value &value)
{
    std::uint64_t sum = 0;
    for (unsigned y = 0; y < format.height; ++y)
        for (unsigned x = 0; x < format.width; ++x) {
            const auto exact = static_cast<std::uint64_t>(value(x, y));
            sum += format.bpc == 16 ? static_cast<std::uint64_t>(static_cast<float>(exact)) : exact;
        }
    return sum;
}

TEST(FloatMoment, SumsEqualPlainSums)
{
    for_each_picture([](const Pair &pair, const PictureFormat &format, CpuTarget target) {
        const FloatMomentSums sums = MomentRunner(kFloatMoment, {}, target).sums(planes_of(pair.ref, pair.dis), format);
        for (const auto &[picture, moments] : {std::pair{&pair.ref, &sums.ref}, std::pair{&pair.dis, &sums.dis}}) {
            const auto sample = [p = picture](unsigned x, unsigned y) { return std::uint64_t{p->at(0, x, y)}; };
            EXPECT_EQ(moments->sum, rounded_sum(format, sample));
            EXPECT_EQ(moments->squares,
                      rounded_sum(format, [&](unsigned x, unsigned y) { return sample(x, y) * sample(x, y); }));
        }
    });
}

TEST(FloatPsnr, SumsEqualPlainSums)
{
    for_each_picture([](const Pair &pair, const PictureFormat &format, CpuTarget target) {
        const FloatPsnrSums sums = PsnrRunner(kFloatPsnr, {}, target).sums(planes_of(pair.ref, pair.dis), format);
        EXPECT_EQ(sums.sse, rounded_sum(format, [&](unsigned x, unsigned y) {
                      const auto difference = std::int64_t{pair.ref.at(0, x, y)} - pair.dis.at(0, x, y);
                      return difference * difference;
                  }));
    });
}

// spec float_features 3.12
TEST(FloatAnsnr, ScoresOfNoNoiseAndOfNoSignal)
{
    const auto scores = [](const FloatAnsnrSums &sums, unsigned bpc) {
        std::vector<double> list(2);
        kFloatAnsnr.create(parse_options(kFloatAnsnr, {}).value())
            ->finish(&sums, {VMAF_PIX_FMT_YUV400P, bpc, 64, 64}, list);
        return list;
    };
    EXPECT_EQ(scores({1000, 0}, 8), (std::vector<double>{60, 60}));
    EXPECT_EQ(scores({1000, 0}, 12), (std::vector<double>{84, 84}));
    EXPECT_EQ(scores({0, 1000}, 8)[0], -HUGE_VAL);
}

TEST(FloatFeatures, TakeFourDepths)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const bool accepted = bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16;
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 64, 64};
        EXPECT_EQ(MomentRunner(kFloatMoment).format_error(format), accepted ? 0 : -EINVAL) << bpc;
        EXPECT_EQ(AnsnrRunner(kFloatAnsnr).format_error(format), accepted ? 0 : -EINVAL) << bpc;
        EXPECT_EQ(PsnrRunner(kFloatPsnr).format_error(format), accepted ? 0 : -ENOMEM) << bpc; // spec psnr 7
    }
}

TEST(FloatFeatures, NameTheirOutputs)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    EXPECT_EQ(output_names(kFloatMoment, {}, format),
              (std::vector<std::string>{"float_moment_ref1st", "float_moment_dis1st", "float_moment_ref2nd",
                                        "float_moment_dis2nd"}));
    EXPECT_EQ(output_names(kFloatAnsnr, {}, format), (std::vector<std::string>{"float_ansnr", "float_anpsnr"}));
    EXPECT_EQ(output_names(kFloatPsnr, {}, format), std::vector<std::string>{"float_psnr"});
}

// spec float_features 4
TEST(FloatFeatures, ProvideOneNameEach)
{
    EXPECT_EQ(find_feature_providing("float_moment"), &kFloatMoment);
    EXPECT_EQ(find_feature_providing("float_ansnr"), &kFloatAnsnr);
    EXPECT_EQ(find_feature_providing("float_anpsnr"), nullptr);
    EXPECT_EQ(find_feature_providing("float_psnr"), &kFloatPsnr);
}

} // namespace
} // namespace vmaf::test
