#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "feature/common/gaussian_taps.h"
#include "feature/common/mirror.h"
#include "feature/common/prescale.h"
#include "feature/speed/speed_plane.h"
#include "feature/speed_check_values.h"
#include "feature/speed_session.h"
#include "support/cpu_targets.h"
#include "support/random.h"

// Steps of spec speed 3 by themselves: intermediate values, and the resampler compared with a
// direct computation.

namespace vmaf::test::speed {
namespace {

// --- Mirror, taps (spec speed 3.3).

TEST(Mirror, ReflectsWithoutTheEdgeAsOftenAsItTakes)
{
    const unsigned expected[] = {1, 0, 1, 2, 3, 2, 1, 0, 1, 2, 3, 2, 1};
    for (int i = -7; i <= 5; ++i)
        EXPECT_EQ(mirror(i, 4), expected[i + 7]) << i;
    EXPECT_EQ(mirror(-3, 1), 0U);
    EXPECT_EQ(mirror(2, 1), 0U);
}

TEST(GaussianTaps, CountsOfEveryKernelScale)
{
    struct Row {
        double scale;
        unsigned t1, t2;
    };
    const Row rows[] = {{1, 9, 3},         {0.5, 5, 3},       {1.5, 15, 3},        {2, 19, 5},       {2.0 / 3, 7, 3},
                        {2.4, 23, 5},      {0.711111, 7, 3},  {360.0 / 97, 35, 9}, {4.0 / 3, 13, 3}, {3.5 / 3, 11, 3},
                        {3.75 / 3, 13, 3}, {4.25 / 3, 13, 3}, {5.0 / 3, 15, 5},    {0.74074, 7, 3},  {3, 27, 7},
                        {1 / 2.25, 5, 3},  {1.4746, 15, 3},   {1.54, 15, 5},       {1.6, 15, 5},     {1.06667, 11, 3},
                        {1.111111, 11, 3}};
    for (const Row &row : rows) {
        EXPECT_TRUE(is_valid_kernel_scale(row.scale)) << row.scale;
        EXPECT_TRUE(is_valid_kernel_scale(row.scale + 9e-4)) << row.scale;
        EXPECT_EQ(odd_tap_count(9 * static_cast<float>(row.scale)), row.t1) << row.scale;
        EXPECT_EQ(odd_tap_count(2 * static_cast<float>(row.scale)), row.t2) << row.scale;
    }
    for (const double scale : {0.1, 0.55, 1.2, 1.0011, 2.5, 4.0, std::nan("")})
        EXPECT_FALSE(is_valid_kernel_scale(scale)) << scale;
}

TEST(GaussianTaps, EqualTheChapter)
{
    const std::vector<float> f1{0x1.35db8cp-4F, 0x1.95ed7p-4F,  0x1.ec4b3cp-4F, 0x1.1459bp-3F, 0x1.1f3866p-3F,
                                0x1.1459bp-3F,  0x1.ec4b3cp-4F, 0x1.95ed7p-4F,  0x1.35db8cp-4F};
    EXPECT_EQ(gaussian_taps(9, static_cast<float>(18 / 5.0)), f1);
    const std::vector<float> f2{0x1.54be42p-3F, 0x1.55a0dep-1F, 0x1.54be42p-3F};
    EXPECT_EQ(gaussian_taps(3, 3.0F / 5), f2);
}

// --- Resampling (spec speed 3.2), written down directly.

using Picture = std::vector<std::vector<float>>;

float kernel(PrescaleMethod method, float distance)
{
    const float t = std::abs(distance);
    if (method == PrescaleMethod::bicubic)
        return t < 1 ? (1.25F * t - 2.25F) * t * t + 1 : t < 2 ? (((t - 5) * t + 8) * t - 4) * -0.75F : 0;
    if (t == 0)
        return 1;
    const double pi = std::numbers::pi, d = distance;
    return t < 4 ? static_cast<float>(((4 * std::sin(pi * d)) * std::sin((pi * d) / 4)) / (((pi * pi) * d) * d)) : 0;
}

struct Position {
    Position(unsigned x, float ratio) : at(static_cast<float>((x + 0.5) * ratio - 0.5)) {}
    int low() const { return static_cast<int>(std::floor(at)); }
    int high() const { return static_cast<int>(std::ceil(at)); }
    float at;
};

float bilinear(const Picture &p, const Position &y, const Position &x)
{
    const auto height = static_cast<unsigned>(p.size()), width = static_cast<unsigned>(p[0].size());
    const unsigned x1 = mirror(x.low(), width), x2 = mirror(x.high(), width);
    const unsigned y1 = mirror(y.low(), height), y2 = mirror(y.high(), height);
    const float dx = x.at - static_cast<float>(x1), dy = y.at - static_cast<float>(y1);
    return (1 - dy) * (1 - dx) * p[y1][x1] + (1 - dy) * dx * p[y1][x2] + dy * (1 - dx) * p[y2][x1] +
           dy * dx * p[y2][x2];
}

float by_kernel(PrescaleMethod method, const Picture &p, const Position &y, const Position &x)
{
    const int first = method == PrescaleMethod::bicubic ? -1 : -4, last = method == PrescaleMethod::bicubic ? 2 : 4;
    const float dx = x.at - static_cast<float>(x.low()), dy = y.at - static_cast<float>(y.low());
    float sum = 0, weights = 0;
    for (int j = first; j <= last; ++j)
        for (int i = first; i <= last; ++i) {
            const float weight =
                kernel(method, static_cast<float>(i) - dx) * kernel(method, static_cast<float>(j) - dy);
            sum += p[mirror(y.low() + j, static_cast<unsigned>(p.size()))]
                    [mirror(x.low() + i, static_cast<unsigned>(p[0].size()))] *
                   weight;
            weights += weight;
        }
    return method == PrescaleMethod::lanczos4 ? sum / weights : sum;
}

float resampled(PrescaleMethod method, const Picture &p, unsigned y, unsigned x, const PictureSize &to)
{
    const float rx = static_cast<float>(p[0].size()) / static_cast<float>(to.width_px);
    const float ry = static_cast<float>(p.size()) / static_cast<float>(to.height_px);
    if (method == PrescaleMethod::nearest)
        return p[static_cast<unsigned>(static_cast<float>(y) * ry)][static_cast<unsigned>(static_cast<float>(x) * rx)];
    if (method == PrescaleMethod::bilinear)
        return bilinear(p, Position(y, ry), Position(x, rx));
    return by_kernel(method, p, Position(y, ry), Position(x, rx));
}

void expect_resampled(PrescaleMethod method, const PictureSize &from, double factor, Random &random)
{
    const PictureSize to = prescaled_size(from, factor);
    Picture picture(from.height_px, std::vector<float>(from.width_px));
    std::vector<float> samples;
    for (std::vector<float> &row : picture)
        for (float &sample : row)
            samples.push_back(sample = static_cast<float>(random.between(-128, 128)));
    for (const CpuTarget target : targets()) {
        Prescaler prescaler(method, from, to, target);
        std::vector<float> row(to.width_px);
        for (unsigned y = 0; y < to.height_px; ++y) {
            prescaler.row(samples.data(), from.width_px, y, row.data());
            for (unsigned x = 0; x < to.width_px; ++x)
                ASSERT_EQ(row[x], resampled(method, picture, y, x, to))
                    << "method " << static_cast<int>(method) << ", factor " << factor << ", sample " << x << ", " << y;
        }
    }
}

TEST(Prescaler, EveryMethodEqualsTheDirectComputation)
{
    Random random;
    SCOPED_TRACE(random.seed());
    for (const auto method :
         {PrescaleMethod::nearest, PrescaleMethod::bilinear, PrescaleMethod::bicubic, PrescaleMethod::lanczos4}) {
        for (const double factor : {0.1, 0.5, 0.6, 1.3, 2.0, 4.0})
            expect_resampled(method, {30 + random.below(40), 20 + random.below(10)}, factor, random);
        expect_resampled(method, {2, 3}, 4, random); // shorter than a kernel
    }
}

TEST(Prescaler, SizesAreRounded)
{
    EXPECT_EQ(prescaled_size({960, 541}, 0.6), (PictureSize{576, 325}));
    EXPECT_EQ(prescaled_size({3, 5}, 0.5), (PictureSize{2, 3}));
    EXPECT_EQ(prescaled_size({100, 100}, std::nan("")), (PictureSize{0, 0}));
}

// --- Intermediate values (spec speed 6.3): 9 digits identify the float.

SpeedOptions options_of(const Options &options)
{
    return speed_chroma_options(parse(kSpeedChroma, options).value());
}

SpeedGeometry geometry_of(const PlaneView &plane, const SpeedOptions &options)
{
    return SpeedGeometry({plane.width_px, plane.height_px}, options.prescale);
}

/// A plane of a clip's frame 0 and the chapter's values for it, for every CPU target.
class Intermediate {
  public:
    Intermediate(const SpeedSource &source, const Options &options, CpuTarget target)
        : parsed(options_of(options)), geometry(geometry_of(source.plane, parsed)), low_pass(geometry, parsed, target),
          blocks(geometry)
    {
        low_pass.run(source);
        SpeedPlaneModel model(geometry, parsed, target);
        model.fit(source, blocks);
        make_covariance();
        const SpeedMatrixLoops &loops = select_kSpeedMatrixLoops(target);
        SpeedMatrix destroyed = covariance;
        loops.tridiagonalise(destroyed, diagonal.data(), subdiagonal.data());
        eigenvalues = diagonal;
        SpeedVector rest = subdiagonal;
        EXPECT_TRUE(iterate_to_eigenvalues(eigenvalues, rest));
        SpeedMatrix g;
        loops.decompose(covariance, g, triangle);
    }

