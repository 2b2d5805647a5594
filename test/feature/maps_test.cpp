#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "feature/adm/adm.h"
#include "feature/adm/adm_csf.h"
#include "feature/adm_oracle.h"
#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli_oracle.h"
#include "feature/butteraugli_pictures.h"
#include "feature/cambi/cambi.h"
#include "feature/cambi_oracle.h"
#include "feature/cambi_pictures.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_score.h"
#include "feature/cvvdp_oracle.h"
#include "feature/feature_runner.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim_oracle.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2_oracle.h"
#include "feature/vif/vif.h"
#include "feature/vif_oracle.h"

namespace vmaf::test {
namespace {

MetricMap map_of(const FeatureSpec &spec, const FramePlanes &planes, const PictureFormat &format,
                 const Options &options = {})
{
    Result<MetricMap> map = spec.make_map(parse_options(spec, options).value(), format, planes, cpu_target(0));
    EXPECT_TRUE(map.ok());
    EXPECT_EQ(map.value().values.size(), std::size_t{map.value().width_px} * map.value().height_px);
    return std::move(map).value();
}

double mean_of(const MetricMap &map)
{
    return std::accumulate(map.values.begin(), map.values.end(), 0.0) / static_cast<double>(map.values.size());
}

TestPicture picture_of(const Clip &clip, Side side)
{
    TestPicture picture(clip.format());
    picture.fill([&](unsigned plane, unsigned x, unsigned y) -> unsigned {
        const PlaneView view = clip.plane(side, 0, plane);
        return view.bpc > 8 ? view.row<std::uint16_t>(y)[x] : view.row<std::uint8_t>(y)[x];
    });
    return picture;
}

/// 11 x 11 samples of an image, from (x, y) on.
ssim_oracle::Image window_of(const ssim_oracle::Image &image, unsigned x, unsigned y)
{
    ssim_oracle::Image window(kSsimTaps, kSsimTaps);
    for (unsigned v = 0; v < kSsimTaps; ++v)
        for (unsigned u = 0; u < kSsimTaps; ++u)
            window.at(u, v) = image.at(x + u, y + v);
    return window;
}

// A pair of pictures that one window covers has only that position.
TEST(SsimMap, HasTheValueOfEachPositionOfTheWindow)
{
    const Clip &clip = Clip::get("tiles_177x145_8");
    for (const unsigned factor : {1U, 2U, 3U}) {
        const MetricMap map =
            map_of(kFloatSsim, planes_of(clip, 0), clip.format(), {{"scale", std::to_string(factor)}});
        const ssim_oracle::Image ref = ssim_oracle::reduced(ssim_oracle::luma(picture_of(clip, Side::ref)), factor);
        const ssim_oracle::Image dis = ssim_oracle::reduced(ssim_oracle::luma(picture_of(clip, Side::dis)), factor);
        ASSERT_EQ(map.width_px, ref.width - kSsimMargin) << factor;
        ASSERT_EQ(map.height_px, ref.height - kSsimMargin) << factor;
        for (unsigned y = 0; y < map.height_px; y += 7)
            for (unsigned x = 0; x < map.width_px; ++x)
                ASSERT_EQ(map.values[std::size_t{y} * map.width_px + x],
                          static_cast<float>(ssim_oracle::sums(window_of(ref, x, y), window_of(dis, x, y)).q))
                    << factor << ": " << x << ", " << y;
    }
}

TEST(ButteraugliMap, IsThatOfTheDefinition)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 77, 61};
    const BlockPair pair(format, 3);
    const MetricMap map = map_of(kButteraugli, pair.views(), format);
    const ButteraugliPlaneOf expected = butteraugli_by_definition(pair.views(), format, {}).map;
    ASSERT_EQ(map.values.size(), expected.values.size());
    for (std::size_t i = 0; i < map.values.size(); ++i)
        ASSERT_NEAR(static_cast<double>(map.values[i]), expected.values[i], 2e-3) << i;
}

/// Steps of one sample, in bands that are wider than a window's pixel.
LumaPlane banded(unsigned width, unsigned height)
{
    LumaPlane plane(width, height, 10);
    plane.fill([](unsigned x, unsigned y) { return 300 + (x / 23 + y / 31) % 5; });
    return plane;
}

