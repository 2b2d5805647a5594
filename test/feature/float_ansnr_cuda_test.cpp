#include <gtest/gtest.h>

#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_ansnr/float_ansnr_params.h"
#include "feature/float_cuda_checks.h"

namespace vmaf {
namespace {

using test::TestGpu;

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const test::PlaneLayout &layout = {},
                     test::Content content = test::Content::video)
{
    test::expect_cpu_sums<FloatAnsnrSums>(gpu, kFloatAnsnrCuda, format, {}, layout, content);
}

TEST(FloatAnsnrCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_cpu_sums_on_every_clip<FloatAnsnrSums>(*gpu, kFloatAnsnrCuda);
}

TEST(FloatAnsnrCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 18; ++width)
        for (unsigned height = 1; height <= 18; ++height)
            expect_cpu_sums(*gpu, test::luma_only((width + height) % 2 == 0 ? 8 : 10, width, height));
}

TEST(FloatAnsnrCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const int width : {kTileColumns, 2 * kTileColumns})
        for (int dx = -3; dx <= 3; ++dx)
            for (const int dy : {-1, 0, 1})
                expect_cpu_sums(*gpu, test::luma_only(dx % 2 == 0 ? 8 : 12, static_cast<unsigned>(width + dx),
                                                      static_cast<unsigned>(2 * kStripRows + dy)));
}

TEST(FloatAnsnrCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums(*gpu, test::luma_only(bpc, 16384, 5));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 5, 16384));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 1920, 1080));
    }
}

TEST(FloatAnsnrCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : test::kFloatDepths) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 151, 27};
        expect_cpu_sums(*gpu, format);
        expect_cpu_sums(*gpu, format, test::unaligned_layout(bpc));
    }
}

TEST(FloatAnsnrCuda, EqualsCpuOnEveryContent)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::Content content : test::kContents)
        for (const unsigned bpc : test::kFloatDepths)
            expect_cpu_sums(*gpu, test::luma_only(bpc, 141, 21), {}, content);
}

TEST(FloatAnsnrCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = test::luma_only(bpc, 133, 21);
        test::FloatCuda<FloatAnsnrSums>(*gpu, kFloatAnsnrCuda, format)
            .expect_equal(test::FloatFrame(format, test::Content::noise, bpc, 0xffff).planes());
    }
}

TEST(FloatAnsnrCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatAnsnrSums>(*gpu, kFloatAnsnrCuda, test::luma_only(10, 323, 61), 5);
}

} // namespace
} // namespace vmaf