    SpeedOptions parsed;
    SpeedGeometry geometry;
    SpeedLowPass low_pass;
    SpeedBlocks blocks;
    SpeedVector means{};
    SpeedMatrix covariance{};
    SpeedVector diagonal{}, subdiagonal{}, eigenvalues{};
    SpeedMatrix triangle{};

  private:
    float element(unsigned p, unsigned y, unsigned x) const { return low_pass.row(y + p / 5)[x + p % 5]; }

    /// spec speed 3.5, one element after another.
    void make_covariance()
    {
        const auto count = static_cast<float>(geometry.window_count());
        for (unsigned p = 0; p < 25; ++p) {
            for (unsigned y = 0; y < geometry.windows_y(); ++y)
                for (unsigned x = 0; x < geometry.windows_x(); ++x)
                    means[p] += element(p, y, x);
            means[p] /= count;
        }
        for (unsigned p = 0; p < 25; ++p)
            for (unsigned q = 0; q < 25; ++q) {
                double sum = 0;
                for (unsigned y = 0; y < geometry.windows_y(); ++y)
                    for (unsigned x = 0; x < geometry.windows_x(); ++x)
                        sum += (double{element(p, y, x)} - double{means[p]}) *
                               (double{element(q, y, x)} - double{means[q]});
                covariance.at[p][q] = static_cast<float>(sum / double{count});
            }
    }
};

void expect_start(const float *values, const std::vector<float> &expected, const char *what)
{
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_EQ(values[i], expected[i]) << what << " " << i;
}

SpeedSource chroma_u(const char *clip, Side side)
{
    return {Clip::get(clip).plane(side, 0, 1), {}};
}

TEST(SpeedSteps, EqualTheChapterForSetA)
{
    for (const CpuTarget target : targets()) {
        SCOPED_TRACE(static_cast<int>(target));
        const Intermediate ref(chroma_u("tiles_640x360_8", Side::ref), kSetA, target);
        EXPECT_EQ(ref.geometry.reduced, (PictureSize{20, 11}));
        EXPECT_EQ(ref.geometry.blocks_x, 4U);
        EXPECT_EQ(ref.geometry.blocks_y, 2U);
        EXPECT_EQ(ref.geometry.window_count(), 96U);
        expect_start(ref.low_pass.row(0), {-9.3742981F, -9.09031677F, 13.9008217F, -3.35569382F, -15.8829002F},
                     "A row 0");
        expect_start(ref.low_pass.row(1), {6.04449844F, -1.80873871F, -4.88695145F, 5.41197586F, 2.73399734F},
                     "A row 1");
        expect_start(ref.means.data(), {-0.300881416F, -0.28766346F, -0.147928789F, -0.246790662F, -0.176257089F}, "m");
        EXPECT_EQ(ref.means[24], 0.498081714F);
        expect_start(ref.covariance.at[0],
                     {42.5006485F, -5.93020821F, -11.3979034F, 20.538559F, -10.1914883F, -9.45206547F}, "K_0");
        expect_start(ref.covariance.at[24] + 20, {-1.58712077F, 3.38036084F, 1.13063967F, -2.20096469F, 32.9150887F},
                     "K_24");
        expect_start(ref.diagonal.data(), {42.5006485F, 52.828064F, 42.8670731F, 56.6755486F, 39.3542976F, 33.8205795F},
                     "d");
        EXPECT_EQ(ref.diagonal[24], 20.6117802F);
        expect_start(ref.subdiagonal.data(),
                     {30.4572601F, -16.1293068F, -17.1632786F, -16.2535934F, 15.2046824F, 12.456953F}, "e");
        EXPECT_EQ(ref.subdiagonal[23], 1.23646426F);
        expect_start(ref.eigenvalues.data(),
                     {84.3978043F, 72.4646912F, 62.6893845F, 49.1805038F, 43.3983269F, 43.8557549F, 36.4002647F,
                      35.2449989F, 33.972538F,  32.9561539F, 10.0653963F, 29.7816429F, 11.972621F,  12.1273737F,
                      13.6679535F, 12.8435268F, 14.9626598F, 17.0518723F, 26.8408222F, 25.5393047F, 23.7513065F,
                      22.9463482F, 21.435009F,  20.4156857F, 19.9540348F},
                     "l");
        const float expected_r[] = {-52.2871742F, -46.5092392F, -36.5968628F, -29.1062508F, -28.1386776F, -25.5706367F};
        for (unsigned i = 0; i < 6; ++i)
            EXPECT_EQ(ref.triangle.at[i][i], expected_r[i]) << i;
        EXPECT_EQ(ref.triangle.at[24][24], 21.6747494F);
        expect_start(ref.blocks.variance.data(),
                     {0.970467806F, 1.22716296F, 1.02899504F, 0.769709587F, 0.952195585F, 1.99401367F, 0.823728561F,
                      0.630523264F},
                     "S");
        expect_start(
            ref.blocks.entropy.data(),
            {219.564819F, 227.964493F, 221.659332F, 211.286209F, 218.885193F, 245.378784F, 213.707092F, 204.177734F},
            "E");

        const Intermediate dis(chroma_u("tiles_640x360_8", Side::dis), kSetA, target);
        expect_start(
            dis.blocks.variance.data(),
            {1.01273656F, 1.2031734F, 1.04076409F, 0.786767185F, 0.94489491F, 2.00839734F, 0.829675257F, 0.634161472F},
            "dis S");
        expect_start(
            dis.blocks.entropy.data(),
            {220.01976F, 226.185822F, 220.996155F, 211.001404F, 217.540909F, 244.562057F, 212.896347F, 203.318741F},
            "dis E");
        const SpeedPlaneScore score = speed_plane_score(ref.blocks, dis.blocks, ref.parsed);
        EXPECT_EQ(double{score.score}, 1.1431236267089844);
        EXPECT_EQ(score.bad, 0U);
    }
}

TEST(SpeedSteps, EqualTheChapterForADifferenceOfFrames)
{
    const Clip &clip = Clip::get("tiles_640x360_8");
    for (const CpuTarget target : targets()) {
        SCOPED_TRACE(static_cast<int>(target));
        const Intermediate ref({clip.plane(Side::ref, 0, 0), clip.plane(Side::ref, 1, 0)}, {}, target);
        expect_start(ref.low_pass.row(0), {2.34235644F, 1.18375278F, -6.23805571F, 10.4416914F, 3.32365513F}, "A");
        expect_start(ref.covariance.at[0],
                     {78.9721756F, -31.6294193F, -25.6441307F, 69.2928543F, -27.7374763F, -72.1464996F}, "K_0");
        expect_start(ref.eigenvalues.data(),
                     {1016.23676F, 694.056274F, 116.842789F, 20.8809261F, 20.344902F, 18.0946064F}, "l");
        expect_start(ref.blocks.variance.data(), {1.02609181F, 0.975239813F, 0.916451335F, 0.845341623F}, "S");
        expect_start(ref.blocks.entropy.data(), {191.766541F, 190.037506F, 187.928543F, 185.199539F}, "E");
    }
}

TEST(SpeedSteps, EqualTheChapterForASingularPlane)
{
    const Intermediate ref(chroma_u("tiles_352x288_10", Side::ref), kSetA, cpu_target(0));
    expect_start(ref.eigenvalues.data(),
                 {664.38623F, 542.930786F, 116.174072F, 154.186234F, 97.4978867F, 6.79558798e-05F, -6.33288582e-05F,
                  -3.41846098e-05F, 2.48687575e-05F},
                 "l");
    EXPECT_TRUE(ref.blocks.singular);
    expect_start(ref.blocks.variance.data(), {0, 0}, "S");
    expect_start(ref.blocks.entropy.data(), {42.4565582F, 42.4565582F}, "E");
}

// 1080p is tested in suite full only.
TEST(SpeedStepsLarge, EqualTheChapterForSetB)
{
    const Intermediate ref(chroma_u("tiles_1920x1080_8", Side::ref), kSetB, cpu_target(0));
    EXPECT_EQ(ref.geometry.prescaled, (PictureSize{576, 324}));
    expect_start(ref.low_pass.row(0), {-14.8614502F, 10.1889992F, -14.0523605F, 18.4858818F, -20.8419037F}, "A");
    expect_start(ref.means.data(), {-0.0712324008F, -0.0582332537F, -0.0433929972F, -0.0394506752F, -0.0541223958F},
                 "m");
    expect_start(ref.covariance.at[0], {72.4905167F, -57.3479767F, 46.6287003F, -34.8102379F, 18.2421875F, 12.8577271F},
                 "K_0");
    expect_start(ref.eigenvalues.data(), {592.332764F, 481.170654F, 136.985672F, 115.477509F, 39.0092735F, 28.1493587F},
                 "l");
    expect_start(ref.blocks.variance.data(), {1.20000732F, 1.0945214F, 1.07584059F, 0.98643285F}, "S");
    expect_start(ref.blocks.entropy.data(), {220.250717F, 216.970901F, 216.357697F, 213.268951F}, "E");
    EXPECT_EQ(ref.blocks.variance[27], 0.699120402F);
    EXPECT_EQ(ref.blocks.entropy[27], 201.051666F);
}

// --- Logarithms (spec speed 3.7, 3.8).

TEST(SpeedLogarithms, NearestIsWithinHalfAUnitOfTheLastPlace)
{
    std::mt19937_64 random(1);
    for (int i = 0; i < 200'000; ++i) {
        const double fraction = static_cast<double>(random() >> 11) * 0x1p-53;
        const int exponent = static_cast<int>(random() % 40);
        const double x =
            i % 3 == 0 ? 1 + std::ldexp(fraction - 0.5, -exponent) : std::ldexp(1 + fraction, exponent - 20);
        const double nearest = speed_nearest_log2(x);
        int place = 0;
        std::frexp(nearest, &place);
        // A long double has 11 more bits.
        EXPECT_LE(std::abs(std::log2(static_cast<long double>(x)) - nearest), 0.501L * std::ldexp(1.0L, place - 53))
            << x;
    }
    EXPECT_EQ(speed_nearest_log2(1), 0);
    EXPECT_EQ(speed_nearest_log2(0x1p-30), -30);
}

/// Allowed results of a library's logarithm.
std::array<double, 5> near(double log2)
{
    const double up = std::nextafter(log2, 100), down = std::nextafter(log2, -100);
    return {log2, up, down, std::nextafter(up, 100), std::nextafter(down, -100)};
}

/// In the middle of two floats.
double above(float value)
{
    return (static_cast<double>(value) + static_cast<double>(std::nextafter(value, INFINITY))) / 2;
}

// The sums and products are nearly half way between two floats. In the plain formulas, the last
// places of the C library's results decide.
TEST(SpeedLogarithms, OfAnyLibraryGiveTheSameFloats)
{
    std::mt19937_64 random(1);
    unsigned different_sums = 0, different_products = 0;
    for (int i = 0; i < 20'000; ++i) {
        const float argument =
            std::ldexp(0.5F + static_cast<float>(random() >> 40) * 0x1p-25F, static_cast<int>(random() % 16) - 3);
        const double log2 = std::log2(static_cast<double>(argument)), term = log2 + kSpeedGaussianBits;
        const auto bits = static_cast<float>(above(static_cast<float>(term)) - term);
        const auto sum = static_cast<float>(bits + (speed_nearest_log2(argument) + kSpeedGaussianBits));
        const float entropy = static_cast<float>(random() >> 40) * 0x1p-16F + 1, weighted = entropy * 1.25F;
        const double weight = std::exp2(above(weighted) / entropy), weight_log2 = std::log2(weight);
        const auto product = static_cast<float>(entropy * speed_nearest_log2(weight));
        for (const double n : near(log2)) {
            different_sums += static_cast<float>(bits + (n + kSpeedGaussianBits)) != sum ? 1 : 0;
            ASSERT_EQ(speed_add_bits(bits, argument, n), sum) << argument;
        }
        for (const double n : near(weight_log2)) {
            different_products += static_cast<float>(entropy * n) != product ? 1 : 0;
            ASSERT_EQ(speed_weighted(entropy, weight, n), product) << weight;
        }
    }
    EXPECT_GT(different_sums, 1000U);
    EXPECT_GT(different_products, 1000U);
}

TEST(SpeedLogarithms, OfWhatIsNotPositiveStayAsTheyAre)
{
    EXPECT_TRUE(std::isnan(speed_add_bits(3, -1, std::log2(-1.0))));
    EXPECT_EQ(speed_add_bits(3, 0, std::log2(0.0)), -INFINITY);
    EXPECT_EQ(speed_add_bits(3, INFINITY, INFINITY), INFINITY);
    EXPECT_TRUE(std::isnan(speed_weighted(3, -1, std::log2(-1.0))));
    EXPECT_EQ(speed_weighted(3, 0, std::log2(0.0)), -INFINITY);
    EXPECT_EQ(speed_weighted(3, 1, 0), 0);
}

} // namespace
} // namespace vmaf::test::speed
