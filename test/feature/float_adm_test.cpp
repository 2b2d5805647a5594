#include "feature/float_adm/float_adm.h"

#include <gtest/gtest.h>

#include <cerrno>
#include <cmath>

#include "feature/feature_runner.h"
#include "feature/float_adm/float_adm_csf.h"
#include "feature/float_oracle.h"
#include "support/cpu_targets.h"
#include "support/random.h"

namespace vmaf::test {
namespace {

using Runner = FeatureRunner<FloatAdmSums>;

// The tables of spec float_features 6.2: adm2, aim, adm3.
struct ExpectedScores {
    const char *clip;
    unsigned frame;
    std::array<double, 3> scores;
};
constexpr ExpectedScores kExpected[] = {
    {"tiles_176x144_8", 0, {0.92314361102472198, 0.0071908481239523056, 0.95797638145038477}},
    {"tiles_176x144_8", 1, {0.91811420225830997, 0.01133601452897569, 0.95338909386466719}},
    {"tiles_176x144_8", 2, {0.9190939662947436, 0.0056242678691524137, 0.95673484921279561}},
    {"tiles_177x145_8", 0, {0.92320621126546221, 0.0054780659074953808, 0.95886407267898344}},
    {"tiles_177x145_8", 1, {0.91902292311916756, 0.011206817473353059, 0.95390805282290725}},
    {"tiles_177x145_8", 2, {0.92157624211041822, 0.006449650582893718, 0.95756329576376231}},
    {"tiles_352x288_10", 0, {0.92201923604956548, 0.006282679338636619, 0.9578682783554644}},
    {"tiles_352x288_10", 1, {0.91424136014205259, 0.012811546901500588, 0.95071490662027602}},
    {"tiles_352x288_10", 2, {0.92010275465910529, 0.007356682431715696, 0.95637303611369484}},
    {"tiles_256x192_12", 0, {0.92415383528825767, 0.0061533445742877994, 0.95900024535698492}},
    {"tiles_256x192_12", 1, {0.91618847426620686, 0.011993173025894361, 0.95209765062015628}},
    {"tiles_256x192_12", 2, {0.91743128032293542, 0.0067713956840245414, 0.95532994231945545}},
    {"tiles_256x192_16", 0, {0.92415238506362696, 0.0061594850160403454, 0.9589964500237933}},
    {"tiles_256x192_16", 1, {0.91618589112880866, 0.011974087494997088, 0.9521059018169058}},
    {"tiles_256x192_16", 2, {0.91741948289068664, 0.0067918038875655418, 0.95531383950156057}},
    {"grey_178x146_10", 0, {0.92570964853675897, 0.0068765860266969264, 0.95941653125503101}},
    {"noise_176x144_8", 0, {0.38125115806725313, 0.62943372821707122, 0.37590871492509093}},
    {"noise_176x144_8", 1, {0.39183667246393994, 0.64627613979962328, 0.37278026633215833}},
    {"noise_176x144_8", 2, {0.38714996815493946, 0.64837780921910182, 0.36938607946791879}},
    {"same_352x288_8", 0, {1, 0, 1}},
    {"same_352x288_8", 1, {1, 0, 1}},
    {"same_352x288_8", 2, {1, 0, 1}},
    {"flat_176x144_8", 0, {1, 0, 1}},
    {"bands_640x360_8", 0, {0.9730413490921267, 0.040968293361706105, 0.96603652786521033}},
};
constexpr ExpectedScores kExpectedLarge[] = {
    {"tiles_1920x1080_8", 0, {0.91991385307101814, 0.0067367584922786673, 0.95658854728936982}},
    {"tiles_1920x1080_8", 1, {0.91168668384076357, 0.013328089102435684, 0.94917929736916395}},
    {"tiles_3840x2160_10", 0, {0.92001270927074885, 0.0067978158188114002, 0.95660744672596865}},
};
struct ExpectedOfOptions {
    Options options;
    std::array<double, 3> scores;
};
const ExpectedOfOptions kExpectedOfOptions[] = {
    {{{"adm_enhn_gain_limit", "1"}}, {0.92027732609607937, 0.005504603315328341, 0.95738636139037547}},
    {{{"adm_csf_mode", "1"}}, {0.95160708026441199, 0.0012663692871071085, 0.97517035548865239}},
    {{{"adm_csf_mode", "2"}}, {0.95916077485236451, 0.00045170687594140412, 0.97935453398821148}},
    {{{"adm_csf_mode", "0"}, {"adm_norm_view_dist", "2"}, {"adm_ref_display_height", "720"}},
     {0.88632124086022435, 0.0095585279170629107, 0.93838135647158072}},
    {{{"adm_p_norm", "2.5"}}, {0.91666355105486363, 0.005598837752161045, 0.95553235665135128}},
    {{{"adm_bypass_cm", "1"}}, {0.92992870685698592, 0.035698639164309556, 0.94711503384633811}},
    {{{"adm_noise_weight", "0"}}, {0.90572117229104654, 0.0067253594645469497, 0.94949790641324983}},
    {{{"adm_skip_scale0", "true"}}, {0.94480055781307781, 0.0010225765596715371, 0.9718889906267032}},
    {{{"adm_skip_aim_scale", "0"}}, {0.92320621126546221, 0.0010225765596721234, 0.96109181735289506}},
    {{{"adm_adm3_apply_hm", "true"}}, {0.92320621126546221, 0.0054780659074953808, 0.010891504455995914}},
    {{{"adm_f1s0", "0.1"}, {"adm_f2s3", "0.2"}}, {0.86987748271572973, 0.016331802138882155, 0.92677284028842377}},
};
constexpr const char *kOptionsClip = "tiles_177x145_8";

void expect_scores(std::span<const ExpectedScores> expected)
{
    for (const ExpectedScores &row : expected) {
        const std::vector<double> scores = Runner(kFloatAdm).scores(row.clip, row.frame);
        EXPECT_TRUE(std::equal(row.scores.begin(), row.scores.end(), scores.begin()))
            << row.clip << " frame " << row.frame << ": " << testing::PrintToString(scores);
    }
}

TEST(FloatAdm, ScoresEqualCheckValues)
{
    expect_scores(kExpected);
}

TEST(FloatAdmLarge, ScoresEqualCheckValues)
{
    expect_scores(kExpectedLarge);
}

TEST(FloatAdm, ScoresWithOptionsEqualCheckValues)
{
    for (const ExpectedOfOptions &row : kExpectedOfOptions) {
        const std::vector<double> scores = Runner(kFloatAdm, row.options).scores(kOptionsClip, 0);
        EXPECT_TRUE(std::equal(row.scores.begin(), row.scores.end(), scores.begin()))
            << testing::PrintToString(row.options) << ": " << testing::PrintToString(scores);
    }
}

// The values have nine digits, which identify the float (spec float_features 6.1).
TEST(FloatAdm, SumsEqualCheckValues)
{
    constexpr FloatAdmSums expected{
        {{3.5139327F, 1.93535161F, 0.000421283708F},
         {472.580963F, 339.969055F, 0.903229535F},
         {7333.64648F, 3381.97729F, 49.5852127F},
         {82609.5234F, 13679.9756F, 2567.38013F}},
        {{0.0979440063F, 0.0571612939F, 4.42954988e-05F}, {0.093230918F, 7.96315635e-06F, 0}, {}, {}},
        {{76.2287598F, 46.7829247F, 0.1791237F},
         {935.127197F, 707.069885F, 4.91692495F},
         {8889.0459F, 4160.47949F, 77.5738907F},
         {86841.7969F, 14170.9531F, 2738.93237F}},
    };
    const FloatAdmSums sums = Runner(kFloatAdm).sums("tiles_176x144_8", 0);
    for (unsigned s = 0; s < kAdmScales; ++s)
        for (unsigned band = 0; band < kAdmBands; ++band) {
            EXPECT_EQ(sums.num[s][band], expected.num[s][band]) << s << " " << band;
            EXPECT_EQ(sums.aim[s][band], expected.aim[s][band]) << s << " " << band;
            EXPECT_EQ(sums.den[s][band], expected.den[s][band]) << s << " " << band;
        }
}

// spec float_features 6.1
TEST(FloatAdm, DebugOutputsEqualCheckValues)
{
    const std::vector<double> scores = Runner(kFloatAdm, {{"debug", "true"}}).scores("tiles_176x144_8", 0);
    ASSERT_EQ(scores.size(), 18U);
    EXPECT_EQ(std::vector<double>(scores.begin() + 3, scores.begin() + 10),
              (std::vector<double>{0.76612139395804246, 0.84622851617912531, 0.93791460022880146, 0.98488571870583608,
                                   scores[0], 173.94651412963867, 188.42844390869141}));
    constexpr std::array expected{18.2312527F, 23.7968197F, 25.6064167F, 30.2594585F,
                                  44.575985F,  47.5266991F, 85.5328598F, 86.8454666F};
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), scores.begin() + 10)) << testing::PrintToString(scores);
}

