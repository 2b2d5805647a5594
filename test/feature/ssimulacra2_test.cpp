#include "feature/ssimulacra2/ssimulacra2.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

#include "feature/feature_runner.h"
#include "feature/near_flat_pictures.h"
#include "feature/ssimulacra2/ssimulacra2_pyramid.h"
#include "feature/ssimulacra2_oracle.h"
#include "feature/stored_rgb.h"
#include "support/cpu_targets.h"

// Properties that the clips do not show (spec ssimulacra2 6). The conformance test compares the
// clips' scores.

namespace vmaf {
namespace {

using test::Clip;

using Runner = test::FeatureRunner<Ssimulacra2Sums>;

Runner runner(const std::string &yuv_matrix = "0", CpuTarget target = cpu_target(0))
{
    return Runner(kSsimulacra2, {{"yuv_matrix", yuv_matrix}}, target);
}

constexpr double kTolerance = 2e-4;

TEST(Ssimulacra2, ReadsEveryMatrixAndRange)
{
    const std::array<std::pair<const char *, std::array<double, 4>>, 2> expected{{
        {"tiles_352x288_10", {51.011824084077652, 48.22437569085244, 52.966258660564719, 50.633781241717124}},
        {"tiles_176x144_8", {51.800728941345525, 49.681977963595685, 54.961985483984364, 53.190317620893126}},
    }};
    for (const auto &[name, scores] : expected)
        for (unsigned matrix = 0; matrix < scores.size(); ++matrix)
            EXPECT_NEAR(runner(std::to_string(matrix)).scores(name, 0)[0], scores[matrix], kTolerance)
                << name << ", matrix " << matrix;
}

TEST(Ssimulacra2, AveragesOfEveryScaleMatchTheChapter)
{
    // Norm 1: ssim, artefact, detail, then norm 4; X, Y, B of each scale.
    constexpr double kAverages[kSsimulacra2Scales][kSsimulacra2Planes][kSsimulacra2TermsOfScale] = {
        {{0.1058871, 0.00184941051, 0.00703252326, 0.202342633, 0.00861824564, 0.021678811},
         {0.0928140275, 0.00249539799, 0.00944481072, 0.121840286, 0.0120150844, 0.0262285703},
         {0.0987768556, 0.00180643549, 0.00647659181, 0.182023122, 0.00836823977, 0.0212767852}},
        {{0.0730951967, 0.00227840245, 0.00830345606, 0.134762711, 0.0103467466, 0.025708019},
         {0.025647807, 0.00199192546, 0.00703405165, 0.0379542847, 0.0100268276, 0.0175880726},
         {0.068976965, 0.00216335016, 0.00754631631, 0.109231881, 0.00973018559, 0.0252608694}},
        {{0.0171205387, 0.0015617957, 0.0058742897, 0.0397032572, 0.00704611559, 0.0152318567},
         {0.00727989425, 0.00147337291, 0.00553832007, 0.0114491502, 0.00965186203, 0.0117430358},
         {0.0157871927, 0.00154307339, 0.00547635837, 0.0267087138, 0.00657673729, 0.0148597933}},
        {{0.00405401143, 0.00141044843, 0.00447593483, 0.00713852279, 0.0061584805, 0.00987867639},
         {0.00269240943, 0.00148013831, 0.00500000936, 0.00417400454, 0.0115329484, 0.0104056371},
         {0.00364348053, 0.00138200293, 0.00404526813, 0.00653895748, 0.00506961608, 0.00939063868}},
        {{0.00101903, 0.00151525028, 0.00333681816, 0.00188300489, 0.00573675852, 0.00735053239},
         {0.000814477686, 0.00154478837, 0.00300969633, 0.00150680084, 0.0116383998, 0.0103350228},
         {0.00077743623, 0.00117301494, 0.00294180435, 0.00189746945, 0.00443980401, 0.00605031638}},
        {{0.000126058942, 0.00146773544, 0.00115827892, 0.000165494065, 0.00438150295, 0.00294677057},
         {4.57488612e-05, 0.000791311109, 0.00103839758, 6.92338395e-05, 0.00290488959, 0.00386722831},
         {6.73335391e-05, 0.00146694667, 0.000995578899, 9.23522082e-05, 0.00400227037, 0.00241715747}},
    };
    const Clip &clip = Clip::get("tiles_177x145_8");
    const Ssimulacra2Sums sums = runner().sums("tiles_177x145_8", 0);
    for (unsigned scale = 0; scale < kSsimulacra2Scales; ++scale) {
        const Ssimulacra2Size size = ssimulacra2_size(clip.spec().width, clip.spec().height, scale);
        const double pixels = static_cast<double>(size.width_px) * size.height_px;
        for (unsigned plane = 0; plane < kSsimulacra2Planes; ++plane)
            for (unsigned map = 0; map < kSsimulacra2Maps; ++map) {
                if ((ssimulacra2_maps(plane, scale, kSsimulacra2Scales) >> map & 1) == 0)
                    continue; // no weight uses it
                const double *expected = kAverages[scale][plane];
                const double first = sums.sums[plane][scale][0][map] / pixels;
                const double fourth = std::sqrt(std::sqrt(sums.sums[plane][scale][1][map] / pixels));
                EXPECT_NEAR(first, expected[map], 1e-4 * expected[map]) << plane << scale << map;
                EXPECT_NEAR(fourth, expected[kSsimulacra2Maps + map], 1e-4 * expected[kSsimulacra2Maps + map])
                    << plane << scale << map;
            }
    }
}

/// 8-bit codes of R, G, B (spec ssimulacra2 6.2).
using Codes = std::array<int, 3>;
using CodesAt = std::function<Codes(int x, int y)>;

float linear_of_code(int code)
{
    const double v = code / 255.0;
    return static_cast<float>(v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4));
}

double score_of_rgb(int width, int height, const CodesAt &ref, const CodesAt &dis)
{
    Ssimulacra2Pyramid pyramid(static_cast<unsigned>(width), static_cast<unsigned>(height), Ssimulacra2Colour::xyb,
                               cpu_target(0));
    pyramid.begin();
    for (int y = 0; y < height; ++y) {
        for (unsigned picture = 0; picture < 2; ++picture)
            for (int x = 0; x < width; ++x)
                for (unsigned channel = 0; channel < 3; ++channel)
                    pyramid.next_row(picture).channel[channel][x] =
                        linear_of_code((picture ? dis : ref)(x, y)[channel]);
        pyramid.push();
    }
    Ssimulacra2Sums sums{};
    pyramid.finish(sums);
    return ssimulacra2_score(sums, static_cast<unsigned>(width), static_cast<unsigned>(height));
}

TEST(Ssimulacra2, RgbPatternsOfEverySizeMatchTheDefinition)
{
    const CodesAt ref = [](int x, int y) {
        return Codes{(7 * x + 3 * y) % 256, (x * x + 5 * y) % 256, (2 * x + y * y) % 256};
    };
    const CodesAt dis = [&](int x, int y) {
        Codes codes = ref(x, y);
        for (int c = 0; c < 3; ++c)
            codes[c] = std::clamp(codes[c] + (31 * x + 17 * y + 11 * c) % 25 - 12, 0, 255);
        return codes;
    };
    struct Expected {
        int width, height;
        double score;
    };
    for (const Expected &e : {Expected{8, 8, 92.453602495071749},
                              {9, 13, 92.232489813242566},
                              {31, 33, 58.663339166230287},
                              {64, 48, 65.155924261391277},
                              {113, 120, 85.654576876735149},
                              {256, 225, 85.228717880056294},
                              {300, 9, 92.861708900861004}})
        EXPECT_NEAR(score_of_rgb(e.width, e.height, ref, dis), e.score, kTolerance) << e.width << "x" << e.height;
}

TEST(Ssimulacra2, RgbGradientsMatchTheDefinition)
{
    struct Expected {
        int width, height;
        double score;
    };
    for (const Expected &e :
         {Expected{64, 48, 82.932531737472573}, {256, 225, 90.700246310286531}, {640, 360, 88.478301014362899}}) {
        const CodesAt ref = [&](int x, int y) {
            return Codes{255 * x / (e.width - 1), 255 * y / (e.height - 1), 255 * (x + y) / (e.width + e.height - 2)};
        };
        const CodesAt dis = [&](int x, int y) {
            Codes codes = ref(x, y);
            for (int &code : codes)
                code = code / 4 * 4;
            return codes;
        };
        EXPECT_NEAR(score_of_rgb(e.width, e.height, ref, dis), e.score, kTolerance) << e.width << "x" << e.height;
    }
}

/// spec ssimulacra2 5.7.
double near_flat_tolerance(double score)
{
    return score < 99.8 ? kTolerance : 1e-3;
}

void expect_definition(const FramePlanes &planes, const PictureFormat &format, const std::string &what)
{
    const Ssimulacra2Sums exact = test::ssimulacra2_by_definition(planes, format, 0);
    const double expected = ssimulacra2_score(exact, format.width, format.height);
    EXPECT_NEAR(runner().scores(planes, format)[0], expected, near_flat_tolerance(expected)) << what;
}

// The oracle itself is held to scores from elsewhere.
TEST(Ssimulacra2, TheDefinitionGivesTheGoldenScores)
{
    for (const auto &[name, score] :
         {std::pair{"tiles_352x288_10", 51.011824084077652}, std::pair{"tiles_176x144_8", 51.800728941345525}}) {
        const PictureFormat &format = Clip::get(name).format();
        const Ssimulacra2Sums sums = test::ssimulacra2_by_definition(test::planes_of(Clip::get(name), 0), format, 0);
        EXPECT_NEAR(ssimulacra2_score(sums, format.width, format.height), score, 1e-9) << name;
    }
}

TEST(Ssimulacra2, NearFlatPicturesHaveTheScoreOfTheDefinition)
{
    unsigned seed = 1;
    for (const test::NearFlat kind : test::kNearFlat)
        for (const PictureFormat &format :
             {PictureFormat{VMAF_PIX_FMT_YUV420P, 8, 113, 97}, PictureFormat{VMAF_PIX_FMT_YUV444P, 8, 178, 101},
              PictureFormat{VMAF_PIX_FMT_YUV422P, 10, 131, 113}, PictureFormat{VMAF_PIX_FMT_YUV400P, 12, 199, 67},
              PictureFormat{VMAF_PIX_FMT_YUV422P, 16, 97, 151}}) {
            const test::NearFlatPair pair(kind, format, ++seed);
            expect_definition(pair.views(), format,
                              "kind " + std::to_string(static_cast<int>(kind)) + " at " + std::to_string(format.bpc) +
                                  " bit, seed " + std::to_string(seed));
        }
}

TEST(Ssimulacra2, IdenticalPicturesAreExactly100)
{
    for (const char *name : {"noise_176x144_8", "tiles_177x145_8", "tiles_256x192_16", "grey_178x146_10"}) {
        FramePlanes planes = test::planes_of(Clip::get(name), 0);
        std::copy_n(planes.ref, 3, planes.dis);
        EXPECT_EQ(runner().scores(planes, Clip::get(name).format()), std::vector{100.0}) << name;
    }
}

TEST(Ssimulacra2, SumsAreTheSameOnEveryCpuTarget)
{
    for (const char *name : {"tiles_177x145_8", "tiles_352x288_10", "grey_178x146_10"}) {
        const Ssimulacra2Sums expected = runner("1", CpuTarget::baseline).sums(name, 0);
        for (const CpuTarget target : test::targets()) {
            const Ssimulacra2Sums sums = runner("1", target).sums(name, 0);
            EXPECT_TRUE(std::equal(&sums.sums[0][0][0][0], &sums.sums[0][0][0][0] + sizeof sums / sizeof(double),
                                   &expected.sums[0][0][0][0]))
                << name << ", target " << static_cast<int>(target);
        }
    }
}

TEST(Ssimulacra2, CountsScalesAsTheToolDoes)
{
    EXPECT_EQ(ssimulacra2_scale_count(8, 8), 2U);
    EXPECT_EQ(ssimulacra2_scale_count(9, 9), 2U);
    EXPECT_EQ(ssimulacra2_scale_count(112, 5000), 5U);
    EXPECT_EQ(ssimulacra2_scale_count(113, 5000), 6U);
    EXPECT_EQ(ssimulacra2_scale_count(16384, 16384), 6U);
}

// ---- spec comparison 3, hdr 5 ----

double score_of_pair(const test::StoredPair &pair, const test::Options &options)
{
    return Runner(kSsimulacra2, options).scores(pair.planes(), pair.format())[0];
}

TEST(Ssimulacra2, HowTheSamePicturesAreStoredHardlyMatters)
{
    std::vector<double> scores;
    for (const unsigned bpc : {8U, 10U, 12U})
        for (int matrix = 0; matrix <= 5; ++matrix) {
            const test::StoredPair pair({matrix, bpc}, 160, 144, test::smooth_colour);
            scores.push_back(score_of_pair(pair, {{"yuv_matrix", std::to_string(matrix)}}));
            EXPECT_NEAR(scores.back(), scores.front(), 1) << "matrix " << matrix << ", " << bpc << " bit";
        }
    EXPECT_LT(scores.front(), 80) << "the pictures differ";
}

TEST(Ssimulacra2, PicturesInOtherTransfersAndPrimariesScoreAsBefore)
{
    const double expected =
        score_of_pair(test::StoredPair({2, 16}, 160, 144, test::smooth_colour), {{"yuv_matrix", "2"}});
    for (const test::OtherEncoding &encoding : test::kOtherEncodings) {
        const test::StoredPair pair({5, 16}, 160, 144, encoding);
        const test::Options right{
            {"yuv_matrix", "5"}, {"transfer", encoding.transfer}, {"primaries", encoding.primaries}};
        EXPECT_NEAR(score_of_pair(pair, right), expected, 0.01) << encoding.transfer << ", " << encoding.primaries;
        if (encoding.matrix != nullptr) {
            EXPECT_GT(std::abs(score_of_pair(pair, {right[0], right[1]}) - expected), 0.1) << "primaries count";
        }
    }
    const test::StoredPair pq({5, 16}, 160, 144, test::kOtherEncodings[3]);
    EXPECT_GT(std::abs(score_of_pair(pq, {{"yuv_matrix", "5"}}) - expected), 1) << "the transfer counts";
}

TEST(Ssimulacra2, RefusesUnknownNamesOfColour)
{
    for (const auto &[option, value] : {std::pair{"transfer", "gamma22"}, {"primaries", "dci"}, {"transfer", ""}})
        EXPECT_EQ(kSsimulacra2.check_options(test::parse_options(kSsimulacra2, {{option, value}}).value()).code(),
                  -EINVAL)
            << option << value;
}

TEST(Ssimulacra2, RefusesUnknownMatrices)
{
    for (const char *matrix : {"-1", "6", "bt709"})
        EXPECT_EQ(test::parse_options(kSsimulacra2, {{"yuv_matrix", matrix}}).status().code(), -EINVAL) << matrix;
}

} // namespace
} // namespace vmaf
