#include "feature/psnr_hvs/psnr_hvs.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "feature/feature_runner.h"
#include "feature/psnr_hvs/psnr_hvs_csf.h"
#include "feature/psnr_hvs/psnr_hvs_cuda_params.h"
#include "support/cpu_targets.h"
#include "support/random.h"
#include "support/same_scores.h"

namespace vmaf::test {
namespace {

using Runner = FeatureRunner<PsnrHvsSums>;

constexpr double kInf = std::numeric_limits<double>::infinity();

// spec psnr_hvs 6
struct Golden {
    const char *clip;
    unsigned frame;
    std::array<double, 4> scores;
};
constexpr Golden kGoldens[] = {
    {"tiles_176x144_8", 0, {36.93245438368087, 38.775257618594601, 38.026987208308313, 37.186674927061077}},
    {"tiles_176x144_8", 1, {37.373348228913727, 39.156879303520256, 38.267367144307016, 37.606568694789509}},
    {"tiles_176x144_8", 2, {38.113194774460801, 38.613772028252988, 38.23481205646474, 38.172876566752116}},
    {"tiles_177x145_8", 0, {36.901938196635527, 38.648053389582046, 38.054138285084022, 37.154098053171758}},
    {"tiles_177x145_8", 1, {37.281902691390925, 39.131726594061163, 38.461610294346443, 37.543566898303837}},
    {"tiles_177x145_8", 2, {38.009806077087603, 38.329805760841481, 38.443321519328869, 38.082518965740761}},
    {"tiles_352x288_10", 0, {37.288468576393626, 38.932119359469944, 38.29662092959537, 37.521415724686157}},
    {"tiles_352x288_10", 1, {37.99758186944878, 39.1300834506836, 38.665386016200273, 38.16225225273584}},
    {"tiles_352x288_10", 2, {38.050183284003019, 39.668371315881856, 39.663949380084773, 38.32881186397691}},
    {"tiles_256x192_12", 0, {37.468671984633502, 39.301633123889218, 38.650953188286572, 37.729372482456014}},
    {"tiles_256x192_12", 1, {37.788535117375282, 39.845657241125402, 39.364186690731003, 38.095106079884339}},
    {"tiles_256x192_12", 2, {38.148518388075864, 39.950249329707496, 39.836675150833727, 38.445812569726897}},
    {"flat_176x144_8", 0, {kInf, kInf, kInf, kInf}},
    {"flat_176x144_8", 1, {46.442583134308634, 42.504988680508959, 41.943657502543687, 45.20611263588993}},
    {"flat_176x144_8", 2, {39.083004147959286, 35.957820581296161, 37.082897567975401, 38.424017652109768}},
    {"noise_176x144_8", 0, {9.4985043324889809, 10.48535273602451, 9.8943460837346784, 9.6264811919184741}},
    {"noise_176x144_8", 1, {9.3925156452940328, 10.348525806703924, 9.9055185242852879, 9.5288290815703718}},
    {"noise_176x144_8", 2, {9.4293526389536488, 10.158760429032419, 10.069173885596019, 9.5578723618035468}},
    {"tiles_640x360_8", 0, {36.720572040546465, 37.741242639482714, 37.211946654445313, 36.860212892977756}},
    {"tiles_640x360_8", 1, {37.344505782191362, 38.442324042133642, 37.997695053869798, 37.505087696671843}},
    {"tiles_640x360_8", 2, {37.488413801301235, 38.540834472083681, 38.07762270731304, 37.639573950584534}},
    {"bands_640x360_8", 0, {48.294545751281959, 49.009835061358686, 48.685144222529459, 48.399098031761767}},
    {"bands_640x360_8", 1, {48.339818868012543, 48.913955192174463, 48.658720330034264, 48.425180185073543}},
    {"bands_640x360_8", 2, {48.323754333287205, 49.072025005348863, 48.73594652931024, 48.433180669471696}},
    {"bands_960x540_10", 0, {49.749067075130071, 49.14961629117709, 48.603140562234202, 49.557923507038581}},
    {"bands_960x540_10", 1, {49.750586554391774, 49.140454436701219, 48.618283969649298, 49.559962872380787}},
    {"bands_960x540_10", 2, {49.741818556924954, 49.15125072923253, 48.624875919457068, 49.555251300822583}},
    {"cut_352x288_8", 0, {36.752496389629258, 38.154953512704004, 37.521576622031986, 36.947130317762529}},
    {"cut_352x288_8", 1, {36.752496389629258, 38.154953512704004, 37.521576622031986, 36.947130317762529}},
    {"cut_352x288_8", 2, {37.238009021994209, 38.432762719004572, 38.084054788451674, 37.42322702685901}},
};
constexpr Golden kLargeGoldens[] = {
    {"tiles_1920x1080_8", 0, {36.548527604392731, 37.608536518390643, 37.112604806479531, 36.698025517705631}},
    {"tiles_1920x1080_8", 1, {37.391976831987712, 38.334775429573071, 37.962266505503315, 37.532414887289484}},
    {"tiles_1920x1080_8", 2, {37.380378571916772, 38.4777475584714, 38.050271626837151, 37.542412919206086}},
    {"tiles_3840x2160_10", 0, {37.019797419700822, 38.071123528797393, 37.729278405398681, 37.181605741682773}},
    {"tiles_3840x2160_10", 1, {37.953274355641462, 39.091162990210236, 38.799956051884777, 38.134012602891076}},
};

void expect_goldens(std::span<const Golden> goldens)
{
    for (const Golden &golden : goldens) {
        const std::vector<double> scores = Runner(kPsnrHvs).scores(golden.clip, golden.frame);
        EXPECT_TRUE(are_the_scores(scores, golden.scores)) << golden.clip << " frame " << golden.frame;
    }
}

TEST(PsnrHvs, ScoresEqualGoldens)
{
    expect_goldens(kGoldens);
}

TEST(PsnrHvsLarge, ScoresEqualGoldens)
{
    expect_goldens(kLargeGoldens);
}

TEST(PsnrHvs, IdenticalPicturesAreInfinitelyGood)
{
    for (const double score : Runner(kPsnrHvs).scores("same_352x288_8", 1))
        EXPECT_EQ(score, kInf);
}

TEST(PsnrHvs, AccumulatorsEqualCheckValues)
{
    const std::pair<const char *, std::array<float, 3>> checks[] = {
        {"tiles_176x144_8", {421681.844F, 66208.8125F, 78657.9922F}},
        {"tiles_256x192_12", {186847312.0F, 61257708.0F, 71158824.0F}},
    };
    for (const auto &[clip, expected] : checks)
        for (unsigned plane = 0; plane < 3; ++plane)
            EXPECT_EQ(Runner(kPsnrHvs).sums(clip, 0).accumulator[plane], expected[plane]) << clip << " " << plane;
}

TEST(PsnrHvs, MaskWeightsEqualCheckValues)
{
    const float expected[3][3] = {{0.791918159F, 0.0553825237F, 0.00179667596F},
                                  {0.914283812F, 0.0970742032F, 0.0131872371F},
                                  {1.04043567F, 0.090498358F, 0.0122939274F}};
    for (unsigned plane = 0; plane < 3; ++plane) {
        EXPECT_EQ(kHvsWeights[plane].mask[8 * 0 + 1], expected[plane][0]);
        EXPECT_EQ(kHvsWeights[plane].mask[8 * 3 + 4], expected[plane][1]);
        EXPECT_EQ(kHvsWeights[plane].mask[8 * 7 + 7], expected[plane][2]);
    }
}

// spec psnr_hvs 5: T / M on a GPU. The exponent of T does not matter.
TEST(PsnrHvsLarge, QuotientsByInversesAreRoundedForEveryMask)
{
    std::set<float> masks;
    for (const HvsWeights &weights : kHvsWeights)
        masks.insert(weights.mask + 1, std::end(weights.mask));
    for (const float mask : masks) {
        const float inverse = 1 / mask;
        unsigned wrong = 0;
        for (std::uint32_t mantissa = 0; mantissa < 1U << 23; ++mantissa) {
            const auto threshold = std::bit_cast<float>(0x3f800000U | mantissa);
            wrong += hvs_quotient(threshold, mask, inverse) != threshold / mask;
        }
        EXPECT_EQ(wrong, 0U) << mask;
    }
}

TEST(PsnrHvs, WritesPlanesThenTheCombination)
{
    EXPECT_EQ(output_names(kPsnrHvs, {}, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}),
              (std::vector<std::string>{"psnr_hvs_y", "psnr_hvs_cb", "psnr_hvs_cr", "psnr_hvs"}));
}

// The luma's score does not depend on the chroma: the goldens of 4:2:0 are those of 4:0:0.
TEST(PsnrHvs, OfGreyPicturesWritesTheScoreOfTheLuma)
{
    for (const char *name : {"tiles_177x145_8", "tiles_352x288_10", "tiles_256x192_12"}) {
        const Clip &clip = Clip::get(name);
        PictureFormat grey = clip.format();
        grey.pix_fmt = VMAF_PIX_FMT_YUV400P;
        FramePlanes planes;
        planes.ref[0] = test::planes_of(clip, 0).ref[0];
        planes.dis[0] = test::planes_of(clip, 0).dis[0];
        const Runner runner(kPsnrHvs);
        const std::vector<double> scores = runner.scores(planes, grey);
        ASSERT_EQ(scores.size(), 1U) << name;
        EXPECT_EQ(scores[0], runner.scores(name, 0)[0]) << name;
        EXPECT_TRUE(std::isfinite(scores[0])) << name;
    }
    EXPECT_EQ(output_names(kPsnrHvs, {}, {VMAF_PIX_FMT_YUV400P, 8, 64, 64}), std::vector<std::string>{"psnr_hvs_y"});
}

TEST(PsnrHvs, RefusesDeepPictures)
{
    const Runner runner(kPsnrHvs);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV400P, 13, 64, 64}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV400P, 8, 64, 64}), 0);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV420P, 13, 64, 64}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV420P, 16, 64, 64}), -EINVAL);
    for (const unsigned bpc : {8, 9, 10, 11, 12})
        EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV444P, bpc, 1, 1}), 0);
}

