#include "feature/float_vif/float_vif.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "feature/feature_runner.h"
#include "feature/float_oracle.h"
#include "support/cpu_targets.h"
#include "support/random.h"

namespace vmaf::test {
namespace {

using Runner = FeatureRunner<FloatVifSums>;

// The tables of spec float_features 6.2.
struct ExpectedScores {
    const char *clip;
    unsigned frame;
    std::array<double, 4> scales;
};
constexpr ExpectedScores kExpected[] = {
    {"tiles_176x144_8", 0, {0.43396437309201946, 0.95890602491780752, 0.98322933017857495, 0.99231796247271697}},
    {"tiles_176x144_8", 1, {0.43339158136203765, 0.96012671102621827, 0.98306705599758004, 0.98857334607109382}},
    {"tiles_176x144_8", 2, {0.43274895349751324, 0.95978028968574314, 0.98254047075385298, 0.98922841648703241}},
    {"tiles_177x145_8", 0, {0.43043787769890557, 0.95868611029539197, 0.98284326229694086, 0.99182483464358129}},
    {"tiles_177x145_8", 1, {0.4347534859464916, 0.95994165373877438, 0.9827774083333316, 0.98814269965854806}},
    {"tiles_177x145_8", 2, {0.43397963605782963, 0.9598595752421557, 0.98261736832506663, 0.98895334179805383}},
    {"tiles_352x288_10", 0, {0.43579190433318277, 0.955467623074995, 0.98058566929785096, 0.99086928158269472}},
    {"tiles_352x288_10", 1, {0.43333753291102078, 0.95462902232077429, 0.97958659640168133, 0.98644772530913216}},
    {"tiles_352x288_10", 2, {0.43484299755011346, 0.95464348359612372, 0.97979531853952073, 0.98723499344778143}},
    {"tiles_256x192_12", 0, {0.43714255322807993, 0.95725792798255038, 0.98182120478645096, 0.9917456930335895}},
    {"tiles_256x192_12", 1, {0.43514906996550323, 0.95636996113231476, 0.98071578689541061, 0.98701956131896829}},
    {"tiles_256x192_12", 2, {0.43455477753037053, 0.95709850464475921, 0.98082647415396074, 0.98770696464326369}},
    {"tiles_256x192_16", 0, {0.43715164078186969, 0.95725949832753698, 0.98182077181993832, 0.99174546430810839}},
    {"tiles_256x192_16", 1, {0.4351529019452392, 0.95636939154652578, 0.98071597003426003, 0.98702039269619768}},
    {"tiles_256x192_16", 2, {0.43455414228919303, 0.95709597599536977, 0.98082538430922372, 0.98770879732739425}},
    {"grey_178x146_10", 0, {0.43400068860209934, 0.95871238791972579, 0.98351093296162451, 0.99213866778405324}},
    {"noise_176x144_8", 0, {0.00051718893972394918, 0.011162594640856843, 0.02278986012922278, 0.045380185104226416}},
    {"noise_176x144_8", 1, {0.00056755149211838935, 0.010999409054123367, 0.024529752257479262, 0.049749008471334587}},
    {"noise_176x144_8", 2, {0.00041342994260942372, 0.0098479087377493675, 0.019654604011558739, 0.046627886188032257}},
    {"same_352x288_8", 0, {1, 1, 1, 1}},
    {"same_352x288_8", 1, {1, 1, 1, 1}},
    {"same_352x288_8", 2, {1, 1, 1, 1}},
    {"flat_176x144_8", 0, {0.99999992293540874, 1, 1, 1}},
    {"bands_640x360_8", 0, {0.99999959309895836, 0.99999925401475698, 0.99999837239583333, 0.99999681260850692}},
};
constexpr ExpectedScores kExpectedLarge[] = {
    {"tiles_1920x1080_8", 0, {0.43757830655435037, 0.95403610955701479, 0.97893214799154027, 0.98927864730171289}},
    {"tiles_1920x1080_8", 1, {0.4371955950737248, 0.95405466251857418, 0.97814839857657043, 0.98494468533292001}},
    {"tiles_3840x2160_10", 0, {0.43811812304297021, 0.95401492290198431, 0.9787982657013431, 0.98921735838905711}},
};
struct ExpectedOfOptions {
    Options options;
    std::array<double, 4> scales;
};
const ExpectedOfOptions kExpectedOfOptions[] = {
    {{{"vif_enhn_gain_limit", "1.0"}},
     {0.43043787769890557, 0.95805804273402528, 0.98242479772318925, 0.9913858357746792}},
    {{{"vif_kernelscale", "0.5"}}, {0.34901775831869808, 0.84923105845530844, 0.9519528813234891, 0.9773987963090196}},
    {{{"vif_kernelscale", "2.4"}, {"vif_sigma_nsq", "0.5"}},
     {0.39772745400182391, 0.98678280235473803, 0.99402391233942355, 0.99824147154394516}},
    {{{"vif_prescale", "0.6"}}, {0.47733305732593834, 0.88397104957315598, 0.93658526472295556, 0.96214339240101632}},
    {{{"vif_prescale", "0.5"}, {"vif_prescale_method", "bilinear"}},
     {0.62149793803294273, 0.91928285898318574, 0.95309728308537833, 0.97016260667669063}},
    {{{"vif_prescale", "1.9"}, {"vif_prescale_method", "bilinear"}},
     {0.48760984016599573, 0.85381818300987466, 0.93377336059649374, 0.9661967968602535}},
    {{{"vif_prescale", "1.9"}, {"vif_prescale_method", "bicubic"}},
     {0.41336441317805883, 0.82760430867310597, 0.92626924974854996, 0.96426770506223747}},
    {{{"vif_prescale", "0.77"}, {"vif_prescale_method", "lanczos4"}},
     {0.49900081357091292, 0.97633484957897976, 0.98877779794557386, 0.99233390679390765}},
    {{{"vif_sigma_nsq", "0"}},
     {0.024516907867901325, 0.070450715344361578, 0.084130922953287765, 0.095154222815927836}},
};
constexpr const char *kOptionsClip = "tiles_177x145_8";

void expect_scores(std::span<const ExpectedScores> expected)
{
    for (const ExpectedScores &row : expected) {
        const std::vector<double> scores = Runner(kFloatVif).scores(row.clip, row.frame);
        EXPECT_TRUE(std::equal(scores.begin(), scores.end(), row.scales.begin(), row.scales.end()))
            << row.clip << " frame " << row.frame << ": " << testing::PrintToString(scores);
    }
}

TEST(FloatVif, ScoresEqualCheckValues)
{
    expect_scores(kExpected);
}

TEST(FloatVifLarge, ScoresEqualCheckValues)
{
    expect_scores(kExpectedLarge);
}

TEST(FloatVif, ScoresWithOptionsEqualCheckValues)
{
    for (const ExpectedOfOptions &row : kExpectedOfOptions) {
        const std::vector<double> scores = Runner(kFloatVif, row.options).scores(kOptionsClip, 0);
        EXPECT_TRUE(std::equal(scores.begin(), scores.end(), row.scales.begin(), row.scales.end()))
            << testing::PrintToString(row.options) << ": " << testing::PrintToString(scores);
    }
}

// spec float_features 6.1
TEST(FloatVif, SumsAndDebugOutputsEqualCheckValues)
{
    constexpr std::array expected{0.55237083886129601, 125811.40747070312, 227766.20092773438, 76801.109375,
                                  176975.609375,       37425.38671875,     39029.25390625,     9311.818359375,
                                  9470.6474609375,     2273.093017578125,  2290.690185546875};
    const Runner runner(kFloatVif, {{"debug", "true"}});
    const std::vector<double> scores = runner.scores("tiles_176x144_8", 0);
    ASSERT_EQ(scores.size(), 4 + expected.size());
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), scores.begin() + 4)) << testing::PrintToString(scores);
}