TEST(FloatAdm, NamesOutputsInTheOrderOfTheSpec)
{
    const std::vector<std::string> expected{
        "VMAF_feature_adm2_score",
        "VMAF_feature_aim_score",
        "VMAF_feature_adm3_score",
        "VMAF_feature_adm_scale0_score",
        "VMAF_feature_adm_scale1_score",
        "VMAF_feature_adm_scale2_score",
        "VMAF_feature_adm_scale3_score",
        "adm",
        "adm_num",
        "adm_den",
        "adm_num_scale0",
        "adm_den_scale0",
        "adm_num_scale1",
        "adm_den_scale1",
        "adm_num_scale2",
        "adm_den_scale2",
        "adm_num_scale3",
        "adm_den_scale3",
    };
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    EXPECT_EQ(output_names(kFloatAdm, {{"debug", "true"}}, format), expected);
    EXPECT_EQ(output_names(kFloatAdm, {}, format), std::vector<std::string>(expected.begin(), expected.begin() + 7));
    for (const OutputSpec &output :
         kFloatAdm.create(parse_options(kFloatAdm, {{"debug", "true"}}).value())->outputs(format))
        EXPECT_EQ(output.provided, std::string(output.name) != "adm");
}

// spec float_features 2
TEST(FloatAdm, ParametersGoIntoNames)
{
    const OptionValues values = parse_options(kFloatAdm, {{"adm_skip_scale0", "true"},
                                                          {"adm_skip_aim_scale", "1"},
                                                          {"adm_ref_display_height", "720"},
                                                          {"adm_p_norm", "2.5"},
                                                          {"adm_norm_view_dist", "2"},
                                                          {"adm_noise_weight", "0.02"},
                                                          {"adm_f1s0", "0.1"},
                                                          {"adm_enhn_gain_limit", "1"},
                                                          {"adm_csf_mode", "1"},
                                                          {"adm_bypass_cm", "1"},
                                                          {"adm_adm3_apply_hm", "true"}})
                                    .value();
    EXPECT_EQ(values.output_name("VMAF_feature_adm2_score"),
              "adm2_aah_bcm_1_csf_1_egl_1_f1s0_0.1_nw_0.02_nvd_2_apn_2.5_rdf_720_sasc_1_ssz");
}

