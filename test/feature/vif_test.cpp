#include "feature/vif/vif.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "feature/vif/vif_log_table.h"
#include "feature/vif_check_values.h"
#include "support/clips.h"

// Scores, options and names, compared with the values that the specification prints (spec vif 6).

namespace vmaf::test {
namespace {

using Options = std::vector<OptionDict::Entry>;

Result<OptionValues> parse(const Options &options)
{
    OptionDict dict;
    for (const auto &[key, value] : options)
        dict.set(key, normalized_option_text(value.c_str()));
    return OptionValues::parse(kVif, dict);
}

std::unique_ptr<Feature> make_feature(const Options &options)
{
    return kVif.create(parse(options).value());
}

VifSums sums_of(const Feature &feature, const PictureFormat &format, const PlaneView &ref, const PlaneView &dis)
{
    FramePlanes planes;
    planes.ref[0] = ref;
    planes.dis[0] = dis;
    VifSums sums;
    EXPECT_TRUE(feature.make_cpu(format, cpu_target(0))->extract(planes, &sums).ok());
    return sums;
}

std::vector<double> scores_of(const Feature &feature, const PictureFormat &format, const PlaneView &ref,
                              const PlaneView &dis)
{
    const VifSums sums = sums_of(feature, format, ref, dis);
    std::vector<double> scores(feature.outputs(format).size());
    feature.finish(&sums, format, scores);
    return scores;
}

std::vector<double> clip_scores(const Options &options, const char *name, unsigned frame)
{
    const Clip &clip = Clip::get(name);
    return scores_of(*make_feature(options), clip.format(), clip.plane(Side::ref, frame, 0),
                     clip.plane(Side::dis, frame, 0));
}

std::vector<std::string> output_names(const Options &options)
{
    const OptionValues values = parse(options).value();
    std::vector<std::string> names;
    for (const OutputSpec &output : kVif.create(values)->outputs({VMAF_PIX_FMT_YUV420P, 8, 64, 64}))
        names.push_back(values.output_name(output.name));
    return names;
}

struct Golden {
    const char *clip;
    unsigned frame;
    std::array<double, 4> scales;
};

constexpr Golden kDefault[] = {
    {"tiles_176x144_8", 0, {0.43396753072738647, 0.95890820026397705, 0.98321664333343506, 0.99242359399795532}},
    {"tiles_176x144_8", 1, {0.43339815735816956, 0.96013385057449341, 0.98304718732833862, 0.98855739831924438}},
    {"tiles_176x144_8", 2, {0.43275514245033264, 0.95977360010147095, 0.98256427049636841, 0.98921668529510498}},
    {"tiles_177x145_8", 0, {0.43044155836105347, 0.95867115259170532, 0.98288321495056152, 0.99179679155349731}},
    {"tiles_177x145_8", 1, {0.43475240468978882, 0.95995485782623291, 0.98279988765716553, 0.98829770088195801}},
    {"tiles_177x145_8", 2, {0.43398213386535645, 0.95989656448364258, 0.98265933990478516, 0.98895657062530518}},
    {"tiles_352x288_10", 0, {0.43579822778701782, 0.95548892021179199, 0.9805951714515686, 0.99090582132339478}},
    {"tiles_352x288_10", 1, {0.43333995342254639, 0.95464122295379639, 0.97960793972015381, 0.9864392876625061}},
    {"tiles_352x288_10", 2, {0.4348473846912384, 0.95465028285980225, 0.97982025146484375, 0.98721253871917725}},
    {"grey_178x146_10", 0, {0.43400394916534424, 0.95872622728347778, 0.98357874155044556, 0.99206310510635376}},
    {"grey_178x146_10", 1, {0.43426847457885742, 0.95861130952835083, 0.98236268758773804, 0.98812961578369141}},
    {"grey_178x146_10", 2, {0.43507009744644165, 0.95938020944595337, 0.98231399059295654, 0.98874926567077637}},
    {"tiles_256x192_12", 0, {0.43714526295661926, 0.95726633071899414, 0.98184025287628174, 0.99179273843765259}},
    {"tiles_256x192_12", 1, {0.43515190482139587, 0.95635896921157837, 0.98073899745941162, 0.98705220222473145}},
    {"tiles_256x192_12", 2, {0.43455719947814941, 0.95710182189941406, 0.98082882165908813, 0.98764520883560181}},
    {"tiles_256x192_16", 0, {0.43715614080429077, 0.95727074146270752, 0.98184847831726074, 0.99176323413848877}},
    {"tiles_256x192_16", 1, {0.43515434861183167, 0.95636636018753052, 0.98071014881134033, 0.98708134889602661}},
    {"tiles_256x192_16", 2, {0.43455770611763, 0.95710444450378418, 0.98081338405609131, 0.98774254322052002}},
    {"flat_176x144_8", 0, {1, 1, 1, 1}},
    {"flat_176x144_8", 1, {1, 1, 1, 1}},
    {"flat_176x144_8", 2, {1, 1, 1, 1}},
    {"noise_176x144_8", 0, {0.00051715970039367676, 0.011161600239574909, 0.022806594148278236, 0.045299515128135681}},
    {"noise_176x144_8", 1, {0.00056763098109513521, 0.010999884456396103, 0.024530611932277679, 0.049739047884941101}},
    {"noise_176x144_8", 2, {0.00041334339766763151, 0.0098491441458463669, 0.019647335633635521, 0.046753808856010437}},
    {"same_352x288_8", 0, {1, 1, 0.99999988079071045, 0.99999988079071045}},
    {"same_352x288_8", 1, {1, 0.99999988079071045, 0.99999988079071045, 0.9999997615814209}},
    {"same_352x288_8", 2, {1, 0.99999988079071045, 0.99999988079071045, 1}},
    {"bands_640x360_8", 0, {0.9999958872795105, 0.9999963641166687, 0.9999961256980896, 0.99999541044235229}},
    {"bands_640x360_8", 1, {0.9999958872795105, 0.9999963641166687, 0.9999961256980896, 0.99999529123306274}},
    {"bands_640x360_8", 2, {0.9999958872795105, 0.9999963641166687, 0.9999961256980896, 0.99999541044235229}},
};
constexpr Golden kDefaultLarge[] = {
    {"tiles_1920x1080_8", 0, {0.43758159875869751, 0.95404219627380371, 0.97895348072052002, 0.98931723833084106}},
    {"tiles_1920x1080_8", 1, {0.43719860911369324, 0.95406287908554077, 0.97817063331604004, 0.98497641086578369}},
    {"tiles_1920x1080_8", 2, {0.43706601858139038, 0.95389288663864136, 0.97839045524597168, 0.98570221662521362}},
};
constexpr Golden kGainLimit1[] = {
    {"tiles_176x144_8", 0, {0.43396753072738647, 0.95854979753494263, 0.98287451267242432, 0.9917265772819519}},
    {"tiles_352x288_10", 0, {0.43579822778701782, 0.95504087209701538, 0.98013526201248169, 0.99005115032196045}},
    {"tiles_256x192_16", 0, {0.43715614080429077, 0.95683425664901733, 0.9813799262046814, 0.99096649885177612}},
    {"noise_176x144_8", 0, {0.00051715970039367676, 0.011157267726957798, 0.022490808740258217, 0.043139386922121048}},
};

void expect_goldens(const Options &options, std::span<const Golden> goldens)
{
    for (const Golden &golden : goldens) {
        const std::vector<double> scores = clip_scores(options, golden.clip, golden.frame);
        ASSERT_EQ(scores.size(), 4U);
        for (unsigned scale = 0; scale < 4; ++scale)
            EXPECT_EQ(scores[scale], golden.scales[scale])
                << golden.clip << " frame " << golden.frame << " scale " << scale;
    }
}

TEST(Vif, ScoresEqualGoldens)
{
    expect_goldens({}, kDefault);
}

TEST(VifLarge, ScoresEqualGoldens)
{
    expect_goldens({}, kDefaultLarge);
}

TEST(Vif, ScoresEqualGoldensWithGainLimit1)
{
    expect_goldens({{"vif_enhn_gain_limit", "1.0"}}, kGainLimit1);
}

TEST(Vif, SumsEqualCheckValues)
{
    for (const VifCheckValue &check : kVifCheckValues) {
        const Clip &clip = Clip::get(check.clip);
        const VifSums sums =
            sums_of(*make_feature({}), clip.format(), clip.plane(Side::ref, 0, 0), clip.plane(Side::dis, 0, 0));
        for (unsigned scale = 0; scale < kVifScales; ++scale) {
            SCOPED_TRACE(testing::Message() << check.clip << " scale " << scale);
            const VifScaleSums &is = sums.scale[scale], &should = check.sums.scale[scale];
            EXPECT_EQ(is.log_num, should.log_num);
            EXPECT_EQ(is.log_den, should.log_den);
            EXPECT_EQ(is.low_var2, should.low_var2);
            EXPECT_EQ(is.low_count, should.low_count);
        }
    }
}

TEST(Vif, ScoresOfSmallSizesEqualCheckValues)
{
    struct {
        unsigned width, height;
        std::array<double, 4> scales;
    } constexpr kChecks[] = {
        {16, 16, {0.92155337333679199, 0.86084252595901489, 0.83786028623580933, 0.85550189018249512}},
        {17, 19, {0.92134308815002441, 0.86343830823898315, 0.83621370792388916, 0.8554418683052063}},
        {31, 18, {0.92174625396728516, 0.8550422191619873, 0.82492989301681519, 0.82856863737106323}},
        {40, 24, {0.92126178741455078, 0.86555570363998413, 0.83860349655151367, 0.82130688428878784}},
        {33, 47, {0.92091917991638184, 0.84963899850845337, 0.81232893466949463, 0.79252874851226807}},
        {12, 40, {0.9209703803062439, 0.85818183422088623, 0.82886141538619995, 0.80270051956176758}},
        {40, 12, {0.92127823829650879, 0.8727911114692688, 0.85048902034759521, 0.85183876752853394}},
        {8, 8, {0.9210817813873291, 0.88683909177780151, 0.86890006065368652, 0.83078211545944214}},
    };
    for (const auto &check : kChecks) {
        std::vector<std::uint8_t> ref, dis;
        for (unsigned y = 0; y < check.height; ++y)
            for (unsigned x = 0; x < check.width; ++x) {
                ref.push_back(static_cast<std::uint8_t>((x * x * 7 + y * y * 13 + x * y * 5) % 256));
                dis.push_back(static_cast<std::uint8_t>((ref.back() * 3 + 40) >> 2));
            }
        const auto view = [&](const std::vector<std::uint8_t> &samples) {
            return PlaneView{reinterpret_cast<const std::byte *>(samples.data()), check.width, check.width,
                             check.height, 8};
        };
        const std::vector<double> scores =
            scores_of(*make_feature({}), {VMAF_PIX_FMT_YUV400P, 8, check.width, check.height}, view(ref), view(dis));
        for (unsigned scale = 0; scale < kVifScales; ++scale)
            EXPECT_EQ(scores[scale], check.scales[scale]) << check.width << " x " << check.height << " scale " << scale;
    }
}

TEST(Vif, DebugOutputsEqualCheckValues)
{
    struct {
        const char *clip;
        std::array<double, 11> added;
    } constexpr kChecks[] = {
        {"tiles_176x144_8",
         {0.55237458465833134, 125811.578125, 227764.96533203125, 76801.1875, 176974.5, 37425.09765625, 39028.86328125,
          9311.98828125, 9470.9423828125, 2273.3046875, 2290.65966796875}},
        {"same_352x288_8",
         {0.99999999464601286, 911995.5615234375, 911995.56640625, 710517.8125, 710517.8125, 155227.125, 155227.125,
          37406.50390625, 37406.5078125, 8844.1201171875, 8844.12109375}},
        {"noise_176x144_8",
         {0.0023306728156353802, 778.3651008605957, 333965.83837890625, 149.5146484375, 289107.3125, 407.56298828125,
          36514.74609375, 158.86669921875, 6965.8232421875, 62.420764923095703, 1377.95654296875}},
    };
    for (const auto &check : kChecks) {
        const std::vector<double> plain = clip_scores({}, check.clip, 0);
        const std::vector<double> scores = clip_scores({{"debug", "true"}}, check.clip, 0);
        ASSERT_EQ(scores.size(), 15U);
        EXPECT_TRUE(std::equal(plain.begin(), plain.end(), scores.begin())) << check.clip;
        for (std::size_t i = 0; i < check.added.size(); ++i)
            EXPECT_EQ(scores[4 + i], check.added[i]) << check.clip << " output " << i;
    }
}

TEST(Vif, SkippedScale0IsLeftOutOfTheSums)
{
    const std::vector<double> all = clip_scores({{"debug", "true"}}, "tiles_177x145_8", 0);
    const std::vector<double> scores =
        clip_scores({{"debug", "true"}, {"vif_skip_scale0", "true"}}, "tiles_177x145_8", 0);
    EXPECT_EQ(scores[0], 0.0);
    for (unsigned scale = 1; scale < kVifScales; ++scale)
        EXPECT_EQ(scores[scale], all[scale]);
    const double num = (all[9] + all[11]) + all[13], den = (all[10] + all[12]) + all[14];
    EXPECT_EQ(scores[4], num / den);
    EXPECT_EQ(scores[5], num);
    EXPECT_EQ(scores[6], den);
    EXPECT_EQ(scores[7], 0.0);
    EXPECT_EQ(scores[8], -1.0);
    for (std::size_t i = 9; i < 15; ++i)
        EXPECT_EQ(scores[i], all[i]);
}

TEST(Vif, NamesOutputsInTheOrderOfTheSpec)
{
    const std::vector<std::string> expected{
        "VMAF_integer_feature_vif_scale0_score",
        "VMAF_integer_feature_vif_scale1_score",
        "VMAF_integer_feature_vif_scale2_score",
        "VMAF_integer_feature_vif_scale3_score",
        "integer_vif",
        "integer_vif_num",
        "integer_vif_den",
        "integer_vif_num_scale0",
        "integer_vif_den_scale0",
        "integer_vif_num_scale1",
        "integer_vif_den_scale1",
        "integer_vif_num_scale2",
        "integer_vif_den_scale2",
        "integer_vif_num_scale3",
        "integer_vif_den_scale3",
    };
    EXPECT_EQ(output_names({{"debug", "true"}}), expected);
    EXPECT_EQ(output_names({}), std::vector<std::string>(expected.begin(), expected.begin() + 4));
}

TEST(Vif, ParametersGoIntoNames)
{
    const std::vector<std::string> limited = output_names({{"vif_enhn_gain_limit", "1.0"}, {"debug", "true"}});
    EXPECT_EQ(limited[0], "integer_vif_scale0_egl_1");
    EXPECT_EQ(limited[4], "integer_vif_egl_1");
    EXPECT_EQ(limited[7], "integer_vif_num_scale0_egl_1");
    EXPECT_EQ(output_names({{"vif_skip_scale0", "true"}, {"vif_enhn_gain_limit", "1.0"}})[0],
              "integer_vif_scale0_egl_1_ssclz");
    EXPECT_EQ(output_names({{"vif_enhn_gain_limit", "1.23456789"}})[3], "integer_vif_scale3_egl_1.23457");
    EXPECT_EQ(output_names({{"vif_enhn_gain_limit", "100"}, {"vif_skip_scale0", "false"}}), output_names({}));
}

TEST(Vif, RefusesOptionsOutOfRange)
{
    for (const Options &options :
         {Options{{"vif_enhn_gain_limit", "0.99"}}, Options{{"vif_enhn_gain_limit", "100.1"}},
          Options{{"vif_enhn_gain_limit", "many"}}, Options{{"vif_skip_scale0", "1"}}, Options{{"debug", "yes"}}})
        EXPECT_EQ(parse(options).status().code(), -EINVAL) << options[0].first << "=" << options[0].second;
    EXPECT_TRUE(parse({{"vif_enhn_gain_limit", "1"}}).ok());
    EXPECT_TRUE(parse({{"egl", "0.5"}, {"unknown", "x"}}).ok());
}

TEST(Vif, NeedsEightByEightPixelsOfLumaAlone)
{
    EXPECT_EQ(kVif.min_width_px, 8U);
    EXPECT_EQ(kVif.min_height_px, 8U);
    EXPECT_EQ(kVif.sees_every_frame, 0);
    EXPECT_EQ(make_feature({})->window({VMAF_PIX_FMT_YUV444P, 8, 64, 64}).pair, (PairMask{kLuma, kLuma}));
}

TEST(Vif, ScoreOfFlatPicturesIsOne)
{
    const VifScaleSums flat{0, 0, 0, 64 * 64};
    const VifSums sums{{flat, flat, flat, flat}};
    std::array<double, 4> scores{};
    make_feature({})->finish(&sums, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}, scores);
    EXPECT_EQ(scores, (std::array<double, 4>{1, 1, 1, 1}));
}

// The largest variance is 16384 * 65025 (spec vif 3.6).
TEST(Vif, LargestVarianceAgainstAFlatReferenceScoresZero)
{
    const VifScaleSums extreme{0, 0, 3 * 1065369600LL, 3};
    const VifSums sums{{extreme, extreme, extreme, extreme}};
    std::array<double, 4> scores{1, 1, 1, 1};
    make_feature({})->finish(&sums, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}, scores);
    EXPECT_EQ(scores, (std::array<double, 4>{0, 0, 0, 0}));
}