TEST(FloatVif, SkippedScale0IsLeftOutOfTheSums)
{
    const std::vector<double> all = Runner(kFloatVif, {{"debug", "true"}}).scores(kOptionsClip, 0);
    const std::vector<double> scores =
        Runner(kFloatVif, {{"debug", "true"}, {"vif_skip_scale0", "true"}}).scores(kOptionsClip, 0);
    EXPECT_EQ(scores[0], 0);
    EXPECT_TRUE(std::equal(scores.begin() + 1, scores.begin() + 4, all.begin() + 1));
    const double num = (all[9] + all[11]) + all[13], den = (all[10] + all[12]) + all[14];
    EXPECT_EQ(std::vector<double>(scores.begin() + 4, scores.begin() + 9),
              (std::vector<double>{num / den, num, den, 0, -1}));
    EXPECT_TRUE(std::equal(scores.begin() + 9, scores.end(), all.begin() + 9));
}

TEST(FloatVif, ScalesAboveTheFinestHaveALeastScore)
{
    const std::vector<double> scores =
        Runner(kFloatVif, {{"vif_scale1_min_val", "0.99"}, {"vif_scale2_min_val", "0.5"}, {"vif_scale3_min_val", "1"}})
            .scores(kOptionsClip, 0);
    EXPECT_EQ(scores, (std::vector<double>{0.43043787769890557, 0.99, 0.98284326229694086, 1}));
}

