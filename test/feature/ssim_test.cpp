#include "feature/ssim/ssim.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <tuple>

#include "feature/feature_runner.h"
#include "feature/ssim_oracle.h"
#include "support/cpu_targets.h"
#include "support/random.h"
#include "support/same_scores.h"

namespace vmaf::test {
namespace {

using SsimRunner = FeatureRunner<SsimSums>;
using MsSsimRunner = FeatureRunner<MsSsimSums>;

// The tables of spec ssim 6.

/// Expected scores of a clip's frames, from frame 0 on, with default options.
struct Golden {
    const char *clip;
    std::vector<double> frames;
};
const Golden kSsim[] = {
    {"tiles_176x144_8", {0.89423692226409912, 0.89534801244735718, 0.89395087957382202}},
    {"tiles_177x145_8", {0.89454853534698486, 0.89510160684585571, 0.89462763071060181}},
    {"tiles_352x288_10", {0.89601427316665649, 0.89528828859329224, 0.89565038681030273}},
    {"tiles_256x192_12", {0.89535844326019287, 0.89567828178405762, 0.89511418342590332}},
    {"tiles_256x192_16", {0.89536142349243164, 0.89568048715591431, 0.89511388540267944}},
    {"flat_176x144_8", {1, 0.99993902444839478, 0.99975866079330444}},
    {"noise_176x144_8", {0.00022632048057857901, 0.0084749646484851837, -9.7681455372367054e-05}},
    {"same_352x288_8", {1, 1, 1}},
    {"tiles_640x360_8", {0.89662933349609375, 0.89653170108795166, 0.89640194177627563}},
    {"bands_640x360_8", {0.99689626693725586, 0.99690777063369751, 0.9968915581703186}},
    {"cut_352x288_8", {0.89567369222640991, 0.89567369222640991, 0.89736384153366089}},
    {"grey_178x146_10", {0.8956795334815979, 0.89508438110351562, 0.89508175849914551}},
};
const Golden kSsimLarge[] = {
    {"tiles_1920x1080_8", {0.99856936931610107, 0.99515628814697266, 0.99639701843261719}},
    {"tiles_3840x2160_10", {0.99940913915634155, 0.99954479932785034}},
    {"bands_960x540_10", {0.99921512603759766, 0.99921292066574097, 0.99921393394470215}},
};
const Golden kMsSsim[] = {
    {"tiles_352x288_10", {0.98955113127013583, 0.98947101617607303, 0.98947990070643244}},
    {"tiles_256x192_12", {0.98966042794044684, 0.98968114158582499, 0.98962520430888057}},
    {"tiles_256x192_16", {0.98966062488496542, 0.98968200842779963, 0.9896247726318671}},
    {"same_352x288_8", {1, 1, 1}},
    {"tiles_640x360_8", {0.9895129124926717, 0.98948289029240943, 0.98947220959224169}},
    {"bands_640x360_8", {0.9989109585583279, 0.99892433095275712, 0.99891574935233374}},
    {"cut_352x288_8", {0.98951101763288785, 0.98951101763288785, 0.98955979695348562}},
};
const Golden kMsSsimLarge[] = {
    {"tiles_1920x1080_8", {0.98947707722827782, 0.98948638859329607, 0.98950094651784748}},
    {"bands_960x540_10", {0.99914802638253319, 0.99914438097849056, 0.99914556844840807}},
};
/// l, c and s of frame 0, and the score in dB.
const Golden kTerms[] = {
    {"tiles_176x144_8", {0.9999539852142334, 0.97977334260940552, 0.9126887321472168, 9.7566591958054207}},
    {"tiles_177x145_8", {0.99995505809783936, 0.97969931364059448, 0.913074791431427, 9.7694738381159851}},
    {"tiles_352x288_10", {0.99996757507324219, 0.97957766056060791, 0.91469931602478027, 9.83026268229316}},
    {"tiles_256x192_12", {0.99996942281723022, 0.97962081432342529, 0.91394573450088501, 9.8029580802516953}},
    {"tiles_256x192_16", {0.99996984004974365, 0.9796215295791626, 0.9139477014541626, 9.8030817707708184}},
    {"flat_176x144_8", {1, 1, 1, 96}},
    {"noise_176x144_8", {0.98819512128829956, 0.99250096082687378, 3.1993158700061031e-06, 0.00098300860025546258}},
    {"same_352x288_8", {1, 1, 1, 102}},
    {"tiles_640x360_8", {0.99995213747024536, 0.9794774055480957, 0.91545307636260986, 9.8560268351329405}},
    {"bands_640x360_8", {0.999991774559021, 0.99825739860534668, 0.99864649772644043, 25.081156374017223}},
    {"cut_352x288_8", {0.99995416402816772, 0.97949302196502686, 0.91444480419158936, 9.816061625204572}},
    {"grey_178x146_10", {0.99997073411941528, 0.97998082637786865, 0.91395801305770874, 9.8163047945423028}},
};
const Golden kTermsLarge[] = {
    {"tiles_1920x1080_8", {0.99998974800109863, 0.99990671873092651, 0.9986727237701416, 28.444724645250005}},
    {"tiles_3840x2160_10", {0.99999910593032837, 0.99996232986450195, 0.99944770336151123, 32.285147897572244}},
    {"bands_960x540_10", {0.99997425079345703, 0.99956530332565308, 0.99967527389526367, 31.052000780673538}},
};

const Options kTermsInDb{{"enable_lcs", "true"}, {"enable_db", "true"}, {"clip_db", "true"}};

template <class Sums> void expect_goldens(const FeatureSpec &spec, std::span<const Golden> goldens)
{
    for (const Golden &golden : goldens)
        for (unsigned frame = 0; frame < golden.frames.size(); ++frame)
            EXPECT_EQ(FeatureRunner<Sums>(spec).scores(golden.clip, frame), std::vector{golden.frames[frame]})
                << golden.clip << " frame " << frame;
}

void expect_terms(std::span<const Golden> goldens)
{
    for (const Golden &golden : goldens) {
        const std::vector<double> &g = golden.frames;
        EXPECT_EQ(SsimRunner(kFloatSsim, kTermsInDb).scores(golden.clip, 0), (std::vector{g[3], g[0], g[1], g[2]}))
            << golden.clip;
    }
}

TEST(Ssim, ScoresEqualGoldens)
{
    expect_goldens<SsimSums>(kFloatSsim, kSsim);
}
TEST(SsimLarge, ScoresEqualGoldens)
{
    expect_goldens<SsimSums>(kFloatSsim, kSsimLarge);
}
TEST(Ssim, TermsAndDecibelsEqualGoldens)
{
    expect_terms(kTerms);
}
TEST(SsimLarge, TermsAndDecibelsEqualGoldens)
{
    expect_terms(kTermsLarge);
}
TEST(Ssim, MultiScaleScoresEqualGoldens)
{
    expect_goldens<MsSsimSums>(kFloatMsSsim, kMsSsim);
}
TEST(SsimLarge, MultiScaleScoresEqualGoldens)
{
    expect_goldens<MsSsimSums>(kFloatMsSsim, kMsSsimLarge);
}

TEST(Ssim, ScaleOptionReducesThePictures)
{
    const std::tuple<const char *, const char *, double> checks[] = {
        {"tiles_640x360_8", "1", 0.89662933349609375},  {"tiles_640x360_8", "2", 0.99213504791259766},
        {"tiles_640x360_8", "3", 0.99610346555709839},  {"tiles_640x360_8", "4", 0.99860274791717529},
        {"tiles_640x360_8", "10", 0.99969583749771118}, {"tiles_177x145_8", "2", 0.99205201864242554},
        {"tiles_177x145_8", "3", 0.99613296985626221},
    };
    for (const auto &[clip, scale, score] : checks)
        EXPECT_EQ(SsimRunner(kFloatSsim, {{"scale", scale}}).scores(clip, 0), std::vector{score})
            << clip << " " << scale;
}

TEST(Ssim, MultiScaleTermsEqualCheckValues)
{
    const std::vector<double> expected{
        19.793451081002402,
        // l
        0.99995213747024536, 0.99998247623443604, 0.99998974800109863, 0.99999153614044189, 0.9999927282333374,
        // c
        0.9794774055480957, 0.99636483192443848, 0.9995887279510498, 0.99990057945251465, 0.99998933076858521,
        // s
        0.91545307636260986, 0.98663884401321411, 0.99834394454956055, 0.99961918592453003, 0.99971848726272583};
    EXPECT_TRUE(are_the_scores(MsSsimRunner(kFloatMsSsim, kTermsInDb).scores("tiles_640x360_8", 0), expected));
}

void expect_sums(const SsimSums &sums, const SsimSums &expected)
{
    EXPECT_EQ(sums.l, expected.l);
    EXPECT_EQ(sums.c, expected.c);
    EXPECT_EQ(sums.s, expected.s);
    EXPECT_EQ(sums.q, expected.q);
}

TEST(Ssim, SumsEqualCheckValues)
{
    expect_sums(SsimRunner(kFloatSsim).sums("tiles_176x144_8", 0),
                {22242.976296422734, 21794.078204646732, 20301.847710609436, 19891.406438379559});
    expect_sums(SsimRunner(kFloatSsim, {{"scale", "3"}}).sums("tiles_352x288_10", 0),
                {9201.9734081862316, 9195.5732444560635, 9172.9498666524887, 9166.5290740309993});
    const MsSsimSums sums = MsSsimRunner(kFloatMsSsim).sums("tiles_640x360_8", 0);
    expect_sums(sums.scale[1], {52699.077354207162, 52508.428109297245, 51995.867114365101, 51806.095757367257});
    expect_sums(sums.scale[4], {389.99715425931709, 389.99583575171499, 389.89021027088165, 389.88320267869938});
}

TEST(SsimLarge, SumsEqualCheckValues)
{
    expect_sums(SsimRunner(kFloatSsim).sums("bands_960x540_10", 0),
                {122196.85501568885, 122146.88065776601, 122160.31678158045, 122104.08802685533});
}

TEST(Ssim, IdenticalPicturesAreInfinitelyGoodInUncappedDecibels)
{
    const std::vector infinite{std::numeric_limits<double>::infinity()};
    EXPECT_EQ(SsimRunner(kFloatSsim, {{"enable_db", "true"}}).scores("same_352x288_8", 0), infinite);
    EXPECT_EQ(MsSsimRunner(kFloatMsSsim, {{"enable_db", "true"}}).scores("same_352x288_8", 0), infinite);
    EXPECT_EQ(SsimRunner(kFloatSsim, {{"clip_db", "true"}}).scores("same_352x288_8", 0), std::vector{1.0});
}

TEST(Ssim, OutputsFollowTheOptions)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 176, 176};
    const Options lcs{{"enable_lcs", "true"}};
    EXPECT_EQ(output_names(kFloatSsim, {}, format), std::vector<std::string>{"float_ssim"});
    EXPECT_EQ(output_names(kFloatSsim, lcs, format),
              (std::vector<std::string>{"float_ssim", "float_ssim_l", "float_ssim_c", "float_ssim_s"}));
    EXPECT_EQ(output_names(kFloatMsSsim, {}, format), std::vector<std::string>{"float_ms_ssim"});
    const std::vector<std::string> names = output_names(kFloatMsSsim, lcs, format);
    ASSERT_EQ(names.size(), 16U);
    EXPECT_EQ(names[0], "float_ms_ssim");
    EXPECT_EQ(names[1], "float_ms_ssim_l_scale0");
    EXPECT_EQ(names[5], "float_ms_ssim_l_scale4");
    EXPECT_EQ(names[6], "float_ms_ssim_c_scale0");
    EXPECT_EQ(names[15], "float_ms_ssim_s_scale4");
}

