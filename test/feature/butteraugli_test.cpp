#include "feature/butteraugli/butteraugli.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <string>

#include "feature/butteraugli/butteraugli_map.h"
#include "feature/butteraugli_oracle.h"
#include "feature/butteraugli_pictures.h"
#include "feature/feature_runner.h"
#include "feature/near_flat_pictures.h"
#include "feature/stored_rgb.h"
#include "support/cpu_targets.h"

// Properties that the clips do not show (spec butteraugli 6). The conformance test compares the
// clips' scores.

namespace vmaf {
namespace {

using test::BlockPair;
using test::ButteraugliParameters;
using test::ButteraugliPlaneOf;
using test::ButteraugliResult;
using test::ButteraugliRgb;
using test::ButteraugliSteps;
using test::Clip;

using Runner = test::FeatureRunner<ButteraugliSums>;

/// Tolerance of spec butteraugli 5.1 for textured pictures.
constexpr double kTolerance = 5e-5;

void expect_scores(const std::array<double, 3> &actual, const std::array<double, 3> &expected, double tolerance,
                   const std::string &what)
{
    for (unsigned i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(actual[i], expected[i], tolerance * (1 + expected[i])) << what << ", output " << i;
}

/// 8-bit codes of R, G, B.
using Codes = std::array<int, 3>;
using CodesAt = std::function<Codes(int x, int y)>;

ButteraugliRgb rgb_of(int width, int height, const CodesAt &codes)
{
    ButteraugliRgb rgb;
    rgb.fill(ButteraugliPlaneOf(width, height));
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (unsigned c = 0; c < 3; ++c) {
                const double v = codes(x, y)[c] / 255.0;
                rgb[c].at(x, y) = v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
            }
    return rgb;
}

/// Scores of the library for linear colour.
std::array<double, 3> scores_of(const ButteraugliRgb &ref, const ButteraugliRgb &dis,
                                const ButteraugliParameters &parameters)
{
    const auto width = static_cast<unsigned>(ref[0].width), height = static_cast<unsigned>(ref[0].height);
    const OptionValues values =
        test::parse_options(kButteraugli, {{"intensity_target", std::to_string(parameters.intensity)},
                                           {"hf_asymmetry", std::to_string(parameters.asymmetry)}})
            .value();
    ButteraugliReference reference({width, height, false, butteraugli_tuning(ButteraugliOptions(values))}, 1,
                                   cpu_target(0));
    ButteraugliMap encode(reference, cpu_target(0));
    reference.begin();
    encode.begin();
    const auto push = [&](const ButteraugliRgb &rgb, unsigned y, auto &picture) {
        for (unsigned c = 0; c < 3 && y < height; ++c)
            for (unsigned x = 0; x < width; ++x)
                picture.next_row().channel[c][x] =
                    static_cast<float>(rgb[c].at(static_cast<int>(x), static_cast<int>(y)));
        picture.push();
    };
    for (unsigned y = 0; y < encode.rows_to_push(); ++y) {
        push(ref, y, reference);
        push(dis, y, encode);
    }
    ButteraugliSums sums{};
    encode.finish(sums);
    return butteraugli_scores(sums, width, height);
}

// ---- spec butteraugli 6.1 ----

struct RgbPair {
    CodesAt ref, dis;
};

RgbPair pattern(int, int)
{
    const CodesAt ref = [](int x, int y) {
        return Codes{(7 * x + 3 * y) % 256, (x * x + 5 * y) % 256, (2 * x + y * y) % 256};
    };
    return {ref, [ref](int x, int y) {
                Codes codes = ref(x, y);
                for (int c = 0; c < 3; ++c)
                    codes[c] = std::clamp(codes[c] + (31 * x + 17 * y + 11 * c) % 25 - 12, 0, 255);
                return codes;
            }};
}

RgbPair gradient(int width, int height)
{
    const CodesAt ref = [=](int x, int y) {
        return Codes{255 * x / (width - 1), 255 * y / (height - 1), 255 * (x + y) / (width + height - 2)};
    };
    return {ref, [ref](int x, int y) {
                Codes codes = ref(x, y);
                for (int &code : codes)
                    code = code / 4 * 4;
                return codes;
            }};
}

std::uint32_t hash(std::uint32_t x)
{
    x = (x ^ (x >> 16)) * 0x7FEB352D;
    x = (x ^ (x >> 15)) * 0x846CA68B;
    return x ^ (x >> 16);
}

RgbPair noise(int width, int)
{
    const auto codes = [width](std::uint32_t offset) {
        return [=](int x, int y) {
            Codes result{};
            for (int c = 0; c < 3; ++c)
                result[c] = static_cast<int>(hash(static_cast<std::uint32_t>(3 * (y * width + x) + c) + offset) & 255);
            return result;
        };
    };
    return {codes(0), codes(1000003)};
}

RgbPair edges(int, int)
{
    const CodesAt ref = [](int x, int y) {
        return (x / 13 + y / 9) % 2 != 0 ? Codes{230, 40, 200} : Codes{20, 180, 60};
    };
    return {ref, [ref](int x, int y) {
                Codes codes = ref(x, y);
                const Codes next = ref(x + 1, y);
                for (int c = 0; c < 3; ++c)
                    codes[c] = (3 * codes[c] + next[c]) / 4;
                return codes;
            }};
}

RgbPair point(int width, int height)
{
    return {[](int, int) {
                return Codes{128, 128, 128};
            },
            [=](int x, int y) {
                const int code = x == width / 2 && y == height / 2 ? 255 : 128;
                return Codes{code, code, code};
            }};
}

struct RgbCheck {
    RgbPair (*pair)(int width, int height);
    int width, height;
    ButteraugliParameters parameters;
    std::array<double, 3> scores;
};

const RgbCheck kRgbChecks[] = {
    {pattern, 8, 8, {}, {1.242382413786, 1.674512992929, 1.146078352821}},
    {pattern, 9, 13, {}, {1.346761983169, 1.887518348855, 1.227302366963}},
    {pattern, 14, 40, {}, {1.310372323628, 2.097592987844, 1.095606725798}},
    {pattern, 15, 15, {}, {1.423356797041, 1.928845357874, 1.303184606041}},
    {pattern, 31, 33, {}, {1.076725364466, 1.873450036126, 0.823352764273}},
    {pattern, 64, 48, {}, {0.911147276481, 1.873254320676, 0.605566370401}},
    {pattern, 300, 9, {}, {1.069989102038, 2.143285818229, 0.654328260453}},
    {gradient, 64, 48, {}, {1.616244012611, 1.851102236455, 1.566218189499}},
    {noise, 8, 8, {}, {8.725447050088, 12.614351551925, 7.777338657712}},
    {noise, 113, 120, {}, {10.053574664503, 18.660608581711, 9.105379598595}},
    {edges, 113, 120, {}, {3.705786686390, 6.301539139776, 2.916555902977}},
    {point, 8, 8, {}, {7.768672157843, 9.647306346613, 7.375585203011}},
    {point, 31, 33, {}, {4.991139808669, 10.461443234080, 2.168163611091}},
    {pattern, 64, 48, {203, 1}, {1.131851540268, 2.381805106901, 0.725114659837}},
    {pattern, 64, 48, {80, 0.8}, {0.901298670877, 1.858898054396, 0.594691389318}},
    {pattern, 64, 48, {10000, 2}, {2.779384020429, 6.180653647345, 1.454302904344}},
    {edges, 113, 120, {1, 1}, {0.498960628270, 0.819659177818, 0.351969200094}},
};
const RgbCheck kLargeRgbChecks[] = {
    {pattern, 256, 225, {}, {0.816553478794, 1.972950096169, 0.557479208694}},
    {gradient, 640, 360, {}, {1.879259190147, 2.339496547531, 1.822503943835}},
};

/// Compares the library with the definition in the test.
void expect_check(const RgbCheck &check)
{
    const RgbPair pair = check.pair(check.width, check.height);
    const ButteraugliRgb ref = rgb_of(check.width, check.height, pair.ref),
                         dis = rgb_of(check.width, check.height, pair.dis);
    const std::string what =
        std::to_string(check.width) + "x" + std::to_string(check.height) + ", check " + std::to_string(check.scores[0]);
    expect_scores(test::butteraugli_by_definition(ref, dis, check.parameters).scores, check.scores, 1e-11,
                  "definition of " + what);
    expect_scores(scores_of(ref, dis, check.parameters), check.scores, kTolerance, what);
}

TEST(Butteraugli, RgbPicturesHaveTheChaptersScores)
{
    for (const RgbCheck &check : kRgbChecks)
        expect_check(check);
}

TEST(ButteraugliLarge, RgbPicturesHaveTheChaptersScores)
{
    for (const RgbCheck &check : kLargeRgbChecks)
        expect_check(check);
}

// ---- spec butteraugli 6.3 ----

struct Intermediate {
    const char *name;
    ButteraugliPlaneOf (*plane)(const ButteraugliSteps &);
    double full_corner, full_middle, half_corner, half_middle;
};

using Steps = ButteraugliSteps;
const Intermediate kIntermediates[] = {
    {"xyb X", [](const Steps &s) { return s.xyb[0][0]; }, -0.692673076, 0.205342789, -0.69067551, -0.0727567718},
    {"xyb Y", [](const Steps &s) { return s.xyb[0][1]; }, 67.8636057, 85.6792476, 67.6579905, 84.307066},
    {"xyb B", [](const Steps &s) { return s.xyb[0][2]; }, 36.6989154, 46.5207468, 36.6964578, 47.4683696},
    {"lf X", [](const Steps &s) { return s.lf[0][0]; }, -21.6574007, 19.4758099, -23.7210773, 12.6045045},
    {"lf Y", [](const Steps &s) { return s.lf[0][1]; }, 955.092712, 1435.18258, 990.735544, 1379.30828},
    {"lf B", [](const Steps &s) { return s.lf[0][2]; }, 635.830566, 440.803481, 593.544535, 456.645721},
    {"mf X", [](const Steps &s) { return s.mf[0][0]; }, 0, 0, 0, 0},
    {"mf Y", [](const Steps &s) { return s.mf[0][1]; }, 2.17171965, 8.45973549, -3.35841051, 5.23469585},
    {"mf B", [](const Steps &s) { return s.mf[0][2]; }, 0.0224222081, 2.17710704, -0.0605334892, 1.40737986},
    {"hf X", [](const Steps &s) { return s.hf[0][0]; }, 0, 0, 0, 0},
    {"hf Y", [](const Steps &s) { return s.hf[0][1]; }, -0.121510234, -3.63996942, 8.18679948, 19.2293124},
    {"uhf X", [](const Steps &s) { return s.uhf[0][0]; }, 0, -0.152157929, 0, -0.544951977},
    {"uhf Y", [](const Steps &s) { return s.uhf[0][1]; }, -0.642326525, -43.4815341, -3.6226201, -52.7895126},
    {"Malta of uhf Y", [](const Steps &s) { return s.ultra_y_lines; }, 4.18946553, 87.2043451, 6.11543677, 10.5768464},
    {"Malta in AC_X", [](const Steps &s) { return s.x_lines; }, 0.00371701026, 5.66179697, 0.00297530919, 7.47048089},
    {"Malta in AC_Y", [](const Steps &s) { return s.y_lines; }, 24.2925487, 100.088645, 7.05941225, 17.1106454},
    {"V", [](const Steps &s) { return s.v[0]; }, 0.857344016, 3.23219692, 1.25981504, 3.66059301},
    {"M", [](const Steps &s) { return s.m; }, 0.944906403, 2.37577983, 1.34736465, 2.64099104},
    {"AC", [](const Steps &s) { return s.ac; }, 43.6620506, 126.993523, 8.80114441, 31.0469496},
    {"DC", [](const Steps &s) { return s.dc; }, 0.339869448, 10.153956, 0.306024484, 9.33757773},
    {"E", [](const Steps &s) { return s.e; }, 1.41985173, 1.88454594, 0.584745698, 0.921440175},
};

TEST(Butteraugli, TheDefinitionsStepsAreTheChapters)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    const ButteraugliResult result = test::butteraugli_by_definition(test::planes_of(clip, 0), clip.format(), {});
    for (const Intermediate &e : kIntermediates) {
        const ButteraugliPlaneOf full = e.plane(result.full), half = e.plane(result.half);
        const auto near = [&](double actual, double value) {
            EXPECT_NEAR(actual, value, 1e-8 * std::fabs(value)) << e.name;
        };
        near(full.at(0, 0), e.full_corner);
        near(full.at(88, 72), e.full_middle);
        near(half.at(0, 0), e.half_corner);
        near(half.at(44, 36), e.half_middle);
    }
    EXPECT_NEAR(result.map.at(0, 0), 1.49924682, 1e-8);
    EXPECT_NEAR(result.map.at(88, 72), 2.06258413, 1e-8);
    expect_scores(result.scores, {2.0942648866338356, 4.6016737290291907, 1.708831162303144}, 1e-13, "the clip");
}

// ---- pictures ----

std::string name_of(const PictureFormat &format)
{
    return std::to_string(format.width) + "x" + std::to_string(format.height) + " at " + std::to_string(format.bpc) +
           " bit, format " + std::to_string(format.pix_fmt);
}

std::array<double, 3> scores_of(const FramePlanes &planes, const PictureFormat &format,
                                const test::Options &options = {})
{
    const std::vector<double> scores = Runner(kButteraugli, options).scores(planes, format);
    return {scores.at(0), scores.at(1), scores.at(2)};
}

void expect_definition(const FramePlanes &planes, const PictureFormat &format, double tolerance)
{
    expect_scores(scores_of(planes, format), test::butteraugli_by_definition(planes, format, {}).scores, tolerance,
                  name_of(format));
}

TEST(Butteraugli, EveryDepthAndFormatHasTheScoreOfTheDefinition)
{
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (unsigned bpc = 8; bpc <= 16; ++bpc) {
            const PictureFormat format{pix_fmt, bpc, 17 + bpc, 31 - bpc};
            expect_definition(BlockPair(format, bpc).views(), format, kTolerance);
        }
}

// Blurs whose window is wider than the picture, one resolution and two, full registers and
// remainders of rows.
TEST(Butteraugli, EverySmallSizeHasTheScoreOfTheDefinition)
{
    for (unsigned width = 8; width <= 20; ++width)
        for (unsigned height = 8; height <= 20; height += width % 3 + 1) {
            const PictureFormat format{VMAF_PIX_FMT_YUV444P, 8, width, height};
            expect_definition(BlockPair(format, width * 100 + height).views(), format, kTolerance);
        }
}

// Batches of rows, and segments of columns.
TEST(Butteraugli, SizesAroundTheBatchesHaveTheScoreOfTheDefinition)
{
    for (const auto &[width, height] :
         {std::pair{8U, 95U}, {9U, 96U}, {15U, 97U}, {127U, 16U}, {129U, 15U}, {262U, 8U}}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, width, height};
        expect_definition(BlockPair(format, width).views(), format, kTolerance);
    }
}

TEST(Butteraugli, NearFlatPicturesHaveTheScoreOfTheDefinition)
{
    unsigned seed = 1;
    for (const test::NearFlat kind : test::kNearFlat) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 43, 37};
        expect_definition(test::NearFlatPair(kind, format, ++seed).views(), format, 2e-4);
    }
}