TEST(FloatVif, NamesOutputsInTheOrderOfTheSpec)
{
    const std::vector<std::string> expected{
        "VMAF_feature_vif_scale0_score",
        "VMAF_feature_vif_scale1_score",
        "VMAF_feature_vif_scale2_score",
        "VMAF_feature_vif_scale3_score",
        "vif",
        "vif_num",
        "vif_den",
        "vif_num_scale0",
        "vif_den_scale0",
        "vif_num_scale1",
        "vif_den_scale1",
        "vif_num_scale2",
        "vif_den_scale2",
        "vif_num_scale3",
        "vif_den_scale3",
    };
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    EXPECT_EQ(output_names(kFloatVif, {{"debug", "true"}}, format), expected);
    EXPECT_EQ(output_names(kFloatVif, {}, format), std::vector<std::string>(expected.begin(), expected.begin() + 4));
    const OptionValues values = parse_options(kFloatVif, {{"vif_prescale_method", "bicubic"},
                                                          {"vif_prescale", "0.5"},
                                                          {"vif_kernelscale", "0.5"},
                                                          {"vif_enhn_gain_limit", "1"}})
                                    .value();
    EXPECT_EQ(values.output_name(expected[0]), "vif_scale0_egl_1_ks_0.5_ps_0.5_pm_bicubic");
}

TEST(FloatVif, RefusesOptionsOutOfRange)
{
    for (const Options &options :
         {Options{{"vif_enhn_gain_limit", "0.9"}}, Options{{"vif_kernelscale", "4.1"}}, Options{{"vif_prescale", "0"}},
          Options{{"vif_scale1_min_val", "1.5"}}, Options{{"vif_sigma_nsq", "-1"}}, Options{{"vif_skip_scale0", "1"}}})
        EXPECT_EQ(parse_options(kFloatVif, options).status().code(), -EINVAL) << options[0].first;
}

TEST(FloatVif, RefusesAtTheStartWhatItCannotMeasure)
{
    const auto error = [](const Options &options, unsigned width, unsigned height, unsigned bpc = 8) {
        return Runner(kFloatVif, options).format_error({VMAF_PIX_FMT_YUV420P, bpc, width, height});
    };
    for (const char *scale : {"1", "0.5", "1.5", "2.4", "3.7113", "1.0005", "0.74074"})
        EXPECT_EQ(error({{"vif_kernelscale", scale}}, 64, 64), 0) << scale;
    for (const char *scale : {"0.9", "1.002", "3.5"})
        EXPECT_EQ(error({{"vif_kernelscale", scale}}, 64, 64), -EINVAL) << scale;
    EXPECT_EQ(error({{"vif_prescale_method", "area"}}, 64, 64), -EINVAL);
    EXPECT_EQ(error({{"vif_prescale", "nan"}}, 64, 64), -EINVAL);
    EXPECT_EQ(error({}, 8, 8), 0);
    EXPECT_EQ(error({}, 7, 64), -EINVAL);
    EXPECT_EQ(error({}, 64, 7), -EINVAL);
    EXPECT_EQ(error({{"vif_prescale", "2"}}, 4, 4), 0);
    EXPECT_EQ(error({{"vif_prescale", "0.5"}}, 14, 64), -EINVAL);
    EXPECT_EQ(error({{"vif_prescale", "2"}, {"vif_prescale_method", "bilinear"}}, 3840, 64), 0);
    EXPECT_EQ(error({{"vif_prescale", "2"}, {"vif_prescale_method", "bilinear"}}, 3841, 64), -EINVAL);
    EXPECT_EQ(error({{"vif_prescale", "2"}, {"vif_prescale_method", "bicubic"}}, 3841, 64), 0);
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        EXPECT_EQ(error({}, 64, 64, bpc), bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16 ? 0 : -EINVAL) << bpc;
}