TEST(CambiMap, AddsTheCValuesOfAllScales)
{
    const LumaPlane plane = banded(323, 201); // odd at every scale
    FramePlanes planes;
    planes.dis[0] = plane.view();
    const MetricMap map = map_of(kCambi, planes, plane.format());
    const CambiOracle oracle = cambi_oracle(plane.view());
    ASSERT_EQ(map.width_px, 323U);
    ASSERT_EQ(map.height_px, 201U);
    double largest = 0;
    for (unsigned y = 0; y < map.height_px; ++y)
        for (unsigned x = 0; x < map.width_px; ++x) {
            double expected = 0;
            for (unsigned scale = 0; scale < oracle.scales.size(); ++scale) {
                const CambiOracleScale &of = oracle.scales[scale];
                const std::size_t at = std::size_t{y >> scale} * static_cast<unsigned>(of.width) + (x >> scale);
                expected += static_cast<double>(of.c[at]) * std::ldexp(16.0, -static_cast<int>(scale));
            }
            expected /= oracle.window * oracle.window;
            largest = std::max(largest, expected);
            ASSERT_NEAR(map.values[std::size_t{y} * map.width_px + x], expected, 1e-5) << x << ", " << y;
        }
    EXPECT_GT(largest, 1);
}

TEST(CambiMap, HasTheScoreAsItsMeanWhereAllPixelsArePooled)
{
    const LumaPlane plane = banded(320, 208); // multiples of 16: each value of a scale has as many pixels
    FramePlanes planes;
    planes.dis[0] = plane.view();
    const MetricMap map = map_of(kCambi, planes, plane.format(), {{"topk", "1"}, {"full_ref", "false"}});
    const double score = FeatureRunner<CambiSums>(kCambi, {{"topk", "1"}}).scores(planes, plane.format())[0];
    EXPECT_GT(score, 1);
    EXPECT_NEAR(mean_of(map), score, 1e-6 * score);
}

/// Score of a weighted sum (spec ssimulacra2 3.7).
double ssimulacra2_of(double q)
{
    const double p = 2.326765642916932 * q - 0.020884521182843837 * q * q + 6.248496625763138e-05 * q * q * q;
    return p > 0 ? 100 - 10 * std::pow(p, 0.6276336467831387) : 100;
}

// Sides are multiples of 32: each pixel of a scale stands for the same number of pixels of the map.
TEST(Ssimulacra2Map, HasTheSumThatMakesTheScoreAsItsMean)
{
    for (const PictureFormat format :
         {PictureFormat{VMAF_PIX_FMT_YUV420P, 8, 160, 128}, PictureFormat{VMAF_PIX_FMT_YUV400P, 10, 128, 160},
          PictureFormat{VMAF_PIX_FMT_YUV444P, 8, 64, 32}}) {
        const BlockPair pair(format, 5);
        const double expected =
            ssimulacra2_score(ssimulacra2_by_definition(pair.views(), format, 0), format.width, format.height);
        const MetricMap map = map_of(kSsimulacra2, pair.views(), format);
        ASSERT_EQ(map.values.size(), std::size_t{format.width} * format.height);
        EXPECT_LT(expected, 90);
        EXPECT_NEAR(ssimulacra2_of(mean_of(map)), expected, 2e-3) << format.width;
    }
}

TEST(Ssimulacra2Map, HasItsErrorsWhereThePicturesDiffer)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 256, 256};
    TestPicture ref(format), dis(format);
    ref.fill([](unsigned, unsigned x, unsigned y) { return 60 + (x * 7 + y * 13) % 41; });
    dis.fill([](unsigned plane, unsigned x, unsigned y) {
        const bool differs = plane == 0 && x >= 200 && x < 208 && y >= 40 && y < 48;
        return differs ? 220 : 60 + (x * 7 + y * 13) % 41;
    });
    const MetricMap map = map_of(kSsimulacra2, planes_of(ref, dis), format);
    const auto largest = std::ranges::max_element(map.values) - map.values.begin();
    EXPECT_NEAR(static_cast<double>(largest % 256), 204, 8);
    EXPECT_NEAR(static_cast<double>(largest / 256), 44, 8);
    EXPECT_EQ(map.values[200 * 256 + 20], 0) << "out of reach of every scale's blur";
}

