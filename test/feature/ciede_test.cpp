#include "feature/ciede/ciede.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#define VMAF_CPU_TARGET test_target
#include "feature/ciede/ciede_math.h"
#include "feature/ciede/ciede_pixel.h"
#include "feature/feature_runner.h"
#include "support/cpu_targets.h"
#include "support/random.h"
#include "support/same_scores.h"

namespace vmaf::test {
namespace {

using Runner = FeatureRunner<CiedeSums>;

constexpr double kInf = std::numeric_limits<double>::infinity();

// Scores of frames from 0 on (spec ciede 6).
struct Golden {
    const char *clip;
    std::vector<double> frames;
};
const Golden kGoldens[] = {
    {"tiles_176x144_8", {33.756758513433567, 33.537182560398776, 33.593335511242124}},
    {"tiles_352x288_10", {34.004630778084845, 33.672596689034847, 33.563533203571112}},
    {"tiles_256x192_12", {33.734386930234038, 33.582661623586631, 33.591108469679384}},
    {"tiles_256x192_16", {34.420150312081326, 34.301962861668066, 34.319153549930384}},
    {"flat_176x144_8", {kInf, 44.986370863989116, 38.819021806489829}},
    {"noise_176x144_8", {11.240326964124343, 11.240758313221029, 11.20856257975052}},
    {"tiles_640x360_8", {33.80242999778055, 33.585635675735048, 33.508460641010515}},
    {"bands_640x360_8", {59.145174147186843, 59.113332786883944, 59.110961706140188}},
    {"cut_352x288_8", {33.932710952614222, 33.932710952614222, 34.087835277768498}},
    {"same_352x288_8", {kInf}},
    {"tiles_177x145_8", {33.623330942044255, 33.550722466197684, 33.588865341780007, 33.448332600130172}},
};
const Golden kLargeGoldens[] = {
    {"tiles_1920x1080_8", {33.810043618880755, 33.547828724359803, 33.462051252819137}},
    {"tiles_3840x2160_10", {33.877396581142612, 33.599598109118325}},
    {"bands_960x540_10", {57.380201515498129, 57.374649230214395, 57.369284578469546}},
};

void expect_goldens(std::span<const Golden> goldens)
{
    for (const Golden &golden : goldens)
        for (unsigned frame = 0; frame < golden.frames.size(); ++frame)
            EXPECT_TRUE(are_the_scores(Runner(kCiede).scores(golden.clip, frame), std::vector{golden.frames[frame]}))
                << golden.clip << " frame " << frame;
}

TEST(Ciede, ScoresEqualGoldens)
{
    expect_goldens(kGoldens);
}

TEST(CiedeLarge, ScoresEqualGoldens)
{
    expect_goldens(kLargeGoldens);
}

TEST(Ciede, SumsEqualCheckValues)
{
    EXPECT_EQ(Runner(kCiede).sums("tiles_176x144_8", 0).difference, 92477.745633542538);
    EXPECT_EQ(Runner(kCiede).sums("tiles_256x192_16", 0).difference, 166162.7527678255);
    EXPECT_EQ(Runner(kCiede).sums("tiles_256x192_12", 0).difference, 179813.31493143365);
}

TEST(Ciede, SingleColoursEqualCheckValues)
{
    const CiedeRange range = ciede_range(8);
    EXPECT_EQ(ciede_difference({100, 90, 170}, {104, 92, 160}, range), 2.33427262F);
    EXPECT_EQ(ciede_difference({180, 128, 128}, {181, 128, 128}, range), 0.463225156F);
    EXPECT_EQ(ciede_difference({235, 128, 128}, {16, 128, 128}, range), 153.846161F);
}

TEST(Ciede, WritesOneScore)
{
    EXPECT_EQ(output_names(kCiede, {}, {VMAF_PIX_FMT_YUV420P, 8, 64, 64}), std::vector<std::string>{"ciede2000"});
}

TEST(Ciede, RefusesPicturesWithoutChroma)
{
    const Runner runner(kCiede);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV400P, 8, 64, 64}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV420P, 8, 1, 64}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV420P, 8, 64, 1}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV422P, 8, 1, 64}), -EINVAL);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV422P, 8, 64, 1}), 0);
    EXPECT_EQ(runner.format_error({VMAF_PIX_FMT_YUV444P, 8, 1, 1}), 0);
}

