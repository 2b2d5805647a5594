#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <string>

#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_cuda_params.h"
#include "feature/butteraugli_pictures.h"
#include "feature/make_cuda.h"
#include "feature/near_flat_pictures.h"
#include "feature/stored_rgb.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::BlockPair;
using test::Clip;
using test::DevicePair;
using test::Options;
using test::parse_options;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;

std::unique_ptr<CudaExtractor> make_extractor(const TestGpu &gpu, const PictureFormat &format, unsigned max_batch,
                                              const Options &options = {})
{
    return test::make_cuda(gpu, kButteraugliCuda, format, options, max_batch);
}

/// @param tolerance in units of 1 + score. spec butteraugli 5.1 promises 1e-3. Floats alone cause
/// 5e-5, except on flat pictures.
void expect_cpu_scores(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair,
                       const Options &options = {}, const PlaneLayout &layout = {}, double tolerance = 5e-5)
{
    const DevicePair device(gpu, pair, layout);
    const auto extractor = make_extractor(gpu, format, 1, options);
    const ButteraugliSums sums = test::run_batch<ButteraugliSums>(gpu, *extractor, {device.frame()})[0];
    const auto scores = butteraugli_scores(sums, format.width, format.height);
    const std::vector<double> expected =
        test::FeatureRunner<ButteraugliSums>(kButteraugli, options).scores(pair, format);
    for (unsigned i = 0; i < scores.size(); ++i)
        EXPECT_NEAR(scores[i], expected[i], tolerance * (1 + expected[i]))
            << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt
            << ", output " << i;
}

void expect_cpu_scores_of_blocks(const TestGpu &gpu, const PictureFormat &format, const Options &options = {},
                                 const PlaneLayout &layout = {})
{
    expect_cpu_scores(gpu, format, BlockPair(format, format.width * 131 + format.height).views(), options, layout);
}

TEST(ButteraugliCuda, AgreesWithTheCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i)
            expect_cpu_scores(*gpu, clip.format(), planes_of(clip, i), {}, {}, 1e-3);
    }
}

TEST(ButteraugliCuda, AgreesWithTheCpuOnNearFlatPictures)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned seed = 100;
    for (const test::NearFlat kind : test::kNearFlat) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 43, 37};
        expect_cpu_scores(*gpu, format, test::NearFlatPair(kind, format, ++seed).views(), {}, {}, 1e-3);
    }
}

TEST(ButteraugliCuda, IdenticalPicturesAreExactly0)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const PictureFormat &format :
         {PictureFormat{VMAF_PIX_FMT_YUV420P, 8, 75, 41}, PictureFormat{VMAF_PIX_FMT_YUV444P, 10, 66, 18},
          PictureFormat{VMAF_PIX_FMT_YUV400P, 16, 33, 40}}) {
        const BlockPair blocks(format, 1);
        FramePlanes pair = blocks.views();
        std::copy_n(pair.dis, 3, pair.ref);
        const DevicePair device(*gpu, pair);
        const auto extractor = make_extractor(*gpu, format, 1);
        const ButteraugliSums sums = test::run_batch<ButteraugliSums>(*gpu, *extractor, {device.frame()})[0];
        for (const double power : sums.powers)
            EXPECT_EQ(power, 0);
        EXPECT_EQ(sums.max, 0);
    }
}

TEST(ButteraugliCuda, AgreesWithTheCpuInEveryTransferAndPrimaries)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::OtherEncoding &encoding : test::kOtherEncodings) {
        SCOPED_TRACE(std::string(encoding.transfer) + ", " + encoding.primaries);
        const Options options{{"yuv_matrix", "5"}, {"transfer", encoding.transfer}, {"primaries", encoding.primaries}};
        for (const unsigned bpc : {8U, 10U}) {
            const test::StoredPair pair({5, bpc}, 43, 37, encoding);
            expect_cpu_scores(*gpu, pair.format(), pair.planes(), options, {}, 2e-4);
            for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV400P}) {
                const PictureFormat format{pix_fmt, bpc, 35, 29};
                expect_cpu_scores(*gpu, format, BlockPair(format, bpc).views(), options, {}, 2e-4);
            }
        }
    }
}

