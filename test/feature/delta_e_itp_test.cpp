#include "feature/delta_e_itp/delta_e_itp.h"

#include <gtest/gtest.h>

#include <numeric>

#include "feature/delta_e_itp/delta_e_itp_pixel.h"
#include "feature/hdr_oracle.h"
#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

using Runner = FeatureRunner<DeltaEItpSums>;
using hdr_oracle::Colour;
using hdr_oracle::Pair;
using hdr_oracle::Signal;

double difference_of(const Colour &a, const Colour &b)
{
    const auto itp = [](const Colour &light) {
        return itp_of_light(delta_e_itp_curve().curve(), light[0], light[1], light[2]);
    };
    return static_cast<double>(delta_e_itp(itp(a), itp(b)));
}

TEST(DeltaEItp, PixelsHaveTheChaptersDifferences)
{
    struct Check {
        Colour a, b;
        double difference;
    };
    for (const Check &check : {Check{{100, 100, 100}, {101, 100, 100}, 0.816852699},
                               {{100, 100, 100}, {100, 101, 100}, 0.878532528},
                               {{100, 100, 100}, {100, 100, 101}, 0.514266097},
                               {{1, 1, 1}, {1.1, 1, 1}, 4.07333186},
                               {{1000, 200, 50}, {990, 210, 50}, 5.30924126}}) {
        EXPECT_NEAR(difference_of(check.a, check.b), check.difference, 6e-8 * check.difference); // a binary32 value
        EXPECT_NEAR(hdr_oracle::delta_e_itp(check.a, check.b), check.difference, 1e-9 * check.difference);
    }
}

TEST(DeltaEItp, PqOfLightIsItsDefinitionFromBlackOn)
{
    const LightCurve pq = delta_e_itp_curve().curve();
    EXPECT_NEAR(on_curve(pq, 0), hdr_oracle::pq(0), 1e-15);
    for (double light = 1.1 * pq.least; light <= pq.most; light *= 1.0013)
        ASSERT_NEAR(on_curve(pq, light), hdr_oracle::pq(light), 2e-13) << light;
}

double peak_of(const std::string &transfer)
{
    return transfer == "pq" ? 10000 : transfer == "hlg" ? 1000 : 100;
}

/// The mean, and the smallest difference that at least 95 % of the pixels do not exceed.
std::array<double, 2> oracle(const Pair &pair, const Signal &signal)
{
    const std::string transfer = signal.transfer == "sdr" ? "bt1886" : signal.transfer;
    const PictureFormat &format = pair.ref.format();
    std::vector<double> differences;
    for (unsigned y = 0; y < format.height; ++y)
        for (unsigned x = 0; x < format.width; ++x) {
            const auto light = [&](const TestPicture &picture) {
                const Colour rgb = hdr_oracle::encoded(picture, signal.yuv_matrix, x, y);
                return hdr_oracle::to_bt2020(hdr_oracle::light(rgb, transfer, peak_of(transfer)), signal.primaries);
            };
            differences.push_back(hdr_oracle::delta_e_itp(light(pair.ref), light(pair.dis)));
        }
    std::ranges::sort(differences);
    const double pixels = static_cast<double>(differences.size());
    return {std::accumulate(differences.begin(), differences.end(), 0.0) / pixels,
            differences[static_cast<std::size_t>(std::ceil(0.95 * pixels - 1e-9)) - 1]};
}

// A binary32 component is off by 1e-7. Delta E has 720 times PQ's slope of that.
constexpr double kTolerance = 5e-5;

void expect_oracle(const PictureFormat &format, const Signal &signal)
{
    const Pair pair(format);
    const auto expected = oracle(pair, signal);
    const auto scores = Runner(kDeltaEItp, hdr_oracle::options_of(signal)).scores(pair.planes(), format);
    ASSERT_EQ(scores.size(), 2U);
    for (unsigned i = 0; i < 2; ++i)
        EXPECT_NEAR(scores[i], expected[i], kTolerance * std::max(expected[i], 1.0))
            << i << ": " << format.width << "x" << format.height << " at " << format.bpc << " bit, format "
            << format.pix_fmt << ", " << signal.yuv_matrix << ' ' << signal.transfer << ' ' << signal.primaries;
}