TEST(FloatAdm, RefusesOptionsOutOfRange)
{
    for (const Options &options :
         {Options{{"adm_adm3_apply_hm", "1"}}, Options{{"adm_bypass_cm", "true"}}, Options{{"adm_bypass_cm", "2"}},
          Options{{"adm_csf_mode", "10"}}, Options{{"adm_f2s3", "11"}}, Options{{"adm_f1s0", "-2"}},
          Options{{"adm_p_norm", "0.5"}}, Options{{"adm_skip_aim_scale", "-1"}}, Options{{"adm_skip_aim_scale", "4"}},
          Options{{"adm_ref_display_height", "4321"}}, Options{{"adm_norm_view_dist", "0.5"}}})
        EXPECT_EQ(parse_options(kFloatAdm, options).status().code(), -EINVAL) << options[0].first;
    EXPECT_TRUE(parse_options(kFloatAdm, {{"adm_f1s0", "-1"}, {"adm_ref_display_height", "1"}}).ok());
}

TEST(FloatAdm, TakesFourDepthsFrom16x16)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc)
        EXPECT_EQ(Runner(kFloatAdm).format_error({VMAF_PIX_FMT_YUV420P, bpc, 64, 64}),
                  bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16 ? 0 : -EINVAL)
            << bpc;
    EXPECT_EQ(kFloatAdm.min_width_px, 16U);
    EXPECT_EQ(kFloatAdm.min_height_px, 16U);
}

