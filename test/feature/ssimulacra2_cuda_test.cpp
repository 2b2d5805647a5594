#include <gtest/gtest.h>

#include <cstring>

#include "feature/make_cuda.h"
#include "feature/near_flat_pictures.h"
#include "feature/ssimulacra2/ssimulacra2.h"
#include "feature/ssimulacra2/ssimulacra2_cuda_params.h"
#include "feature/stored_rgb.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::HostPlane;
using test::parse_options;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;

test::Options matrix_option(const char *yuv_matrix)
{
    return {{"yuv_matrix", yuv_matrix}};
}

std::unique_ptr<CudaExtractor> make_extractor(const TestGpu &gpu, const PictureFormat &format, unsigned max_batch,
                                              const char *yuv_matrix = "0")
{
    return test::make_cuda(gpu, kSsimulacra2Cuda, format, matrix_option(yuv_matrix), max_batch);
}

double score_of(const Ssimulacra2Sums &sums, const PictureFormat &format)
{
    return ssimulacra2_score(sums, format.width, format.height);
}

double cpu_score(const FramePlanes &pair, const PictureFormat &format, const char *yuv_matrix = "0")
{
    return test::FeatureRunner<Ssimulacra2Sums>(kSsimulacra2, matrix_option(yuv_matrix)).scores(pair, format)[0];
}

/// spec ssimulacra2 5.3, 5.7.
double tolerance(double score)
{
    return score < 99.8 ? std::max(3e-4, 2e-5 * (100 - score)) : 1e-3;
}

void expect_cpu_score(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair,
                      const PlaneLayout &layout = {}, const char *yuv_matrix = "0")
{
    const DevicePair device(gpu, pair, layout);
    const auto extractor = make_extractor(gpu, format, 1, yuv_matrix);
    const double expected = cpu_score(pair, format, yuv_matrix);
    const double score = score_of(test::run_batch<Ssimulacra2Sums>(gpu, *extractor, {device.frame()})[0], format);
    EXPECT_NEAR(score, expected, tolerance(expected))
        << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt;
}

/// A smooth picture, and a copy with noise of some percent, so all maps have ordinary values.
class SmoothPair {
  public:
    SmoothPair(const PictureFormat &format, unsigned seed)
    {
        std::mt19937 random(seed);
        const double peak = (1U << format.bpc) - 1;
        for (unsigned plane = 0; plane < format.plane_count(); ++plane)
            for (unsigned side = 0; side < 2; ++side) {
                planes_.push_back(
                    std::make_unique<HostPlane>(format.plane_width(plane), format.plane_height(plane), format.bpc));
                planes_.back()->fill([&](unsigned x, unsigned y) {
                    const double wave = 0.5 + 0.3 * std::sin(0.13 * x + seed) * std::cos(0.07 * y + plane);
                    return wave * peak + side * static_cast<double>(random() % 100) / 100 * 0.05 * peak;
                });
                (side == 0 ? pair_.ref : pair_.dis)[plane] = planes_.back()->view();
            }
    }

    const FramePlanes &views() const { return pair_; }

  private:
    std::vector<std::unique_ptr<HostPlane>> planes_;
    FramePlanes pair_;
};

void expect_cpu_score_of_waves(const TestGpu &gpu, const PictureFormat &format, const PlaneLayout &layout = {},
                               const char *yuv_matrix = "0")
{
    expect_cpu_score(gpu, format, SmoothPair(format, format.width * 131 + format.height).views(), layout, yuv_matrix);
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i)
            expect_cpu_score(*gpu, clip.format(), planes_of(clip, i));
    }
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuOnNearFlatPictures)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned seed = 100;
    for (const test::NearFlat kind : test::kNearFlat)
        for (const PictureFormat &format :
             {PictureFormat{VMAF_PIX_FMT_YUV420P, 8, 113, 97}, PictureFormat{VMAF_PIX_FMT_YUV444P, 10, 250, 75},
              PictureFormat{VMAF_PIX_FMT_YUV422P, 12, 131, 163}, PictureFormat{VMAF_PIX_FMT_YUV400P, 16, 199, 67}}) {
            const test::NearFlatPair pair(kind, format, ++seed);
            SCOPED_TRACE("kind " + std::to_string(static_cast<int>(kind)) + ", seed " + std::to_string(seed));
            expect_cpu_score(*gpu, format, pair.views());
        }
}

TEST(Ssimulacra2Cuda, IdenticalPicturesAreExactly100)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *name : {"noise_176x144_8", "tiles_177x145_8", "tiles_256x192_16", "grey_178x146_10"}) {
        const Clip &clip = Clip::get(name);
        FramePlanes pair = planes_of(clip, 0);
        std::copy_n(pair.ref, 3, pair.dis);
        const DevicePair device(*gpu, pair);
        const auto extractor = make_extractor(*gpu, clip.format(), 1);
        EXPECT_EQ(score_of(test::run_batch<Ssimulacra2Sums>(*gpu, *extractor, {device.frame()})[0], clip.format()), 100)
            << name;
    }
}