TEST(Butteraugli, PicturesOfOneColourHaveTheClosedForm)
{
    std::mt19937 random(1);
    for (const int side : {8, 14, 15, 24})
        for (const double intensity : {1.0, 80.0, 203.0, 10000.0})
            for (unsigned pair = 0; pair < 25; ++pair) {
                std::array<std::array<double, 3>, 2> colours{};
                ButteraugliRgb rgb[2];
                for (unsigned picture = 0; picture < 2; ++picture)
                    for (unsigned c = 0; c < 3; ++c) {
                        // The library receives a float.
                        colours[picture][c] =
                            static_cast<double>(static_cast<float>(static_cast<double>(random() % 10000) / 9999));
                        rgb[picture][c] = ButteraugliPlaneOf(side, side + 1);
                        std::ranges::fill(rgb[picture][c].values, colours[picture][c]);
                    }
                const double expected = test::butteraugli_of_colours(colours[0], colours[1], side >= 15, intensity);
                expect_scores(scores_of(rgb[0], rgb[1], {intensity, 1}), {expected, expected, expected},
                              intensity <= 203 ? 1e-4 : 3e-4,
                              "side " + std::to_string(side) + ", " + std::to_string(intensity) + " nits");
            }
}

TEST(Butteraugli, IdenticalPicturesAreExactly0)
{
    for (const char *name : {"noise_176x144_8", "tiles_177x145_8", "tiles_256x192_16", "grey_178x146_10"})
        for (const CpuTarget target : test::targets()) {
            FramePlanes planes = test::planes_of(Clip::get(name), 0);
            std::copy_n(planes.ref, 3, planes.dis);
            EXPECT_EQ(Runner(kButteraugli, {}, target).scores(planes, Clip::get(name).format()),
                      (std::vector{0.0, 0.0, 0.0}))
                << name;
        }
}