TEST(Ciede, RefusesOtherDepths)
{
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const bool accepted = bpc == 8 || bpc == 10 || bpc == 12 || bpc == 16;
        EXPECT_EQ(Runner(kCiede).format_error({VMAF_PIX_FMT_YUV444P, bpc, 64, 64}), accepted ? 0 : -EINVAL) << bpc;
    }
}

/// spec ciede 3.1.
unsigned chroma_at(const TestPicture &picture, unsigned plane, unsigned column, unsigned row)
{
    const PictureFormat &format = picture.format();
    const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
    if (format.pix_fmt == VMAF_PIX_FMT_YUV444P)
        return picture.at(plane, column, row);
    if (format.pix_fmt == VMAF_PIX_FMT_YUV420P)
        return picture.at(plane, std::min(column / 2, width - 1), std::min(row / 2, height - 1));
    const unsigned stored = 32 * ((width + 31) / 32), address = row / 2 * stored + column;
    const unsigned x = address % stored, y = address / stored;
    return y < height && x < width ? picture.at(plane, x, y) : 0;
}

CiedeSample sample_at(const TestPicture &picture, unsigned column, unsigned row)
{
    return {static_cast<int>(picture.at(0, column, row)), static_cast<int>(chroma_at(picture, 1, column, row)),
            static_cast<int>(chroma_at(picture, 2, column, row))};
}

double plain_sum(const TestPicture &ref, const TestPicture &dis)
{
    const PictureFormat &format = ref.format();
    double sum = 0;
    for (unsigned y = 0; y < format.height; ++y)
        for (unsigned x = 0; x < format.width; ++x)
            sum += static_cast<double>(
                ciede_difference(sample_at(ref, x, y), sample_at(dis, x, y), ciede_range(format.bpc)));
    return sum;
}

/// `step`: the largest difference between the pictures.
void expect_plain_sum(const PictureFormat &format, unsigned step, Random &random)
{
    TestPicture ref(format), dis(format);
    ref.fill([&](unsigned, unsigned, unsigned) { return random.below(1U << format.bpc); });
    dis.fill([&](unsigned plane, unsigned x, unsigned y) {
        return std::min(ref.at(plane, x, y) + random.below(step + 1), (1U << format.bpc) - 1);
    });
    const double expected = plain_sum(ref, dis);
    for (const CpuTarget target : targets())
        EXPECT_EQ(Runner(kCiede, {}, target).sums(planes_of(ref, dis), format).difference, expected)
            << format.width << "x" << format.height << " " << format.bpc << " bits, format " << format.pix_fmt
            << ", step " << step << ", target " << static_cast<int>(target) << ", " << random.seed();
}

// The vector loops use other functions than the C library's, but every dE must be the same number.
TEST(Ciede, EveryTargetEqualsTheDefinition)
{
    Random random;
    for (const unsigned bpc : {8, 10, 12, 16})
        for (const unsigned step : {1U, 9U, (1U << bpc) - 1})
            expect_plain_sum({VMAF_PIX_FMT_YUV444P, bpc, 61, 40}, step, random);
}

TEST(Ciede, ChromaIsTakenAsSpecifiedAtOddSizes)
{
    Random random;
    for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const auto &[width, height] : {std::pair{2U, 2U}, {3U, 3U}, {63U, 5U}, {64U, 6U}, {65U, 7U}, {131U, 9U}})
            for (const unsigned bpc : {8, 16})
                expect_plain_sum({pix_fmt, bpc, width, height}, 255, random);
}