// Nothing bounds it from below (spec float_features 3.5).
TEST(FloatAdm, MeasuresAtTheSmallestViewingDistance)
{
    const std::vector<double> scores =
        Runner(kFloatAdm, {{"adm_norm_view_dist", "0.75"}, {"adm_ref_display_height", "1"}}).scores(kOptionsClip, 0);
    EXPECT_GT(scores[0], 0);
    EXPECT_LE(scores[0], 1);
}

std::vector<double> finished(const FloatAdmSums &sums, const Options &options)
{
    std::vector<double> scores(7);
    kFloatAdm.create(parse_options(kFloatAdm, options).value())
        ->finish(&sums, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}, scores);
    return scores;
}

// spec float_features 3.10
TEST(FloatAdm, NothingInTheReferenceScores1)
{
    const std::vector<double> scores = finished({}, {{"adm_noise_weight", "0"}});
    EXPECT_EQ(scores[0], 1);
    EXPECT_EQ(scores[1], 0);
    EXPECT_EQ(scores[2], 1);
    EXPECT_TRUE(std::isnan(scores[3]));
}

TEST(FloatAdm, AimIsAtMost1AndAdm3AtLeastItsMinimum)
{
    FloatAdmSums sums{};
    sums.aim[2][kAdmH] = 1000;
    sums.den[2][kAdmH] = 1;
    const std::vector<double> scores = finished(sums, {{"adm_noise_weight", "0"}, {"adm_min_val", "0.25"}});
    EXPECT_EQ(scores[1], 1);
    EXPECT_EQ(scores[2], 0.25);
}

FloatAdmParams make_params(const PictureFormat &format)
{
    FloatAdmParams params{};
    params.gain_limit = 100;
    params.p_norm = 3;
    unsigned width = format.width, height = format.height;
    for (unsigned s = 0; s < kAdmScales; ++s) {
        width = (width + 1) / 2;
        height = (height + 1) / 2;
        const auto crop = [](unsigned n) { return static_cast<unsigned>(std::trunc(n * 0.1 - 0.5)); };
        const float straight = 0.02F * static_cast<float>(s + 1), diagonal = straight / 3;
        params.scale[s] = {width,
                           height,
                           crop(width),
                           crop(height),
                           width - crop(width),
                           height - crop(height),
                           {straight, straight, diagonal}};
    }
    return params;
}

