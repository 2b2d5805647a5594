#include "feature/adm/adm.h"

#include <gtest/gtest.h>

#include <cmath>
#include <initializer_list>
#include <iterator>
#include <random>
#include <string>
#include <utility>

#include "feature/adm/adm_csf.h"
#include "feature/adm/adm_scores.h"
#include "feature/adm_oracle.h"
#include "feature/registry.h"
#include "support/clips.h"

namespace vmaf::test {
namespace {

using Settings = std::initializer_list<std::pair<const char *, const char *>>;

OptionValues options_of(Settings settings)
{
    OptionDict dict;
    for (const auto &[name, value] : settings)
        dict.set(name, value);
    return OptionValues::parse(kAdm, dict).value();
}

AdmSums sums_of(const Feature &feature, const PictureFormat &format, const PlaneView &ref, const PlaneView &dis,
                CpuTarget target)
{
    FramePlanes planes;
    planes.ref[0] = ref;
    planes.dis[0] = dis;
    AdmSums sums;
    EXPECT_TRUE(feature.make_cpu(format, target)->extract(planes, &sums).ok());
    return sums;
}

AdmSums clip_sums(const char *name, unsigned frame, Settings settings = {})
{
    const Clip &clip = Clip::get(name);
    return sums_of(*kAdm.create(options_of(settings)), clip.format(), clip.plane(Side::ref, frame, 0),
                   clip.plane(Side::dis, frame, 0), cpu_target(0));
}

/// All outputs of a frame, in the order of outputs().
std::vector<double> scores_of(const char *clip_name, unsigned frame, Settings settings = {})
{
    const PictureFormat format = Clip::get(clip_name).format();
    const auto feature = kAdm.create(options_of(settings));
    std::vector<double> scores(feature->outputs(format).size());
    const AdmSums sums = clip_sums(clip_name, frame, settings);
    feature->finish(&sums, format, scores);
    return scores;
}

enum Output { kAdm2, kAim, kAdm3, kScale0, kDebugAdm = 7, kDebugNum, kDebugDen, kDebugNum0, kDebugDen0 };

struct ClipScores {
    const char *clip;
    std::vector<double> adm2, aim, adm3; // by frame
};

void expect_scores(const ClipScores &expected, Settings settings = {})
{
    for (unsigned frame = 0; frame < expected.adm2.size(); ++frame) {
        SCOPED_TRACE(std::string(expected.clip) + " frame " + std::to_string(frame));
        const std::vector<double> scores = scores_of(expected.clip, frame, settings);
        EXPECT_EQ(scores[kAdm2], expected.adm2[frame]);
        EXPECT_EQ(scores[kAim], expected.aim[frame]);
        EXPECT_EQ(scores[kAdm3], expected.adm3[frame]);
    }
}

// ---- check values, spec adm 6 ----

TEST(Adm, MatchesCheckValuesWithDefaults)
{
    const ClipScores table[] = {
        {"tiles_176x144_8",
         {0.92310391934922476, 0.91809868737312417, 0.91906731402170183},
         {0.0071926288250661078, 0.011357166086874027, 0.0056406940859335866},
         {0.95795564526207932, 0.95337076064312509, 0.95671330996788417}},
        {"tiles_177x145_8",
         {0.92320478966884956, 0.91901843686820239, 0.92156534479847496},
         {0.0054785586910928519, 0.011207602654636467, 0.0064544399893324434},
         {0.95886311548887837, 0.95390541710678289, 0.95755545240457129}},
        {"tiles_352x288_10",
         {0.92201785817460558, 0.91424710309703527, 0.92010107160982069},
         {0.0062863235451914475, 0.012810408809602566, 0.0073592924314374482},
         {0.95786576731470707, 0.95071834714371639, 0.95637088958919159}},
        {"tiles_256x192_12",
         {0.92415493830462137, 0.91618397278355312, 0.91742669376648023},
         {0.0061538099747569059, 0.011996686480546319, 0.0067724853854401242},
         {0.95900056416493218, 0.95209364315150347, 0.95532710419052003}},
        {"tiles_256x192_16",
         {0.92415238565178615, 0.91619378123315021, 0.91742265527530542},
         {0.0061551318940539354, 0.011970856683373738, 0.0067917944498559974},
         {0.95899862687886617, 0.9521114622748883, 0.95531543041272471}},
        {"noise_176x144_8",
         {0.3812481541997948, 0.39183348693775832, 0.38715403878696464},
         {0.62944363524386049, 0.64628716750507553, 0.64838273862046047},
         {0.37590225947796718, 0.3727731597163414, 0.36938565008325208}},
        {"same_352x288_8",
         {1.0000022759861957, 1.0000019043630954, 1.0000022134356115},
         {0, 0, 0},
         {1.000001137993098, 1.0000009521815478, 1.0000011067178058}},
        {"flat_176x144_8", {1, 1, 1}, {0, 0, 0}, {1, 1, 1}},
    };
    for (const ClipScores &row : table)
        expect_scores(row);
}

TEST(AdmLarge, MatchesCheckValuesAt1080pAnd4k)
{
    expect_scores({"tiles_1920x1080_8",
                   {0.91990969899118935, 0.91168651399171152},
                   {0.0067371532477918834, 0.013328295775744929},
                   {0.95658627287169873, 0.94917910910798331}});
    expect_scores({"tiles_3840x2160_10",
                   {0.92001341927698721, 0.91106904839095182},
                   {0.0067982825616273532, 0.01337340852492701},
                   {0.9566075683576799, 0.94884781993301237}});
    const AdmSums sums = clip_sums("tiles_3840x2160_10", 0);
    EXPECT_EQ(sums.num[0][kAdmH], 17776954207065);
    EXPECT_EQ(sums.num[0][kAdmV], 11164741647719);
    EXPECT_EQ(sums.num[0][kAdmD], 28292023317);
    EXPECT_EQ(sums.den[0][kAdmH], 523592983190057U);
    EXPECT_EQ(sums.den[0][kAdmV], 358263885845173U);
    EXPECT_EQ(sums.den[0][kAdmD], 18219890947459U);
}

TEST(Adm, MatchesCheckValuesOfOptionSets)
{
    expect_scores({"tiles_176x144_8",
                   {0.92029458633185202, 0.91624815504150381},
                   {0.0072135063638902172, 0.011370674698942738},
                   {0.95654053998398092, 0.95243874017128061}},
                  {{"adm_enhn_gain_limit", "1.0"}});

    struct Viewing {
        const char *distance, *height;
        ClipScores expected;
    };
    const ClipScores near{"tiles_352x288_10",
                          {0.93399251263634375, 0.92732406813294854},
                          {0.0042979344542745023, 0.0089362545053910791},
                          {0.95250537850915828, 0.9464459713414467}};
    const Viewing table[] = {
        {"3", "1080", near},
        {"1.5", "2160", near},
        {"5",
         "1080",
         {"tiles_352x288_10",
          {0.95175049681229507, 0.94508429695614282},
          {0.0022940607819423534, 0.0054840578493893467},
          {0.96553712953402382, 0.95991379051448311}}},
        {"3",
         "2160",
         {"tiles_352x288_10",
          {0.95798739617997497, 0.9514017758643768},
          {0.0016277889000489592, 0.0043267662538890054},
          {0.97010284065596775, 0.96468321322889694}}},
    };
    for (const Viewing &row : table)
        expect_scores(row.expected, {{"adm_csf_mode", "2"},
                                     {"adm_dlm_weight", "0.7"},
                                     {"adm_enhn_gain_limit", "1"},
                                     {"adm_min_val", "0.5"},
                                     {"adm_noise_weight", "0.02"},
                                     {"adm_norm_view_dist", row.distance},
                                     {"adm_ref_display_height", row.height}});
}

TEST(Adm, MatchesScaleCheckValues)
{
    const std::pair<const char *, std::array<double, 4>> table[] = {
        {"tiles_176x144_8", {0.76612635496712145, 0.8462150254331835, 0.93776485204001336, 0.9848796167778876}},
        {"noise_176x144_8", {0.44953990045356518, 0.38121277613950716, 0.39735422598090842, 0.27442677154436956}},
        {"same_352x288_8", {1.0000125123931665, 1.0000004777128257, 1.0000009566750567, 1.0000006287317191}},
    };
    for (const auto &[clip, expected] : table) {
        const std::vector<double> scores = scores_of(clip, 0);
        for (unsigned s = 0; s < kAdmScales; ++s)
            EXPECT_EQ(scores[kScale0 + s], expected[s]) << clip << " scale " << s;
    }
}

TEST(Adm, MatchesBisectingSums)
{
    const AdmSums expected = {
        {{15459845525635, 8513966766682, 29647135239},
         {4059621263360, 2920626681911, 7756647249},
         {3936115225337, 1815160029126, 26592540048},
         {22182748327704, 3673046721964, 689322739435}},
        {{431079328377, 251471213900, 3129468682}, {802346485, 67813, 0}, {0, 0, 0}, {0, 0, 0}},
        {{3805725703305, 2335572890586, 229712172223},
         {59942375350026, 45321714579587, 3527030849690},
         {28565134150381, 13369748938824, 1400600964920},
         {29876792994607, 4875102286672, 2923939569806}},
    };
    const AdmSums sums = clip_sums("tiles_176x144_8", 0);
    for (unsigned s = 0; s < kAdmScales; ++s)
        for (unsigned band = 0; band < kAdmBands; ++band) {
            EXPECT_EQ(sums.num[s][band], expected.num[s][band]) << s << " " << band;
            EXPECT_EQ(sums.aim[s][band], expected.aim[s][band]) << s << " " << band;
            EXPECT_EQ(sums.den[s][band], expected.den[s][band]) << s << " " << band;
        }
}

TEST(Adm, MatchesDebugCheckValues)
{
    const std::vector<double> scores = scores_of("tiles_176x144_8", 0, {{"debug", "true"}});
    EXPECT_EQ(scores[kDebugAdm], scores[kAdm2]);
    EXPECT_EQ(scores[kDebugNum], 173.95020484924316);
    EXPECT_EQ(scores[kDebugDen], 188.44054412841797);
    const double by_scale[] = {18.231538772583008, 23.797039031982422, 25.606700897216797, 30.260276794433594,
                               44.571414947509766, 47.529415130615234, 85.540550231933594, 86.853813171386719};
    for (std::size_t i = 0; i < std::size(by_scale); ++i)
        EXPECT_EQ(scores[kDebugNum0 + i], by_scale[i]) << i;
}

TEST(Adm, MatchesSumsOf16BitAndOddSize)
{
    const AdmSums deep = clip_sums("tiles_256x192_16", 0), odd = clip_sums("tiles_177x145_8", 0);
    const std::int64_t deep_num[] = {26474071215360, 17825453669145, 46253599809},
                       odd_num[] = {15646353302191, 8807587510184, 25988856175};
    const std::uint64_t deep_den[] = {6230625252434, 4365486895312, 317923605979},
                        odd_den[] = {3907159622887, 2402025803218, 218758812996};
    for (unsigned band = 0; band < kAdmBands; ++band) {
        EXPECT_EQ(deep.num[0][band], deep_num[band]);
        EXPECT_EQ(deep.den[0][band], deep_den[band]);
        EXPECT_EQ(odd.num[0][band], odd_num[band]);
        EXPECT_EQ(odd.den[0][band], odd_den[band]);
    }
}

// ---- options and names, spec adm 2 ----

TEST(Adm, NamesCarryOptionsSortedByFullName)
{
    const OptionValues values = options_of({{"adm_csf_mode", "2"},
                                            {"adm_dlm_weight", "0.7"},
                                            {"adm_enhn_gain_limit", "1"},
                                            {"adm_min_val", "0.5"},
                                            {"adm_noise_weight", "0.02"},
                                            {"adm_norm_view_dist", "1.5"},
                                            {"adm_ref_display_height", "2160"}});
    EXPECT_EQ(values.output_name("VMAF_integer_feature_adm3_score"),
              "integer_adm3_csf_2_dlmw_0.7_egl_1_min_0.5_nw_0.02_nvd_1.5_rdh_2160");
    EXPECT_EQ(options_of({{"adm_skip_scale0", "true"}, {"adm_skip_aim", "true"}, {"debug", "true"}})
                  .output_name("integer_adm_scale2"),
              "integer_adm_scale2_ssz");
    EXPECT_EQ(options_of({{"adm_csf_scale", "2"}, {"adm_csf_diag_scale", "3"}}).output_name("integer_adm"),
              "integer_adm_scfd_3_scf_2");
}

TEST(Adm, DebugAddsItsOutputsBehindTheOthers)
{
    std::string names;
    for (const OutputSpec &output : kAdm.create(options_of({{"debug", "true"}}))->outputs({}))
        names += std::string(output_alias(output.name)) + " ";
    EXPECT_EQ(names, "integer_adm2 integer_aim integer_adm3 integer_adm_scale0 integer_adm_scale1 integer_adm_scale2 "
                     "integer_adm_scale3 integer_adm integer_adm_num integer_adm_den integer_adm_num_scale0 "
                     "integer_adm_den_scale0 integer_adm_num_scale1 integer_adm_den_scale1 integer_adm_num_scale2 "
                     "integer_adm_den_scale2 integer_adm_num_scale3 integer_adm_den_scale3 ");
    EXPECT_EQ(kAdm.create(options_of({}))->outputs({}).size(), 7U);
}

TEST(Adm, RefusesViewingConditionsWithoutWeights)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    const auto code = [&](const char *mode, const char *distance, const char *height) {
        const Settings settings = {
            {"adm_csf_mode", mode}, {"adm_norm_view_dist", distance}, {"adm_ref_display_height", height}};
        return kAdm.create(options_of(settings))->check_format(format).code();
    };
    EXPECT_EQ(code("0", "3", "1080"), 0);
    EXPECT_EQ(code("0", "3", "1079"), -EINVAL);
    EXPECT_EQ(code("0", "4", "1000"), 0);
    EXPECT_EQ(code("2", "4", "1000"), -EINVAL);
    EXPECT_EQ(code("3", "6", "1080"), -EINVAL);
    EXPECT_EQ(code("3", "5", "720"), 0);
    EXPECT_EQ(code("2", "3", "720"), -EINVAL);
    EXPECT_EQ(code("2", "1.5", "2160"), 0);
}

// ---- finishing, spec adm 3.9 ----

TEST(Adm, SkipAimLeavesAimAtZero)
{
    const std::vector<double> all = scores_of("tiles_176x144_8", 1, {{"debug", "true"}});
    const std::vector<double> skipped = scores_of("tiles_176x144_8", 1, {{"debug", "true"}, {"adm_skip_aim", "true"}});
    EXPECT_GT(all[kAim], 0);
    EXPECT_EQ(skipped[kAim], 0);
    EXPECT_EQ(skipped[kAdm2], all[kAdm2]);
    EXPECT_EQ(skipped[kAdm3], all[kAdm2] * 0.5 + 0.5);
    EXPECT_EQ(std::vector(skipped.begin() + kScale0, skipped.end()), std::vector(all.begin() + kScale0, all.end()));
}

TEST(Adm, SkipScale0LeavesTheOtherScalesAlone)
{
    const std::vector<double> all = scores_of("tiles_176x144_8", 1, {{"debug", "true"}});
    const std::vector<double> skipped =
        scores_of("tiles_176x144_8", 1, {{"debug", "true"}, {"adm_skip_scale0", "true"}});
    EXPECT_EQ(skipped[kScale0], 0);
    EXPECT_EQ(skipped[kDebugNum0], 0);
    EXPECT_EQ(skipped[kDebugDen0], static_cast<double>(1e-10F));
    EXPECT_EQ(std::vector(skipped.begin() + kDebugNum0 + 2, skipped.end()),
              std::vector(all.begin() + kDebugNum0 + 2, all.end()));
    EXPECT_EQ(skipped[kDebugNum], skipped[12] + skipped[14] + skipped[16]);
    EXPECT_EQ(skipped[kDebugDen], static_cast<double>(1e-10F) + skipped[13] + skipped[15] + skipped[17]);
}

TEST(Adm, MinValClipsAdm3Alone)
{
    const std::vector<double> clipped = scores_of("noise_176x144_8", 0, {{"adm_min_val", "0.5"}});
    EXPECT_EQ(clipped[kAdm2], 0.3812481541997948);
    EXPECT_EQ(clipped[kAdm3], 0.5);
}

TEST(Adm, FlatPicturesWithoutNoiseWeightHaveNoScaleScores)
{
    const std::vector<double> scores = scores_of("flat_176x144_8", 0, {{"adm_noise_weight", "0"}});
    EXPECT_EQ(scores[kAdm2], 1);
    EXPECT_EQ(scores[kAim], 0);
    EXPECT_EQ(scores[kAdm3], 1);
    for (unsigned s = 0; s < kAdmScales; ++s)
        EXPECT_TRUE(std::isnan(scores[kScale0 + s]));
}

// ---- geometry and weights, spec adm 3.2 and 3.4 ----

TEST(Adm, CropEqualsTheDoubleFormula)
{
    for (std::uint32_t n = 1; n <= 16384; ++n)
        ASSERT_EQ(adm_crop(n), static_cast<std::uint32_t>(adm_oracle_crop(n))) << n;
}

TEST(AdmCsf, DefaultWeightsAreThoseOfTheSpec)
{
    const AdmCsf csf = adm_csf({AdmCsfMode::watson, 3, 1080, 1, 1}).value();
    const float f1[] = {0x1.1cc774p-6F, 0x1.06050cp-5F, 0x1.634f1p-5F, 0x1.762816p-5F},
                f2[] = {0x1.820d54p-8F, 0x1.d48d46p-7F, 0x1.8fb80cp-6F, 0x1.008392p-5F};
    const std::uint32_t w1[] = {36453, 137373792, 186284160, 196165808}, w2[] = {49417, 61414028, 104783920, 134487184};
    for (unsigned s = 0; s < kAdmScales; ++s) {
        EXPECT_EQ(csf.factor[s][kAdmH], f1[s]);
        EXPECT_EQ(csf.factor[s][kAdmV], f1[s]);
        EXPECT_EQ(csf.factor[s][kAdmD], f2[s]);
        EXPECT_EQ(csf.weight[s][kAdmH], w1[s]);
        EXPECT_EQ(csf.weight[s][kAdmV], w1[s]);
        EXPECT_EQ(csf.weight[s][kAdmD], w2[s]);
    }
}

/// Mode 1, computed in double throughout.
double barten_in_double(unsigned scale)
{
    const double fr = 3.0 * 1080 * std::acos(-1.0) / 180 / std::exp2(scale + 1);
    const double along = (2 - std::log10(20)) / (std::log10(150) - std::log10(20));
    const auto p = [&](double y0, double y1) { return y0 + (y1 - y0) * along; };
    const double a = 1 + std::pow(p(0.334278, 0.394533) * fr, p(3.79542, 2.7755));
    const double b = 1 / std::pow(1 - std::exp(-std::pow(fr / 7, 2)), p(1.07327, 1.16577));
    const double m = 0.424838596301290 * std::exp(-0.028 * fr) + 0.572435103936480 * std::exp(-0.37 * fr) +
                     0.000167576239164937 * std::exp(-37 * fr) + 0.00255872352306433 * std::exp(-360 * fr);
    return p(6.4635, 7.45665) / std::sqrt(a * b) * m * 30.162 * std::pow(std::pow(4.0627 / 100, 1.6596) + 1, -0.2712);
}

TEST(AdmCsf, BartenFollowsItsFormula)
{
    const AdmCsf csf = adm_csf({AdmCsfMode::barten, 3, 1080, 1, 0.25}).value();
    for (unsigned s = 0; s < kAdmScales; ++s) {
        EXPECT_NEAR(csf.factor[s][kAdmH] / barten_in_double(s), 1, 1e-5) << s;
        EXPECT_EQ(csf.factor[s][kAdmD], csf.factor[s][kAdmH] / 4) << s;
    }
}

TEST(AdmCsf, WeightsTooLargeForTheirTypeAreHeld)
{
    const AdmCsf csf = adm_csf({AdmCsfMode::barten, 3, 1080, 50, 0}).value();
    EXPECT_EQ(csf.weight[0][kAdmH], 65535U);
    EXPECT_EQ(csf.weight[3][kAdmH], 4294967295U);
    EXPECT_EQ(csf.weight[3][kAdmD], 0U);
}

TEST(AdmCsf, BlendsComeFromTheTable)
{
    const AdmCsf near = adm_csf({AdmCsfMode::blend_b, 1.5, 2160, 1, 1}).value();
    EXPECT_EQ(near.factor[3][kAdmH], 0.045673F);
    EXPECT_EQ(near.factor[0][kAdmD], 0.004097F);
    const AdmCsf small = adm_csf({AdmCsfMode::blend_b, 5, 720, 1, 1}).value();
    EXPECT_EQ(small.factor[1][kAdmV], 0.020577F);
    EXPECT_EQ(small.factor[2][kAdmD], 0.019661F);
    EXPECT_EQ(small.weight[0][kAdmV], 20319U); // trunc(0.009689 * 2^21)
    EXPECT_EQ(adm_csf({AdmCsfMode::blend_a, 5, 2160, 1, 1})->factor[0][kAdmH], .000092F);
    EXPECT_FALSE(adm_csf({AdmCsfMode::blend_a, 2, 2160, 1, 1}));
}

} // namespace
} // namespace vmaf::test