// Windows wider than the picture; pictures with one resolution and with two.
TEST(ButteraugliCuda, AgreesWithTheCpuAtSmallSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 8; width <= 22; width += 2)
        for (unsigned height = 8 + width / 2 % 2; height <= 20; height += 3)
            expect_cpu_scores_of_blocks(
                *gpu, {VMAF_PIX_FMT_YUV420P, width % 4 == 0 ? 8U : 10U, width - width / 2 % 2, height});
}

TEST(ButteraugliCuda, AgreesWithTheCpuAroundTheTilesAndStrips)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kColumns = kButteraugliStrips[kButteraugliMaskBlur].columns,
                       kLowColumns = kButteraugliStrips[kButteraugliLowBlur].columns,
                       kRows = kButteraugliLeastStripRows;
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV444P, 8, kColumns - 1, 33});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV422P, 10, kColumns, 32});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, kColumns + 1, 31});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, kLowColumns, 2 * kRows});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, kLowColumns + 1, 2 * kRows + 1});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV400P, 12, 17, 4 * kRows + 1});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 15, 8 * kRows + 3});
}

TEST(ButteraugliCuda, AgreesWithTheCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 4096, 17});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 17, 4096});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV444P, 10, 16384, 8});
    expect_cpu_scores_of_blocks(*gpu, {VMAF_PIX_FMT_YUV422P, 10, 8, 16384});
}

TEST(ButteraugliCuda, AgreesWithTheCpuAtEveryDepthAlignmentAndOption)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const Options options[] = {{{"yuv_matrix", "1"}},
                               {{"yuv_matrix", "2"}, {"hf_asymmetry", "2"}},
                               {{"yuv_matrix", "3"}},
                               {{"intensity_target", "203"}}};
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 39, 27};
        expect_cpu_scores_of_blocks(*gpu, format, options[bpc % 4],
                                    bpc % 2 == 0 ? PlaneLayout{} : test::unaligned_layout(bpc));
    }
}

void expect_same_bits(const TestGpu &gpu, const PictureFormat &format, unsigned repeats)
{
    std::vector<DevicePair> pairs;
    for (unsigned seed = 0; seed < 3; ++seed)
        pairs.emplace_back(gpu, BlockPair(format, seed).views());
    const auto extractor = make_extractor(gpu, format, kMaxBatchFrames);
    std::vector<ButteraugliSums> expected;
    for (const DevicePair &pair : pairs)
        expected.push_back(test::run_batch<ButteraugliSums>(gpu, *extractor, {pair.frame()})[0]);
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < repeats; ++repeat) {
        std::vector<CudaFrame> frames;
        std::vector<std::size_t> used;
        for (unsigned i = 0; i <= 1 + random() % (kMaxBatchFrames - 1); ++i) {
            used.push_back(random() % pairs.size());
            frames.push_back(pairs[used.back()].frame());
        }
        const std::vector<ButteraugliSums> sums = test::run_batch<ButteraugliSums>(gpu, *extractor, frames);
        for (std::size_t i = 0; i < frames.size(); ++i)
            ASSERT_EQ(std::memcmp(&sums[i], &expected[used[i]], sizeof sums[i]), 0) << "repeat " << repeat;
    }
}

TEST(ButteraugliCuda, SumsAreTheSameBitsInABatch)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_same_bits(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 23, 17}, 1);
}

TEST(ButteraugliCuda, SumsAreTheSameBitsInAnyBatchFiftyTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_same_bits(*gpu, {VMAF_PIX_FMT_YUV420P, 10, 643, 361}, 50);
}

} // namespace
} // namespace vmaf