TEST(DeltaEItp, IsTheDefinitionForEverySignal)
{
    for (const char *transfer : {"sdr", "srgb", "bt1886", "pq", "hlg", "linear"})
        for (const char *primaries : {"bt709", "bt2020", "p3"})
            for (int matrix = 0; matrix < 6; ++matrix)
                expect_oracle({VMAF_PIX_FMT_YUV444P, 10, 24, 9}, {matrix, transfer, primaries});
}

TEST(DeltaEItp, IsTheDefinitionForEveryFormatAndDepth)
{
    for (const VmafPixelFormat pix_fmt :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const unsigned bpc : {8U, 10U, 12U, 16U})
            for (const unsigned width : {2U, 31U, 32U})
                for (const unsigned height : {2U, 7U, 8U})
                    expect_oracle({pix_fmt, bpc, width, height}, {4, "pq", "bt2020"});
    expect_oracle({VMAF_PIX_FMT_YUV444P, 8, 1, 1}, {});
}

TEST(DeltaEItp, EqualPicturesDoNotDiffer)
{
    for (const double score : Runner(kDeltaEItp).scores("same_352x288_8", 1))
        EXPECT_EQ(score, 0);
}

// The percentile is 0 exactly if at least 95 % of the pixels are equal.
TEST(DeltaEItp, ThePercentileIsOneOfThePixels)
{
    for (const unsigned pixels : {1U, 2U, 19U, 20U, 21U, 39U, 40U, 41U, 100U, 101U})
        for (unsigned differing = 0; differing <= std::min(pixels, 8U); ++differing) {
            const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, pixels, 1};
            TestPicture ref(format), dis(format);
            ref.fill([](unsigned, unsigned, unsigned) { return 100; });
            dis.fill([&](unsigned, unsigned x, unsigned) { return x * 7 % pixels < differing ? 120 : 100; });
            const unsigned differ = [&] {
                unsigned count = 0;
                for (unsigned x = 0; x < pixels; ++x)
                    count += dis.at(0, x, 0) != 100;
                return count;
            }();
            const auto scores = Runner(kDeltaEItp).scores(planes_of(ref, dis), format);
            EXPECT_EQ(scores[1] == 0, (pixels - differ) * 20 >= pixels * 19) << differ << " of " << pixels;
            if (differ > 0) {
                EXPECT_NEAR(scores[0] * pixels / differ, scores[1] > 0 ? scores[1] : scores[0] * pixels / differ, 1e-5);
            }
        }
}

TEST(DeltaEItp, EveryProcessorHasTheSameBits)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 67, 13};
    const Pair pair(format);
    for (const char *transfer : {"sdr", "srgb", "pq"}) {
        const Options options = hdr_oracle::options_of({4, transfer, "bt2020"});
        const DeltaEItpSums expected = Runner(kDeltaEItp, options, CpuTarget::baseline).sums(pair.planes(), format);
        for (const CpuTarget target : targets()) {
            const DeltaEItpSums sums = Runner(kDeltaEItp, options, target).sums(pair.planes(), format);
            EXPECT_EQ(sums.sum, expected.sum) << transfer;
            EXPECT_EQ(sums.percentile, expected.percentile) << transfer;
        }
    }
}

TEST(DeltaEItp, RefusesUnknownSignals)
{
    const auto error_of = [](const Options &options) {
        return kDeltaEItp.check_options(parse_options(kDeltaEItp, options).value()).code();
    };
    EXPECT_EQ(error_of({}), 0);
    EXPECT_EQ(error_of({{"transfer", "gamma22"}}), -EINVAL);
    EXPECT_EQ(error_of({{"primaries", "bt601"}}), -EINVAL);
    EXPECT_FALSE(parse_options(kDeltaEItp, {{"yuv_matrix", "6"}}).ok());
}

} // namespace
} // namespace vmaf::test
