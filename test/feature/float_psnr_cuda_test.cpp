#include "feature/float_psnr/float_psnr_cuda.h"

#include <gtest/gtest.h>

#include "feature/float_cuda_checks.h"
#include "feature/float_psnr/float_psnr_params.h"

namespace vmaf {
namespace {

using test::TestGpu;

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const test::PlaneLayout &layout = {})
{
    for (const test::Content content : {test::Content::video, test::Content::noise})
        test::expect_cpu_sums<FloatPsnrSums>(gpu, kFloatPsnrCuda, format, {}, layout, content);
}

TEST(FloatPsnrCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_cpu_sums_on_every_clip<FloatPsnrSums>(*gpu, kFloatPsnrCuda);
}

TEST(FloatPsnrCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 18; ++width)
        for (unsigned height = 1; height <= 18; ++height)
            expect_cpu_sums(*gpu, test::luma_only(width % 2 == 0 ? 8 : 16, width, height));
}

TEST(FloatPsnrCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 511; width <= 513; ++width)
        for (unsigned height = 31; height <= 33; ++height)
            for (const unsigned bpc : {8U, 10U, 16U})
                expect_cpu_sums(*gpu, {VMAF_PIX_FMT_YUV422P, bpc, width, height});
}

TEST(FloatPsnrCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U, 16U}) {
        expect_cpu_sums(*gpu, test::luma_only(bpc, 16384, 5));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 5, 16384));
    }
}

TEST(FloatPsnrCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : test::kFloatDepths) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 301, 67};
        expect_cpu_sums(*gpu, format);
        expect_cpu_sums(*gpu, format, test::unaligned_layout(bpc));
        for (const std::size_t alignment : {4U, 8U, 16U})
            expect_cpu_sums(*gpu, format, {alignment, alignment});
    }
}

TEST(FloatPsnrCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = test::luma_only(bpc, 133, 71);
        test::FloatCuda<FloatPsnrSums>(*gpu, kFloatPsnrCuda, format)
            .expect_equal(test::FloatFrame(format, test::Content::noise, bpc, 0xffff).planes());
    }
}

TEST(FloatPsnrCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatPsnrSums>(*gpu, kFloatPsnrCuda, {VMAF_PIX_FMT_YUV420P, 10, 643, 161}, 5);
}

} // namespace
} // namespace vmaf