// A plain version of spec psnr_hvs 3.1 to 3.4, one block after another.

using Block = std::array<std::array<int, 8>, 8>;
using Line = std::array<int, 8>;

Line transformed(const Line &x)
{
    const auto r = [](int a, int m, int s) { return (a * m + (1 << (s - 1))) >> s; };
    Line u{};
    u[1] = x[0] - x[7];
    const int k1 = u[1] / 2;
    u[0] = x[0] - k1;
    u[4] = x[1] + x[6];
    const int k4 = u[4] / 2;
    u[5] = x[6] - k4;
    u[3] = x[2] - x[5];
    u[2] = x[2] - u[3] / 2;
    u[6] = x[3] + x[4];
    const int k6 = u[6] / 2;
    u[7] = k6 - x[4];
    u[0] += k6, u[6] = u[0] - u[6], u[2] = k4 - u[2], u[4] = u[2] - u[4];
    u[0] -= r(u[4], 13573, 15), u[4] += r(u[0], 11585, 14), u[0] -= r(u[4], 13573, 15);
    u[6] -= r(u[2], 21895, 15), u[2] += r(u[6], 15137, 14), u[6] -= r(u[2], 21895, 15);
    u[3] += r(u[5], 19195, 15), u[5] += r(u[3], 11585, 14), u[3] -= r(u[5], 7489, 13);
    u[7] = u[5] / 2 - u[7], u[5] -= u[7], u[3] = k1 - u[3], u[1] -= u[3];
    u[7] += r(u[1], 3227, 15), u[1] -= r(u[7], 6393, 15), u[7] += r(u[1], 3227, 15);
    u[5] += r(u[3], 2485, 13), u[3] -= r(u[5], 18205, 15), u[5] += r(u[3], 2485, 13);
    return u;
}

