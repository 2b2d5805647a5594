#include "feature/pu21/pu21.h"

#include <gtest/gtest.h>

#include <numbers>

#include "feature/hdr_oracle.h"
#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

using PsnrRunner = FeatureRunner<Pu21PsnrSums>;
using SsimRunner = FeatureRunner<SsimSums>;
using hdr_oracle::Colour;
using hdr_oracle::Pair;

double pu_of_light(double light)
{
    return on_curve(pu21_curve().curve(), light);
}

TEST(Pu21, LightHasTheChaptersValues)
{
    constexpr std::pair<double, double> kValues[] = {{0.1, 5.71707384},  {1, 36.5439111},   {10, 123.647484},
                                                     {100, 256.383897},  {203, 303.800226}, {1000, 420.096921},
                                                     {4000, 527.493901}, {10000, 595.39392}};
    for (const auto &[light, value] : kValues) {
        EXPECT_NEAR(pu_of_light(light), value, 6e-9 * value) << light;
        EXPECT_NEAR(hdr_oracle::pu(light), value, 6e-9 * value) << light;
    }
    EXPECT_NEAR(pu_of_light(0.005), 5.47e-10, 1e-11);
    for (const double darkest : {0.0, 1e-9, 0.0049})
        EXPECT_EQ(pu_of_light(darkest), pu_of_light(0.005));
    EXPECT_EQ(pu_of_light(20000), pu_of_light(10000));
}

TEST(Pu21, LightIsItsDefinitionEverywhere)
{
    for (double light = 0.004; light < 11000; light *= 1.0003)
        ASSERT_NEAR(pu_of_light(light), hdr_oracle::pu(light), 6e-11) << light;
}

/// Light of a display, as options describe it.
struct Shown : hdr_oracle::Signal {
    double peak = 0, ambient = 0;
};

Options options_of(const Shown &shown)
{
    Options options = hdr_oracle::options_of(shown);
    options.emplace_back("display_peak", std::to_string(shown.peak));
    options.emplace_back("display_ambient", std::to_string(shown.ambient));
    return options;
}

/// Light of a pixel, including what the display reflects (spec hdr 1).
Colour light_of(const TestPicture &picture, const Shown &shown, unsigned x, unsigned y)
{
    const std::string transfer = shown.transfer == "sdr" ? "srgb" : shown.transfer;
    const double usual = transfer == "pq" ? 10000 : transfer == "hlg" ? 1000 : 100;
    const double peak = shown.peak > 0 ? shown.peak : usual;
    const double gamma =
        peak <= 1000 ? 1.2 : 1.2 + 0.42 * std::log10(peak / 1000) - 0.07623 * std::log10(shown.ambient / 5);
    Colour light = hdr_oracle::light(hdr_oracle::encoded(picture, shown.yuv_matrix, x, y), transfer, peak, gamma);
    for (double &value : light)
        value = (transfer == "pq" || transfer == "linear" ? std::max(value, 0.005) : value) +
                0.005 * shown.ambient / std::numbers::pi;
    return light;
}

double luminance_of(const Colour &light, const std::string &primaries, double reflected)
{
    const Colour weights = primaries == "bt2020" ? Colour{0.262700212011267, 0.677998071518871, 0.059301716469862}
                           : primaries == "p3"   ? Colour{0.228974564069749, 0.691738521836506, 0.079286914093745}
                                                 : Colour{0.212639005871510, 0.715168678767756, 0.072192315360734};
    double sum = reflected;
    for (std::size_t i = 0; i < 3; ++i)
        sum += weights[i] * (light[i] - reflected);
    return sum;
}

/// pu() of the luminance, R, G and B of each pixel.
std::vector<std::array<double, 4>> encoded(const TestPicture &picture, const Shown &shown)
{
    const double reflected = 0.005 * shown.ambient / std::numbers::pi;
    std::vector<std::array<double, 4>> values;
    for (unsigned y = 0; y < picture.format().height; ++y)
        for (unsigned x = 0; x < picture.format().width; ++x) {
            const Colour light = light_of(picture, shown, x, y);
            values.push_back({hdr_oracle::pu(luminance_of(light, shown.primaries, reflected)), hdr_oracle::pu(light[0]),
                              hdr_oracle::pu(light[1]), hdr_oracle::pu(light[2])});
        }
    return values;
}