TEST(Butteraugli, ExchangedPicturesHaveAnotherScore)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 40, 32};
    const BlockPair pair(format, 3);
    FramePlanes exchanged = pair.views();
    std::swap(exchanged.ref, exchanged.dis);
    EXPECT_NE(scores_of(exchanged, format), scores_of(pair.views(), format));
    expect_definition(exchanged, format, kTolerance);
}

TEST(Butteraugli, SumsAreTheSameOnEveryCpuTargetAndEveryTime)
{
    for (const char *name : {"tiles_177x145_8", "grey_178x146_10"}) {
        const Clip &clip = Clip::get(name);
        const ButteraugliSums expected = Runner(kButteraugli, {}, CpuTarget::baseline).sums(name, 0);
        for (const CpuTarget target : test::targets()) {
            const auto feature = kButteraugli.create(test::parse_options(kButteraugli, {}).value());
            const auto extractor = feature->make_cpu(clip.format(), target);
            for (const unsigned frame : {0U, 1U, 0U}) {
                ButteraugliSums sums{};
                ASSERT_TRUE(extractor->extract(test::planes_of(clip, frame), &sums).ok());
                EXPECT_EQ(frame == 0, std::ranges::equal(sums.powers, expected.powers) && sums.max == expected.max)
                    << name << ", frame " << frame << ", target " << static_cast<int>(target);
            }
        }
    }
}