/// The term of one pixel (spec vif 3.6).
double vif_den(const VifScaleSums &sums)
{
    return static_cast<double>(sums.log_den) / 2048 + static_cast<double>(sums.low_count);
}
double vif_loss(const VifScaleSums &sums)
{
    const double low = static_cast<double>(sums.low_var2) / 16384 / 65025;
    const double num = static_cast<double>(sums.log_num) / 2048 + (static_cast<double>(sums.low_count) - low);
    return vif_den(sums) - num;
}

TEST(VifMap, HasWhatEachPixelLosesOverTheMeanInformation)
{
    const Clip &clip = Clip::get("tiles_177x145_8"); // no smaller scale has its last column and row
    const MetricMap map = map_of(kVif, planes_of(clip, 0), clip.format());
    const VifOracle oracle = vif_oracle(clip.plane(Side::ref, 0, 0), clip.plane(Side::dis, 0, 0), 100);
    std::vector<double> expected(map.values.size());
    ASSERT_EQ(expected.size(), 177U * 145U);
    for (unsigned scale = 0; scale < kVifScales; ++scale) {
        const VifOracleMoments &of = oracle.moments[scale];
        const double mean_den = vif_den(oracle.sums.scale[scale]) / (of.s1.width * of.s1.height);
        for (int y = 0; y < 145; ++y)
            for (int x = 0; x < 177; ++x) {
                const int u = std::min(x >> scale, of.s1.width - 1), v = std::min(y >> scale, of.s1.height - 1);
                VifScaleSums sums{};
                add_oracle_pixel(of.s1.at(u, v), of.s2.at(u, v), of.s12.at(u, v), 100, sums);
                expected[static_cast<std::size_t>(y * 177 + x)] += vif_loss(sums) / mean_den / kVifScales;
            }
    }
    for (std::size_t i = 0; i < expected.size(); ++i)
        ASSERT_NEAR(static_cast<double>(map.values[i]), expected[i], 2e-6) << i % 177 << ", " << i / 177;
    EXPECT_GT(*std::ranges::max_element(map.values), 0.1F);
}

TEST(VifMap, HasTheMeanOfTheScalesScores)
{
    const Clip &clip = Clip::get("tiles_352x288_10"); // sides are multiples of 8
    for (const char *skip : {"false", "true"}) {
        const Options options{{"vif_skip_scale0", skip}};
        const std::vector<double> scores = FeatureRunner<VifSums>(kVif, options).scores("tiles_352x288_10", 0);
        const MetricMap map = map_of(kVif, planes_of(clip, 0), clip.format(), options);
        const double scales = skip[0] == 't' ? 3 : 4;
        EXPECT_NEAR(1 - mean_of(map), std::accumulate(scores.begin(), scores.end(), 0.0) / scales, 1e-6) << skip;
    }
}

AdmPlane adm_plane_of(const PlaneView &view)
{
    AdmPlane plane(view.width_px, view.height_px);
    for (unsigned y = 0; y < view.height_px; ++y)
        for (unsigned x = 0; x < view.width_px; ++x)
            plane.at(x, y) = view.bpc > 8 ? view.row<std::uint16_t>(y)[x] : view.row<std::uint8_t>(y)[x];
    return plane;
}

TEST(AdmMap, IsMadeOfTheCubesOfEachPlace)
{
    for (const char *name : {"tiles_177x145_8", "tiles_352x288_10"}) {
        const Clip &clip = Clip::get(name);
        AdmPlaces places;
        AdmSums sums{};
        const AdmParams params = adm_params(parse_options(kAdm, {}).value(), clip.format());
        ASSERT_TRUE(make_adm_cpu(params, cpu_target(0), &places)->extract(planes_of(clip, 0), &sums).ok());
        AdmOracleCubes expected;
        adm_oracle(adm_plane_of(clip.plane(Side::ref, 0, 0)), adm_plane_of(clip.plane(Side::dis, 0, 0)),
                   {.bpc = clip.format().bpc, .csf = *adm_csf({AdmCsfMode::watson, 3, 1080, 1, 1})}, &expected);
        for (unsigned scale = 0; scale < kAdmScales; ++scale)
            for (unsigned band = 0; band < kAdmBands; ++band) {
                const std::vector<std::int64_t> &num = expected.num[scale][band].samples,
                                                &den = expected.den[scale][band].samples;
                ASSERT_EQ(places[scale].size(), num.size()) << name << ' ' << scale;
                for (std::size_t i = 0; i < num.size(); ++i) {
                    ASSERT_EQ(places[scale][i].num[band], static_cast<std::uint64_t>(num[i])) << scale << ": " << i;
                    ASSERT_EQ(places[scale][i].den[band], static_cast<std::uint64_t>(den[i])) << scale << ": " << i;
                }
            }
    }
}