TEST(Ssim, ScaleIsFrom0To10)
{
    for (const char *scale : {"0", "10"})
        EXPECT_TRUE(parse_options(kFloatSsim, {{"scale", scale}}).ok()) << scale;
    for (const char *scale : {"-1", "11"})
        EXPECT_EQ(parse_options(kFloatSsim, {{"scale", scale}}).status().code(), -EINVAL) << scale;
}

TEST(Ssim, RefusesOtherDepths)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const bool accepted = bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16;
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 200, 200};
        EXPECT_EQ(SsimRunner(kFloatSsim).format_error(format), accepted ? 0 : -EINVAL) << bpc;
        EXPECT_EQ(MsSsimRunner(kFloatMsSsim).format_error(format), accepted ? 0 : -EINVAL) << bpc;
    }
}

TEST(Ssim, RefusesWhatIsTooSmallAfterReduction)
{
    const auto error = [](const char *scale, unsigned width, unsigned height) {
        return SsimRunner(kFloatSsim, {{"scale", scale}}).format_error({VMAF_PIX_FMT_YUV420P, 8, width, height});
    };
    EXPECT_EQ(error("1", 11, 11), 0);
    EXPECT_EQ(error("2", 22, 22), 0);
    EXPECT_EQ(error("2", 21, 21), 0); // odd: 10 + 1
    EXPECT_EQ(error("2", 20, 22), -EINVAL);
    EXPECT_EQ(error("2", 22, 20), -EINVAL);
    EXPECT_EQ(error("10", 108, 200), -EINVAL);
    EXPECT_EQ(kFloatSsim.min_width_px, 11U);
    EXPECT_EQ(kFloatMsSsim.min_width_px, 176U);
    EXPECT_EQ(kFloatMsSsim.min_height_px, 176U);
}