Block transposed(const Block &block)
{
    Block result;
    for (unsigned i = 0; i < 8; ++i)
        for (unsigned j = 0; j < 8; ++j)
            result[j][i] = block[i][j];
    return result;
}

Block transformed_rows(Block block)
{
    for (Line &row : block)
        row = transformed(row);
    return block;
}

Block transformed(const Block &block)
{
    return transformed_rows(transposed(transformed_rows(transposed(block))));
}

float deviation(const Block &p, unsigned i0, unsigned j0, unsigned side)
{
    float sum = 0, result = 0;
    for (unsigned n = 0; n < side * side; ++n)
        sum += static_cast<float>(p[i0 + n / side][j0 + n % side]);
    const float mean = sum / static_cast<float>(side * side);
    for (unsigned n = 0; n < side * side; ++n) {
        const float d = static_cast<float>(p[i0 + n / side][j0 + n % side]) - mean;
        result += d * d;
    }
    return result * ((1 / static_cast<float>(side * side - 1)) * static_cast<float>(side * side));
}

float mask_of(const Block &p, const Block &x, const HvsWeights &weights)
{
    float ratio = deviation(p, 0, 0, 8);
    if (ratio > 0)
        ratio =
            (((deviation(p, 0, 0, 4) + deviation(p, 4, 0, 4)) + deviation(p, 0, 4, 4)) + deviation(p, 4, 4, 4)) / ratio;
    float sum = 0;
    for (unsigned k = 1; k < 64; ++k)
        sum += static_cast<float>(x[k / 8][k % 8] * x[k / 8][k % 8]) * weights.mask[k];
    return std::sqrt(sum * ratio) / 32;
}