// ---- spec comparison 3, hdr 5 ----

std::vector<double> scores_of_pair(const test::StoredPair &pair, const test::Options &options)
{
    return Runner(kButteraugli, options).scores(pair.planes(), pair.format());
}

void expect_scores_near(const std::vector<double> &actual, const std::vector<double> &expected, double relative,
                        const std::string &what)
{
    for (unsigned i = 0; i < expected.size(); ++i)
        EXPECT_NEAR(actual[i], expected[i], relative * expected[i]) << what << ", output " << i;
}

TEST(Butteraugli, HowTheSamePicturesAreStoredHardlyMatters)
{
    const auto expected = scores_of_pair(test::StoredPair({2, 12}, 96, 80, test::smooth_colour), {{"yuv_matrix", "2"}});
    EXPECT_GT(expected[0], 1) << "the pictures differ";
    for (const unsigned bpc : {8U, 10U})
        for (int matrix = 0; matrix <= 5; ++matrix)
            expect_scores_near(scores_of_pair(test::StoredPair({matrix, bpc}, 96, 80, test::smooth_colour),
                                              {{"yuv_matrix", std::to_string(matrix)}}),
                               expected, bpc == 8 ? 0.06 : 0.03,
                               "matrix " + std::to_string(matrix) + ", " + std::to_string(bpc));
}