/// Two pictures with noise, flat parts and differences.
struct RandomPair {
    TestPicture ref, dis;

    RandomPair(const PictureFormat &format, Random &random) : ref(format), dis(format)
    {
        ref.fill([&](unsigned, unsigned x, unsigned y) {
            return (x / 16 + y / 16) % 2 == 0 ? 0 : random.below(1U << format.bpc);
        });
        dis.fill([&](unsigned plane, unsigned x, unsigned y) {
            return random.below(3) == 0 ? random.below(1U << format.bpc) : ref.at(plane, x, y);
        });
    }
};

TEST(Ssim, EveryTargetEqualsThePlainVersionForEveryFactor)
{
    Random random;
    for (unsigned factor = 1; factor <= 10; ++factor)
        for (const unsigned bpc : {8, 16}) {
            const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 11 * factor + random.below(30),
                                       11 * factor + random.below(30)};
            SCOPED_TRACE(testing::Message() << format.width << "x" << format.height << " by " << factor << ", " << bpc
                                            << " bits, " << random.seed());
            const RandomPair pair(format, random);
            const SsimSums expected = ssim_oracle::sums(ssim_oracle::reduced(ssim_oracle::luma(pair.ref), factor),
                                                        ssim_oracle::reduced(ssim_oracle::luma(pair.dis), factor));
            for (const CpuTarget target : targets())
                expect_sums(SsimRunner(kFloatSsim, {{"scale", std::to_string(factor)}}, target)
                                .sums(planes_of(pair.ref, pair.dis), format),
                            expected);
        }
}