/// Largest relative difference to `exact` over random arguments, in units of 2^-53.
template <class Function, class Exact>
double worst_error(const Function &function, const Exact &exact, double low, double high, Random &random)
{
    double worst = 0;
    for (int i = 0; i < 100000; ++i) {
        const double x = random.between(low, high);
        const long double expected = exact(static_cast<long double>(x));
        worst = std::max(worst,
                         static_cast<double>(std::fabs((static_cast<long double>(function(x)) - expected) / expected)));
    }
    return worst * 0x1p53;
}

double arc_tangent2(double y, double x)
{
    double angles[1];
    test_target::arc_tangents2({y}, {x}, angles);
    return angles[0];
}

// The bounds that ciede_math.h states. The loops' margins follow from them.
TEST(Ciede, VectorFunctionsKeepTheirErrorBounds)
{
    Random random;
    const auto tangent = [](long double z) { return std::atan(z); };
    const auto power = [](long double x) { return std::pow(x, 2.4L); };
    const auto root = [](long double x) { return std::cbrt(x); };
    const auto sine = [](long double x) { return std::sin(x); };
    const auto exponential = [](long double x) { return std::exp(x); };
    const auto cube_root = [](double x) {
        double roots[1];
        test_target::cube_roots({x}, roots);
        return roots[0];
    };
    const auto power_2_4 = [](double x) {
        double powers[1];
        test_target::powers_2_4({x}, powers);
        return powers[0];
    };
    EXPECT_LT(worst_error(cube_root, root, 0.008, 20, random), 12) << random.seed();
    EXPECT_LT(worst_error(power_2_4, power, 0.05, 20, random), 20) << random.seed();
    EXPECT_LT(worst_error(test_target::sine, sine, -1.5708, 1.5708, random), 4) << random.seed();
    EXPECT_LT(worst_error(test_target::exponential, exponential, -80, 0, random), 256) << random.seed();
    EXPECT_LT(worst_error(test_target::arc_tangent, tangent, -0.41421356, 0.41421356, random), 8) << random.seed();
    for (int i = 0; i < 100000; ++i) {
        const double x = random.between(-40, 40), y = random.between(-40, 40);
        EXPECT_LT(std::fabs(test_target::angle(x).cosine - std::cos(x)), 0x1p-46) << x;
        EXPECT_LT(std::fabs(test_target::angle(x).sine - std::sin(x)), 0x1p-46) << x;
        const double angle = std::atan2(y, x);
        EXPECT_LT(std::fabs(arc_tangent2(y, x) - angle), 16 * 0x1p-53 * std::fabs(angle)) << y << " " << x;
    }
}

TEST(Ciede, VectorAnglesOfTheAxesAreThoseOfTheLibrary)
{
    for (const double y : {0.0, 1.0, -1.0})
        for (const double x : {0.0, 1.0, -1.0})
            EXPECT_EQ(arc_tangent2(y, x), std::atan2(y, x)) << y << " " << x;
}

// Greys and primaries, for which hue or chroma is 0 and angles are multiples of pi/2.
TEST(Ciede, EveryTargetEqualsTheDefinitionOnExtremeColours)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV444P, 8, 27, 27};
    TestPicture ref(format), dis(format);
    const auto level = [](unsigned digit) { return digit % 3 == 0 ? 0U : digit % 3 == 1 ? 128U : 255U; };
    const auto colour = [&](unsigned plane, unsigned n) { return level(plane == 0 ? n : plane == 1 ? n / 3 : n / 9); };
    ref.fill([&](unsigned plane, unsigned x, unsigned) { return colour(plane, x); });
    dis.fill([&](unsigned plane, unsigned, unsigned y) { return colour(plane, y); });
    for (const CpuTarget target : targets())
        EXPECT_EQ(Runner(kCiede, {}, target).sums(planes_of(ref, dis), format).difference, plain_sum(ref, dis));
}

} // namespace
} // namespace vmaf::test