float plain_accumulator(const TestPicture &ref, const TestPicture &dis, unsigned plane)
{
    const HvsWeights &weights = kHvsWeights[plane];
    const auto block_of = [plane](const TestPicture &picture, unsigned x, unsigned y) {
        Block block;
        for (unsigned i = 0; i < 8; ++i)
            for (unsigned j = 0; j < 8; ++j)
                block[i][j] = static_cast<int>(picture.at(plane, x + j, y + i));
        return block;
    };
    const int width = static_cast<int>(ref.format().plane_width(plane));
    const int height = static_cast<int>(ref.format().plane_height(plane));
    float accumulator = 0;
    for (int y = 0; y < height - 7; y += 7)
        for (int x = 0; x < width - 7; x += 7) {
            const Block r = block_of(ref, static_cast<unsigned>(x), static_cast<unsigned>(y));
            const Block d = block_of(dis, static_cast<unsigned>(x), static_cast<unsigned>(y));
            const Block xr = transformed(r), xd = transformed(d);
            const float threshold = std::max(mask_of(r, xr, weights), mask_of(d, xd, weights));
            for (unsigned k = 0; k < 64; ++k) {
                float e = static_cast<float>(std::abs(xr[k / 8][k % 8] - xd[k / 8][k % 8]));
                if (k > 0) {
                    const float t = threshold / weights.mask[k];
                    e = e < t ? 0 : e - t;
                }
                accumulator += (e * weights.csf[k]) * (e * weights.csf[k]);
            }
        }
    return accumulator;
}

TEST(PsnrHvs, PlainTransformEqualsCheckValues)
{
    EXPECT_EQ(transformed(Line{1, 2, 4, 8, 16, 32, 64, 128}), (Line{90, -97, 54, -30, 18, -10, 6, -3}));
    EXPECT_EQ(transformed(Line{-7, 100, -35, 3, 255, -255, 90, 11}), (Line{57, 33, -25, -47, 128, -94, -270, 210}));
    EXPECT_EQ(transformed(Line{100, 100, 100, 100, 100, 100, 100, 100}), (Line{283}));
    Block p;
    for (int n = 0; n < 64; ++n)
        p[static_cast<unsigned>(n / 8)][static_cast<unsigned>(n % 8)] = (7 * n * n + 13 * n) % 256;
    const Block x = transformed(p);
    EXPECT_EQ(x[0], (Line{1055, -9, -5, -74, 152, -84, 157, -13}));
    EXPECT_EQ(x[1], (Line{-35, -63, -62, -12, 90, -87, -111, -42}));
    EXPECT_EQ(x[7], (Line{-11, 21, -31, -7, -61, 37, -98, 55}));
}