TEST(Butteraugli, PicturesInOtherTransfersAndPrimariesScoreAsBefore)
{
    const auto expected = scores_of_pair(test::StoredPair({2, 16}, 96, 80, test::smooth_colour), {{"yuv_matrix", "2"}});
    for (const test::OtherEncoding &encoding : test::kOtherEncodings)
        expect_scores_near(
            scores_of_pair(test::StoredPair({5, 16}, 96, 80, encoding),
                           {{"yuv_matrix", "5"}, {"transfer", encoding.transfer}, {"primaries", encoding.primaries}}),
            expected, 1e-3, std::string(encoding.transfer) + ", " + encoding.primaries);
}

TEST(Butteraugli, RefusesUnknownNamesOfColour)
{
    for (const auto &[option, value] : {std::pair{"transfer", "gamma22"}, {"primaries", "dci"}})
        EXPECT_EQ(kButteraugli.check_options(test::parse_options(kButteraugli, {{option, value}}).value()).code(),
                  -EINVAL)
            << option << value;
}

TEST(Butteraugli, RefusesOptionsOutOfRange)
{
    for (const auto &[option, value] : {std::pair{"yuv_matrix", "-1"},
                                        {"yuv_matrix", "6"},
                                        {"intensity_target", "0.9"},
                                        {"intensity_target", "10001"},
                                        {"intensity_target", "nan"},
                                        {"hf_asymmetry", "0.09"},
                                        {"hf_asymmetry", "10.1"},
                                        {"hf_asymmetry", "inf"}})
        EXPECT_EQ(test::parse_options(kButteraugli, {{option, value}}).status().code(), -EINVAL) << option << value;
}

TEST(Butteraugli, NamesAreTheSameWhateverTheOptions)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    const std::vector<std::string> names{"butteraugli_3norm", "butteraugli_max", "butteraugli_2norm"};
    EXPECT_EQ(test::output_names(kButteraugli, {}, format), names);
    EXPECT_EQ(test::output_names(kButteraugli, {{"intensity_target", "203"}, {"hf_asymmetry", "2"}}, format), names);
    EXPECT_EQ(kButteraugli.min_width_px, 8U);
    EXPECT_EQ(kButteraugli.min_height_px, 8U);
}

} // namespace
} // namespace vmaf
