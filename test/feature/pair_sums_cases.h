#pragma once

#include <gtest/gtest.h>

#include "feature/float_cuda_checks.h"

namespace vmaf::test {

/// CPU and CUDA give the same sums for a feature of luma, because they are integers and the order
/// of adding does not matter: kernels/common/pair_rows.cuh. `Case` has the type Sums and the
/// function backend().
template <class Case> class PairSumsCuda : public testing::Test {
  protected:
    using Sums = typename Case::Sums;

    static void expect_equal(const TestGpu &gpu, const PictureFormat &format, const PlaneLayout &layout = {})
    {
        for (const Content content : {Content::video, Content::noise})
            expect_cpu_sums<Sums>(gpu, Case::backend(), format, {}, layout, content);
    }
};
TYPED_TEST_SUITE_P(PairSumsCuda);

TYPED_TEST_P(PairSumsCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_sums_on_every_clip<typename TypeParam::Sums>(*gpu, TypeParam::backend());
}

TYPED_TEST_P(PairSumsCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 18; ++width)
        for (unsigned height = 1; height <= 18; ++height)
            this->expect_equal(*gpu, luma_only(width % 2 == 0 ? 8 : 16, width, height));
}

TYPED_TEST_P(PairSumsCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 511; width <= 513; ++width)
        for (unsigned height = 31; height <= 33; ++height)
            for (const unsigned bpc : {8U, 10U, 16U})
                this->expect_equal(*gpu, {VMAF_PIX_FMT_YUV422P, bpc, width, height});
}

TYPED_TEST_P(PairSumsCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U, 16U}) {
        this->expect_equal(*gpu, luma_only(bpc, 16384, 5));
        this->expect_equal(*gpu, luma_only(bpc, 5, 16384));
    }
}

TYPED_TEST_P(PairSumsCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : kFloatDepths) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 301, 67};
        this->expect_equal(*gpu, format);
        this->expect_equal(*gpu, format, unaligned_layout(bpc));
        for (const std::size_t alignment : {4U, 8U, 16U})
            this->expect_equal(*gpu, format, {alignment, alignment});
    }
}

TYPED_TEST_P(PairSumsCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = luma_only(bpc, 133, 71);
        FloatCuda<typename TypeParam::Sums>(*gpu, TypeParam::backend(), format)
            .expect_equal(FloatFrame(format, Content::noise, bpc, 0xffff).planes());
    }
}

TYPED_TEST_P(PairSumsCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_batches_of_any_size<typename TypeParam::Sums>(*gpu, TypeParam::backend(),
                                                         {VMAF_PIX_FMT_YUV420P, 10, 643, 161}, 5);
}

REGISTER_TYPED_TEST_SUITE_P(PairSumsCuda, EqualsCpuOnEveryClip, EqualsCpuAtEverySmallSize, EqualsCpuAroundTheTileSize,
                            EqualsCpuAtLongSizes, EqualsCpuAtEveryDepthAndAlignment, EqualsCpuOnSamplesAboveTheDepth,
                            BatchesOfAnySizeStayEqual);

} // namespace vmaf::test