TEST(PsnrHvs, EveryTargetEqualsThePlainVersionAtEverySize)
{
    Random random;
    for (const CpuTarget target : targets())
        for (const unsigned bpc : {8, 9, 10, 11, 12})
            for (const auto &[width, height] :
                 {std::pair{16U, 16U}, {17U, 30U}, {115U, 22U}, {128U, 23U}, {241U, 16U}}) {
                const PictureFormat format{bpc % 2 == 0 ? VMAF_PIX_FMT_YUV420P : VMAF_PIX_FMT_YUV444P, bpc, width,
                                           height};
                TestPicture ref(format), dis(format);
                ref.fill(
                    [&](unsigned, unsigned x, unsigned) { return (x % 40 < 20 ? 0 : random()) & ((1U << bpc) - 1); });
                dis.fill([&](unsigned plane, unsigned x, unsigned y) {
                    return random.below(4) == 0 ? random.below(1U << bpc) : ref.at(plane, x, y);
                });
                const PsnrHvsSums sums = Runner(kPsnrHvs, {}, target).sums(planes_of(ref, dis), format);
                for (unsigned plane = 0; plane < 3; ++plane)
                    EXPECT_EQ(sums.accumulator[plane], plain_accumulator(ref, dis, plane))
                        << width << "x" << height << " " << bpc << " bits, plane " << plane << ", target "
                        << static_cast<int>(target) << ", " << random.seed();
            }
}

/// 4095 where basis function (i, j) is positive and 0 elsewhere, or the reverse.
void fill_with_basis(TestPicture &picture, unsigned i, unsigned j, bool inverse)
{
    const auto wave = [](unsigned n, unsigned frequency) {
        return std::cos((2.0 * n + 1) * frequency * std::numbers::pi / 16);
    };
    picture.fill(
        [&](unsigned, unsigned x, unsigned y) { return (wave(y, i) * wave(x, j) > 0) != inverse ? 4095U : 0U; });
}

// The largest numbers that 12 bits can give (spec psnr_hvs 5).
TEST(PsnrHvs, TheTransformOfBlackAndWhiteDoesNotOverflow)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV444P, 12, 8, 8};
    TestPicture ref(format), dis(format);
    for (const CpuTarget target : targets())
        for (unsigned k = 0; k < 64; ++k)
            for (const bool inverse : {false, true}) {
                fill_with_basis(ref, k / 8, k % 8, inverse);
                fill_with_basis(dis, k / 8, (k + 1) % 8, inverse);
                EXPECT_EQ(Runner(kPsnrHvs, {}, target).sums(planes_of(ref, dis), format).accumulator[0],
                          plain_accumulator(ref, dis, 0))
                    << k << ", target " << static_cast<int>(target);
            }
}

TEST(PsnrHvs, PlanesSmallerThanABlockHaveNoScore)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 15, 15};
    TestPicture ref(format), dis(format);
    dis.fill([](unsigned, unsigned x, unsigned y) { return x + y; });
    const std::vector<double> scores = Runner(kPsnrHvs).scores(planes_of(ref, dis), format);
    EXPECT_TRUE(std::isfinite(scores[0]));
    for (unsigned i = 1; i < 4; ++i)
        EXPECT_TRUE(std::isnan(scores[i])) << i;
}

TEST(PsnrHvs, SamplesAboveTheDepthCountAsTheLargest)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 30, 30};
    TestPicture over(format), clipped(format), dis(format);
    over.fill([](unsigned, unsigned x, unsigned y) { return (x * y) % 3 == 0 ? 65535 - x : 7 * x; });
    clipped.fill([&](unsigned plane, unsigned x, unsigned y) { return std::min(over.at(plane, x, y), 1023U); });
    EXPECT_EQ(Runner(kPsnrHvs).scores(planes_of(over, dis), format),
              Runner(kPsnrHvs).scores(planes_of(clipped, dis), format));
}

} // namespace
} // namespace vmaf::test