// Fewer than six scales, odd sizes at every scale, parts of one strip.
TEST(Ssimulacra2Cuda, AgreesWithTheCpuAtSmallSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 8; width <= 24; ++width)
        for (unsigned height = 8; height <= 24; height += 3)
            expect_cpu_score_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, width % 2 == 0 ? 8U : 10U, width, height});
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuAroundTheStripSizeInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const VmafPixelFormat format :
         {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        for (unsigned width = 2 * kSsimulacra2StripColumns - 1; width <= 2 * kSsimulacra2StripColumns + 1; ++width)
            for (unsigned height = 2 * kSsimulacra2StripRows - 2; height <= 2 * kSsimulacra2StripRows + 2; ++height)
                expect_cpu_score_of_waves(*gpu, {format, height % 2 == 0 ? 8U : 12U, width, height});
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_score_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 4096, 17});
    expect_cpu_score_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 17, 4096});
    expect_cpu_score_of_waves(*gpu, {VMAF_PIX_FMT_YUV444P, 10, 16384, 8});
    expect_cpu_score_of_waves(*gpu, {VMAF_PIX_FMT_YUV422P, 10, 8, 16384});
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuAtEveryDepthAlignmentAndMatrix)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const char *const matrices[] = {"0", "1", "2", "3", "4", "5"};
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 301, 167};
        expect_cpu_score_of_waves(*gpu, format, {}, matrices[bpc % 6]);
        expect_cpu_score_of_waves(*gpu, format, test::unaligned_layout(bpc), matrices[(bpc + 3) % 6]);
    }
}

TEST(Ssimulacra2Cuda, AgreesWithTheCpuInEveryTransferAndPrimaries)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const auto expect = [&](const PictureFormat &format, const FramePlanes &pair, const test::Options &options) {
        const DevicePair device(*gpu, pair);
        const auto extractor = test::make_cuda(*gpu, kSsimulacra2Cuda, format, options, 1);
        const double expected = test::FeatureRunner<Ssimulacra2Sums>(kSsimulacra2, options).scores(pair, format)[0];
        const double score = score_of(test::run_batch<Ssimulacra2Sums>(*gpu, *extractor, {device.frame()})[0], format);
        EXPECT_NEAR(score, expected, tolerance(expected))
            << options[1].second << ", " << options[2].second << ", format " << format.pix_fmt << ", " << format.bpc;
    };
    for (const test::OtherEncoding &encoding : test::kOtherEncodings) {
        const test::Options options{
            {"yuv_matrix", "5"}, {"transfer", encoding.transfer}, {"primaries", encoding.primaries}};
        for (const unsigned bpc : {8U, 10U}) {
            const test::StoredPair pair({5, bpc}, 40, 32, encoding);
            expect(pair.format(), pair.planes(), options);
            const PictureFormat half{bpc == 8 ? VMAF_PIX_FMT_YUV420P : VMAF_PIX_FMT_YUV400P, bpc, 35, 23};
            expect(half, SmoothPair(half, bpc).views(), options);
        }
    }
    for (const unsigned bpc : {8U, 10U}) { // six scales
        const test::StoredPair pair({5, bpc}, 120, 114, test::kOtherEncodings[6]);
        expect(pair.format(), pair.planes(), {{"yuv_matrix", "5"}, {"transfer", "hlg"}, {"primaries", "bt2020"}});
    }
}

TEST(Ssimulacra2Cuda, SumsAreTheSameBitsInAnyBatchFiftyTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 643, 361};
    std::vector<DevicePair> pairs;
    for (unsigned seed = 0; seed < 5; ++seed)
        pairs.emplace_back(*gpu, SmoothPair(format, seed).views());
    const auto extractor = make_extractor(*gpu, format, kMaxBatchFrames);
    std::vector<Ssimulacra2Sums> expected;
    for (const DevicePair &pair : pairs)
        expected.push_back(test::run_batch<Ssimulacra2Sums>(*gpu, *extractor, {pair.frame()})[0]);
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < 50; ++repeat) {
        std::vector<CudaFrame> frames;
        std::vector<std::size_t> used;
        for (unsigned i = 0; i <= random() % kMaxBatchFrames; ++i) {
            used.push_back(random() % pairs.size());
            frames.push_back(pairs[used.back()].frame());
        }
        const std::vector<Ssimulacra2Sums> sums = test::run_batch<Ssimulacra2Sums>(*gpu, *extractor, frames);
        for (std::size_t i = 0; i < frames.size(); ++i)
            ASSERT_EQ(std::memcmp(&sums[i], &expected[used[i]], sizeof sums[i]), 0) << "repeat " << repeat;
    }
}

} // namespace
} // namespace vmaf
