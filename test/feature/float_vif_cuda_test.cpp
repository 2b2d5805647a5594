#include <gtest/gtest.h>

#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_cuda_checks.h"
#include "feature/float_vif/float_vif.h"
#include "feature/float_vif/float_vif_params.h"
#include "feature/make_cuda.h"

namespace vmaf {
namespace {

using test::Options;
using test::TestGpu;

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const Options &options = {},
                     const test::PlaneLayout &layout = {}, test::Content content = test::Content::video)
{
    SCOPED_TRACE(options.empty() ? "" : options[0].first + "=" + options[0].second);
    test::expect_cpu_sums<FloatVifSums>(gpu, kFloatVifCuda, format, options, layout, content);
}

TEST(FloatVifCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_cpu_sums_on_every_clip<FloatVifSums>(*gpu, kFloatVifCuda);
}

TEST(FloatVifCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 8; width <= 26; ++width)
        for (unsigned height = 8; height <= 26; ++height)
            expect_cpu_sums(*gpu, test::luma_only((width + height) % 2 == 0 ? 8 : 10, width, height));
}

TEST(FloatVifCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const int width : {kTileColumns, 2 * kTileColumns})
        for (int dx = -9; dx <= 9; dx += 2)
            for (const int dy : {-1, 0, 1})
                expect_cpu_sums(*gpu, test::luma_only(dy != 0 ? 8 : 12, static_cast<unsigned>(width + dx),
                                                      static_cast<unsigned>(2 * kStripRows + dy)));
}

TEST(FloatVifCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums(*gpu, test::luma_only(bpc, 16384, 17));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 17, 16384));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 1920, 1080));
    }
}

TEST(FloatVifCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : test::kFloatDepths) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 151, 37};
        expect_cpu_sums(*gpu, format);
        expect_cpu_sums(*gpu, format, {}, test::unaligned_layout(bpc));
        expect_cpu_sums(*gpu, format, {{"vif_kernelscale", "0.5"}}, test::unaligned_layout(bpc));
        expect_cpu_sums(*gpu, format, {{"vif_prescale", "0.7"}}, test::unaligned_layout(bpc));
    }
}

TEST(FloatVifCuda, EqualsCpuOnEveryContent)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::Content content : test::kContents)
        for (const unsigned bpc : test::kFloatDepths)
            expect_cpu_sums(*gpu, test::luma_only(bpc, 141, 51), {}, {}, content);
}

TEST(FloatVifCuda, EqualsCpuAtEveryKernelScale)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *scale : {"1",       "0.5",     "1.5",  "2",       "0.666667", "2.4",     "3.71134",
                              "1.33333", "1.16667", "1.25", "1.41667", "1.66667",  "3",       "0.444444",
                              "1.4746",  "1.54",    "1.6",  "1.06667", "0.711111", "0.74074", "1.11111"})
        expect_cpu_sums(*gpu, test::luma_only(8, 157, 41), {{"vif_kernelscale", scale}});
    expect_cpu_sums(*gpu, test::luma_only(8, 9, 8), {{"vif_kernelscale", "3.71134"}}); // mirrored several times
}

TEST(FloatVifCuda, EqualsCpuWithEveryPrescale)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *method : {"nearest", "bilinear", "bicubic", "lanczos4"})
        for (const char *factor : {"0.5", "0.77", "1.9"})
            for (const unsigned bpc : {8U, 10U})
                expect_cpu_sums(*gpu, test::luma_only(bpc, 77, 45),
                                {{"vif_prescale_method", method}, {"vif_prescale", factor}});
    expect_cpu_sums(*gpu, test::luma_only(8, 77, 45), {{"vif_prescale", "0.6"}, {"vif_kernelscale", "1.5"}});
}

TEST(FloatVifCuda, EqualsCpuWithEveryOtherOption)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::Content content : test::kContents)
        for (const Options &options : {Options{{"vif_enhn_gain_limit", "1"}}, Options{{"vif_enhn_gain_limit", "1.3"}},
                                       Options{{"vif_sigma_nsq", "0"}}, Options{{"vif_sigma_nsq", "0.7"}},
                                       Options{{"vif_sigma_nsq", "4"}}, Options{{"vif_skip_scale0", "true"}}})
            expect_cpu_sums(*gpu, test::luma_only(8, 141, 41), options, {}, content);
}

TEST(FloatVifCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = test::luma_only(bpc, 133, 21);
        test::FloatCuda<FloatVifSums>(*gpu, kFloatVifCuda, format)
            .expect_equal(test::FloatFrame(format, test::Content::noise, bpc, 0xffff).planes());
    }
}

TEST(FloatVifCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatVifSums>(*gpu, kFloatVifCuda, test::luma_only(10, 323, 61), 3);
}

TEST(FloatVifCuda, ScratchMemoryOfABatchHasALimit)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = test::luma_only(8, 1200, 800);
    const auto extractor = test::make_cuda(*gpu, kFloatVifCuda, format, {{"vif_prescale", "4"}});
    constexpr std::size_t kPicturesAndSums = 260UL << 20;
    EXPECT_LT(extractor->scratch_bytes(), kPicturesAndSums) << "eight such frames take 1.3 GB";
}

// Resampled to 15 million pixels a frame: more than is processed at a time.
TEST(FloatVifCuda, BatchesInPartsStayEqualAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatVifSums>(*gpu, kFloatVifCuda, test::luma_only(8, 1200, 800), 1,
                                                   {{"vif_prescale", "4"}});
}

} // namespace
} // namespace vmaf