TEST(FloatVif, ReadsLumaAloneAndSkipsFrames)
{
    EXPECT_EQ(kFloatVif.sees_every_frame, 0);
    EXPECT_EQ(kFloatVif.create(parse_options(kFloatVif, {}).value())->window({VMAF_PIX_FMT_YUV444P, 8, 64, 64}).pair,
              (PairMask{kLuma, kLuma}));
}

/// Texture and flat parts, and a distorted picture with another contrast.
void fill(TestPicture &ref, TestPicture &dis, Random &random)
{
    const unsigned peak = (1U << ref.format().bpc) - 1, flat = random.below(peak), detail = random.below(peak) + 1;
    ref.fill([&](unsigned, unsigned x, unsigned y) { return (x / 4 + y / 4) % 3 == 0 ? flat : random.below(detail); });
    const unsigned percent = random.below(120), noise = random.below(peak / 8 + 1) + 1;
    dis.fill([&](unsigned plane, unsigned x, unsigned y) {
        return std::min(peak, ref.at(plane, x, y) * percent / 100 + random.below(noise));
    });
}

void expect_oracle_sums(const PictureFormat &format, double kernel_scale, double sigma_nsq, double gain_limit,
                        Random &random)
{
    SCOPED_TRACE(random.seed() << " " << format.width << "x" << format.height << " " << format.bpc << " bits, ks "
                               << kernel_scale << " snsq " << sigma_nsq);
    TestPicture ref(format), dis(format);
    fill(ref, dis, random);
    const FloatVifSums expected = float_vif_oracle(ref.plane(0), dis.plane(0), kernel_scale, sigma_nsq, gain_limit);
    const FloatVifOptions options{gain_limit, kernel_scale, PrescaleMethod::nearest, {format.width, format.height},
                                  sigma_nsq,  false};
    for (const CpuTarget target : targets()) {
        FloatVifSums sums{};
        ASSERT_TRUE(make_float_vif_cpu(options, format, target)->extract(planes_of(ref, dis), &sums).ok());
        for (unsigned scale = 0; scale < kFloatVifScales; ++scale) {
            EXPECT_EQ(sums.scale[scale].num, expected.scale[scale].num) << static_cast<int>(target) << " " << scale;
            EXPECT_EQ(sums.scale[scale].den, expected.scale[scale].den) << static_cast<int>(target) << " " << scale;
        }
    }
}

TEST(FloatVif, SumsEqualOracleAtEverySizeFromTheSmallest)
{
    Random random;
    constexpr std::array depths{8U, 10U, 12U, 16U};
    for (unsigned i = 0; i < 18; ++i) {
        const unsigned bpc = depths[i % depths.size()];
        expect_oracle_sums({VMAF_PIX_FMT_YUV400P, bpc, 8 + i, 25 - i}, 1, 2, 100, random);
        expect_oracle_sums({VMAF_PIX_FMT_YUV400P, bpc, 8, 8 + i}, 1, 2, 1, random);
    }
}

// A strip is 256 columns minus the filter's width: 240 columns at kernel scale 1, 242 at scale 1 of
// the pyramid, and so on.
TEST(FloatVif, SumsEqualOracleAroundTheStrips)
{
    Random random;
    for (const unsigned width : {239U, 240U, 241U, 242U, 255U, 256U, 257U, 480U, 481U})
        expect_oracle_sums({VMAF_PIX_FMT_YUV400P, 8, width, 17}, 1, 2, 100, random);
}

TEST(FloatVif, SumsEqualOracleForFiltersAndNoises)
{
    Random random;
    for (const double kernel_scale : {0.5, 1.5, 3.7113402, 1.4746})
        for (const double sigma_nsq : {0.0, 0.5, 1.3, 2.0, 5.0})
            expect_oracle_sums({VMAF_PIX_FMT_YUV400P, 10, 33 + random.below(9), 35}, kernel_scale, sigma_nsq, 100,
                               random);
}

} // namespace
} // namespace vmaf::test