std::array<double, 2> psnr_oracle(const Pair &pair, const Shown &shown)
{
    const auto ref = encoded(pair.ref, shown), dis = encoded(pair.dis, shown);
    double squares[2] = {0, 0};
    for (std::size_t i = 0; i < ref.size(); ++i)
        for (std::size_t value = 0; value < 4; ++value)
            squares[value > 0] += (ref[i][value] - dis[i][value]) * (ref[i][value] - dis[i][value]);
    const double pixels = static_cast<double>(ref.size());
    return {20 * std::log10(256 / std::sqrt(squares[0] / pixels)),
            20 * std::log10(256 / std::sqrt(squares[1] / pixels / 3))};
}

/// spec ssim 3.2 and 3.3 with L = 256, in double precision.
double ssim_oracle(const Pair &pair, const Shown &shown)
{
    constexpr double kTaps[11] = {0.001028, 0.007599, 0.036001, 0.109361, 0.213006, 0.266012,
                                  0.213006, 0.109361, 0.036001, 0.007599, 0.001028};
    constexpr double kC1 = 2.56 * 2.56, kC2 = 7.68 * 7.68, kC3 = kC2 / 2;
    const auto ref = encoded(pair.ref, shown), dis = encoded(pair.dis, shown);
    const unsigned width = pair.ref.format().width, height = pair.ref.format().height;
    double sum = 0;
    for (unsigned y = 0; y + 10 < height; ++y)
        for (unsigned x = 0; x + 10 < width; ++x) {
            double r = 0, d = 0, rr = 0, dd = 0, rd = 0;
            for (unsigned v = 0; v < 11; ++v)
                for (unsigned u = 0; u < 11; ++u) {
                    const std::size_t at = std::size_t{y + v} * width + x + u;
                    const double weight = kTaps[v] * kTaps[u], a = ref[at][0], b = dis[at][0];
                    r += weight * a;
                    d += weight * b;
                    rr += weight * a * a;
                    dd += weight * b * b;
                    rd += weight * a * b;
                }
            const double vr = std::max(rr - r * r, 0.0), vd = std::max(dd - d * d, 0.0), sigma = std::sqrt(vr * vd);
            const double l = (2 * r * d + kC1) / (r * r + d * d + kC1), c = (2 * sigma + kC2) / (vr + vd + kC2);
            sum += l * c * ((rd - r * d + kC3) / (sigma + kC3));
        }
    return sum / ((width - 10.0) * (height - 10.0));
}

void expect_oracles(const PictureFormat &format, const Shown &shown)
{
    const Pair pair(format);
    const std::string trace = std::to_string(format.width) + "x" + std::to_string(format.height) + " at " +
                              std::to_string(format.bpc) + " bit, format " + std::to_string(format.pix_fmt) + ", " +
                              std::to_string(shown.yuv_matrix) + ' ' + shown.transfer + ' ' + shown.primaries + ' ' +
                              std::to_string(shown.peak) + ' ' + std::to_string(shown.ambient);
    const auto expected = psnr_oracle(pair, shown);
    const auto psnr = PsnrRunner(kPu21Psnr, options_of(shown)).scores(pair.planes(), format);
    ASSERT_EQ(psnr.size(), 2U);
    for (unsigned i = 0; i < 2; ++i)
        EXPECT_NEAR(psnr[i], expected[i], 5e-4) << i << ": " << trace;
    if (format.width < kSsimTaps || format.height < kSsimTaps)
        return;
    const auto ssim = SsimRunner(kPu21Ssim, options_of(shown)).scores(pair.planes(), format);
    ASSERT_EQ(ssim.size(), 1U);
    EXPECT_NEAR(ssim[0], ssim_oracle(pair, shown), 1e-5) << trace;
}