void expect_oracle_sums(const PictureFormat &format, const FloatAdmParams &params, Random &random)
{
    SCOPED_TRACE(random.seed() << " " << format.width << "x" << format.height << " " << format.bpc << " bits");
    TestPicture ref(format), dis(format);
    const unsigned peak = (1U << format.bpc) - 1, detail = random.below(peak) + 1, percent = random.below(120);
    ref.fill(
        [&](unsigned, unsigned x, unsigned y) { return (x / 4 + y / 4) % 3 == 0 ? peak / 3 : random.below(detail); });
    dis.fill([&](unsigned plane, unsigned x, unsigned y) {
        return std::min(peak, ref.at(plane, x, y) * percent / 100 + random.below(peak / 8 + 1));
    });
    const FloatAdmSums expected = float_adm_oracle(ref.plane(0), dis.plane(0), params);
    for (const CpuTarget target : targets()) {
        FloatAdmSums sums{};
        ASSERT_TRUE(make_float_adm_cpu(params, target)->extract(planes_of(ref, dis), &sums).ok());
        for (unsigned s = 0; s < kAdmScales; ++s)
            for (unsigned band = 0; band < kAdmBands; ++band) {
                SCOPED_TRACE(testing::Message()
                             << "scale " << s << " band " << band << " target " << static_cast<int>(target));
                EXPECT_EQ(sums.num[s][band], expected.num[s][band]);
                EXPECT_EQ(sums.aim[s][band], expected.aim[s][band]);
                EXPECT_EQ(sums.den[s][band], expected.den[s][band]);
            }
    }
}

TEST(FloatAdm, SumsEqualOracleAtEverySizeFromTheSmallest)
{
    Random random;
    constexpr std::array depths{8U, 10U, 12U, 16U};
    for (unsigned i = 0; i < 18; ++i) {
        const unsigned bpc = depths[i % depths.size()];
        for (const PictureFormat &format : {PictureFormat{VMAF_PIX_FMT_YUV400P, bpc, 16 + i, 33 - i},
                                            PictureFormat{VMAF_PIX_FMT_YUV400P, bpc, 16, 16 + i},
                                            PictureFormat{VMAF_PIX_FMT_YUV400P, bpc, 120 + i, 40 + i}})
            expect_oracle_sums(format, make_params(format), random);
    }
}

TEST(FloatAdm, SumsEqualOracleWithOptions)
{
    Random random;
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 67, 51};
    const auto expect_with = [&](const auto &change) {
        FloatAdmParams params = make_params(format);
        change(params);
        expect_oracle_sums(format, params, random);
    };
    expect_with([](FloatAdmParams &params) { params.gain_limit = 1; });
    expect_with([](FloatAdmParams &params) { params.gain_limit = 1.23457; });
    expect_with([](FloatAdmParams &params) { params.p_norm = 2.5F; });
    expect_with([](FloatAdmParams &params) { params.skip_scale0 = true; });
    expect_with([](FloatAdmParams &params) { params.bypass_mask = true; });
}

// The default weights are printed in spec adm 3.4.
TEST(FloatAdmCsf, GivesTheWeightsOfTheModes)
{
    FloatAdmCsfOptions options{0, 3, 1080, 1, 1, {-1, -1, -1, -1}, {-1, -1, -1, -1}};
    const FloatAdmCsf watson = float_adm_csf(options);
    const FloatAdmCsf expected{{{0x1.1cc774p-6F, 0x1.1cc774p-6F, 0x1.820d54p-8F},
                                {0x1.06050cp-5F, 0x1.06050cp-5F, 0x1.d48d46p-7F},
                                {0x1.634f1p-5F, 0x1.634f1p-5F, 0x1.8fb80cp-6F},
                                {0x1.762816p-5F, 0x1.762816p-5F, 0x1.008392p-5F}}};
    EXPECT_EQ(watson, expected);
    for (const int mode : {3, 9}) {
        options.mode = mode;
        EXPECT_EQ(float_adm_csf(options), watson) << mode;
    }
}

TEST(FloatAdmCsf, OverridesReplaceTheWeightsOfOneScale)
{
    FloatAdmCsfOptions options{0, 3, 1080, 1, 1, {-1, -1, -1, -1}, {-1, -1, -1, -1}};
    FloatAdmCsf expected = float_adm_csf(options);
    options.straight_override[1] = 0.5;
    options.diagonal_override[3] = 0;
    expected[1][kAdmH] = expected[1][kAdmV] = 0.5F;
    expected[3][kAdmD] = 0;
    EXPECT_EQ(float_adm_csf(options), expected);
}

} // namespace
} // namespace vmaf::test