TEST(Ssim, EveryTargetEqualsThePlainVersionAtEveryScale)
{
    Random random;
    for (const auto &[width, height, bpc] : {std::tuple{176U, 177U, 10U}, {193U, 176U, 12U}}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, width, height};
        const RandomPair pair(format, random);
        ssim_oracle::Image ref = ssim_oracle::luma(pair.ref), dis = ssim_oracle::luma(pair.dis);
        std::vector<MsSsimSums> sums;
        for (const CpuTarget target : targets())
            sums.push_back(MsSsimRunner(kFloatMsSsim, {}, target).sums(planes_of(pair.ref, pair.dis), format));
        for (unsigned scale = 0; scale < kMsSsimScales;
             ++scale, ref = ssim_oracle::halved(ref), dis = ssim_oracle::halved(dis)) {
            SCOPED_TRACE(testing::Message() << width << "x" << height << " scale " << scale << ", " << random.seed());
            const SsimSums expected = ssim_oracle::sums(ref, dis);
            for (const MsSsimSums &frame : sums)
                expect_sums(frame.scale[scale], expected);
        }
    }
}

TEST(Ssim, APictureAgainstItsNegativeHasNoMultiScaleScore)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 176, 176};
    Random random;
    TestPicture ref(format), dis(format);
    ref.fill([&](unsigned, unsigned, unsigned) { return random.below(256); });
    dis.fill([&](unsigned plane, unsigned x, unsigned y) { return 255 - ref.at(plane, x, y); });
    EXPECT_TRUE(std::isnan(MsSsimRunner(kFloatMsSsim).scores(planes_of(ref, dis), format)[0]));
    EXPECT_EQ(MsSsimRunner(kFloatMsSsim, {{"enable_db", "true"}}).scores(planes_of(ref, dis), format)[0],
              std::numeric_limits<double>::infinity());
}

} // namespace
} // namespace vmaf::test