TEST(Pu21, ScoresAreTheDefinitionForEverySignal)
{
    for (const char *transfer : {"sdr", "srgb", "bt1886", "pq", "hlg", "linear"})
        for (const char *primaries : {"bt709", "bt2020", "p3"})
            for (int matrix = 0; matrix < 6; ++matrix)
                expect_oracles({VMAF_PIX_FMT_YUV444P, 10, 23, 13}, {{matrix, transfer, primaries}});
}

TEST(Pu21, ScoresAreTheDefinitionForEveryDisplay)
{
    for (const char *transfer : {"sdr", "pq", "hlg"})
        for (const double peak : {0.0, 1.0, 400.0, 1000.0, 1500.0, 10000.0})
            for (const double ambient : {0.0, 10.0, 250.0})
                if (std::string(transfer) != "hlg" || peak <= 1000 || ambient > 0)
                    expect_oracles({VMAF_PIX_FMT_YUV420P, 12, 22, 14}, {{4, transfer, "bt2020"}, peak, ambient});
}

TEST(Pu21, ScoresAreTheDefinitionForEveryFormatAndDepth)
{
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const unsigned bpc : {8U, 10U, 12U, 16U})
            for (const unsigned width : {2U, 11U, 20U})
                for (const unsigned height : {3U, 11U, 12U})
                    expect_oracles({pix_fmt, bpc, width, height}, {{4, "pq", "bt2020"}});
    expect_oracles({VMAF_PIX_FMT_YUV444P, 8, 1, 1}, {});
}

TEST(Pu21, EqualPicturesHaveTheBestScores)
{
    for (const double score : PsnrRunner(kPu21Psnr).scores("same_352x288_8", 1))
        EXPECT_EQ(score, std::numeric_limits<double>::infinity());
    EXPECT_NEAR(SsimRunner(kPu21Ssim).scores("same_352x288_8", 1)[0], 1, 1e-7);
}

TEST(Pu21, EveryProcessorHasTheSameBits)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 67, 13};
    const Pair pair(format);
    for (const char *transfer : {"sdr", "pq", "hlg"}) {
        const Options options = options_of({{4, transfer, "bt2020"}});
        const auto sums = [&](CpuTarget target) {
            const Pu21PsnrSums psnr = PsnrRunner(kPu21Psnr, options, target).sums(pair.planes(), format);
            const SsimSums ssim = SsimRunner(kPu21Ssim, options, target).sums(pair.planes(), format);
            return std::array{psnr.luminance, psnr.rgb, ssim.l, ssim.c, ssim.s, ssim.q};
        };
        const auto expected = sums(CpuTarget::baseline);
        for (const CpuTarget target : targets())
            EXPECT_EQ(sums(target), expected) << transfer << ' ' << name_of(target);
    }
}

TEST(Pu21, RefusesUnknownSignalsAndDisplays)
{
    for (const FeatureSpec *spec : {&kPu21Psnr, &kPu21Ssim}) {
        const auto error_of = [&](const Options &options) {
            return spec->check_options(parse_options(*spec, options).value()).code();
        };
        EXPECT_EQ(error_of({}), 0);
        EXPECT_EQ(error_of({{"transfer", "gamma22"}}), -EINVAL);
        EXPECT_EQ(error_of({{"primaries", "bt601"}}), -EINVAL);
        EXPECT_EQ(error_of({{"display_peak", "0.5"}}), -EINVAL);
        EXPECT_EQ(error_of({{"display_peak", "1"}}), 0);
        EXPECT_EQ(error_of({{"transfer", "hlg"}, {"display_peak", "1001"}}), -EINVAL);
        EXPECT_EQ(error_of({{"transfer", "hlg"}, {"display_peak", "1000"}}), 0);
        EXPECT_EQ(error_of({{"transfer", "hlg"}, {"display_peak", "1001"}, {"display_ambient", "5"}}), 0);
        EXPECT_FALSE(parse_options(*spec, {{"display_ambient", "-1"}}).ok());
        EXPECT_FALSE(parse_options(*spec, {{"display_peak", "nan"}}).ok());
    }
}

} // namespace
} // namespace vmaf::test