TEST(AdmMap, HasTheDetailThatAdm2LosesAsItsMean)
{
    const Clip &clip = Clip::get("tiles_352x288_10"); // sides are multiples of 16
    for (const Options &options : {Options{}, Options{{"adm_skip_scale0", "true"}}, Options{{"adm_noise_weight", "0"}},
                                   Options{{"adm_enhn_gain_limit", "1"}, {"adm_csf_mode", "1"}}}) {
        const double adm2 = FeatureRunner<AdmSums>(kAdm, options).scores("tiles_352x288_10", 0)[0];
        const MetricMap map = map_of(kAdm, planes_of(clip, 0), clip.format(), options);
        ASSERT_EQ(map.values.size(), 352U * 288U);
        EXPECT_LT(adm2, 0.99);
        EXPECT_NEAR(1 - mean_of(map), adm2, 2e-6);
    }
}

TEST(AdmMap, HasItsLossWhereDetailIsLost)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 256, 256};
    const auto texture = [](unsigned x, unsigned y) { return 60 + (x * 37 + y * 91) % 127; };
    TestPicture ref(format), dis(format);
    ref.fill([&](unsigned, unsigned x, unsigned y) { return texture(x, y); });
    dis.fill([&](unsigned, unsigned x, unsigned y) {
        return x >= 160 && x < 176 && y >= 64 && y < 80 ? 120 : texture(x, y);
    });
    const MetricMap map = map_of(kAdm, planes_of(ref, dis), format);
    const auto largest = std::ranges::max_element(map.values) - map.values.begin();
    EXPECT_NEAR(static_cast<double>(largest % 256), 168, 12);
    EXPECT_NEAR(static_cast<double>(largest / 256), 72, 12);
    EXPECT_EQ(map.values[10], 0) << "the margin is not summed";
}

// Sides are powers of two: each pixel of a band stands for the same number of pixels of the map.
TEST(CvvdpMap, HasTheDifferenceThatMakesTheScoreAsItsMean)
{
    for (const PictureFormat format :
         {PictureFormat{VMAF_PIX_FMT_YUV420P, 8, 256, 128}, PictureFormat{VMAF_PIX_FMT_YUV444P, 10, 128, 256}}) {
        const BlockPair pair(format, 5);
        const CvvdpDefinition exact = cvvdp_by_definition({cvvdp_pair(pair.views(), format, {})}, {});
        const MetricMap map = map_of(kCvvdp, pair.views(), format);
        ASSERT_EQ(map.values.size(), std::size_t{format.width} * format.height);
        EXPECT_LT(exact.clip, 9.5);
        EXPECT_NEAR(cvvdp_jod(mean_of(map)), exact.clip, 1e-4);
        for (const float value : map.values)
            ASSERT_GE(value, 0);
    }
}

TEST(CvvdpMap, HasItsDifferencesWhereThePicturesDiffer)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 256, 256};
    TestPicture ref(format), dis(format);
    ref.fill([](unsigned plane, unsigned x, unsigned y) { return plane == 0 ? 80 + (x * 7 + y * 13) % 41 : 128; });
    dis.fill([](unsigned plane, unsigned x, unsigned y) {
        const bool differs = plane == 0 && x >= 200 && x < 216 && y >= 40 && y < 56;
        return differs ? 180 : plane == 0 ? 80 + (x * 7 + y * 13) % 41 : 128;
    });
    const MetricMap map = map_of(kCvvdp, planes_of(ref, dis), format);
    const auto largest = std::ranges::max_element(map.values) - map.values.begin();
    EXPECT_NEAR(static_cast<double>(largest % 256), 208, 14);
    EXPECT_NEAR(static_cast<double>(largest / 256), 48, 14);
    EXPECT_LT(map.values[200 * 256 + 20], map.values[static_cast<std::size_t>(largest)] / 100);
}

} // namespace
} // namespace vmaf::test