// spec vif 3.4.
TEST(VifLogTable, HoldsTheRoundedLogarithms)
{
    constexpr std::array kOneMore{33108U, 33209U, 34457U, 34492U, 34844U, 35764U, 36399U, 37398U, 38620U, 39319U,
                                  43418U, 44159U, 45494U, 45772U, 45834U, 46443U, 48961U, 50887U, 51146U, 51633U,
                                  53104U, 53266U, 53519U, 54765U, 55081U, 56230U, 56727U, 58087U, 58146U, 59985U,
                                  60168U, 61340U, 61966U, 62134U, 62408U, 64360U, 64469U, 64841U};
    const VifLogTable &table = vif_log_table();
    std::uint64_t sum = 0;
    for (unsigned m = 32768; m < 65536; ++m) {
        const std::uint32_t logarithm = 30720 + ((table[(m - 32768) >> 3] + (m & 7)) >> 3);
        const long double exact = std::floor(2048 * std::log2(static_cast<long double>(m)) + 0.5L);
        const bool one_more = std::find(kOneMore.begin(), kOneMore.end(), m) != kOneMore.end();
        EXPECT_EQ(logarithm, static_cast<std::uint32_t>(exact) + one_more) << m;
        sum += logarithm;
    }
    EXPECT_EQ(sum, 1044032097U);
}

} // namespace
} // namespace vmaf::test
