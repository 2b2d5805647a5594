#include <gtest/gtest.h>

#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_adm/float_adm_cuda_params.h"
#include "feature/float_cuda_checks.h"

namespace vmaf {
namespace {

using test::Options;
using test::TestGpu;

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const Options &options = {},
                     const test::PlaneLayout &layout = {}, test::Content content = test::Content::video)
{
    SCOPED_TRACE(options.empty() ? "" : options[0].first + "=" + options[0].second);
    test::expect_cpu_sums<FloatAdmSums>(gpu, kFloatAdmCuda, format, options, layout, content);
}

TEST(FloatAdmCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_cpu_sums_on_every_clip<FloatAdmSums>(*gpu, kFloatAdmCuda);
}

TEST(FloatAdmCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 16; width <= 34; ++width)
        for (unsigned height = 16; height <= 34; ++height)
            expect_cpu_sums(*gpu, test::luma_only((width + height) % 2 == 0 ? 8 : 10, width, height));
}

// A band of 280 columns is summed over one and a half tiles, one of 140 over one.
TEST(FloatAdmCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const int tile = kFloatAdmTileColumns * 2 * 10 / 8; // pictures whose region at scale 0 is about a tile
    for (const int width : {tile / 4, tile / 2, tile, 2 * tile})
        for (int dx = -6; dx <= 6; dx += 3)
            for (const int height : {39, 40, 41, 59, 60})
                expect_cpu_sums(*gpu, test::luma_only(height % 2 == 0 ? 8 : 12, static_cast<unsigned>(width + dx),
                                                      static_cast<unsigned>(height)));
}

TEST(FloatAdmCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums(*gpu, test::luma_only(bpc, 16384, 17));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 17, 16384));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 1920, 1080));
    }
}

TEST(FloatAdmCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : test::kFloatDepths) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 151, 67};
        expect_cpu_sums(*gpu, format);
        expect_cpu_sums(*gpu, format, {}, test::unaligned_layout(bpc));
    }
}

TEST(FloatAdmCuda, EqualsCpuWithEveryOptionOnEveryContent)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::Content content : test::kContents)
        for (const Options &options :
             {Options{}, Options{{"adm_enhn_gain_limit", "1"}}, Options{{"adm_enhn_gain_limit", "1.2"}},
              Options{{"adm_csf_mode", "1"}, {"adm_csf_scale", "2"}, {"adm_csf_diag_scale", "3"}},
              Options{{"adm_csf_mode", "2"}}, Options{{"adm_bypass_cm", "1"}}, Options{{"adm_skip_scale0", "true"}},
              Options{{"adm_f1s0", "0.1"}, {"adm_f2s3", "0.2"}, {"adm_f1s2", "0"}}})
            for (const unsigned bpc : {8U, 10U})
                expect_cpu_sums(*gpu, test::luma_only(bpc, 141, 81), options, {}, content);
}

TEST(FloatAdmCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = test::luma_only(bpc, 133, 41);
        test::FloatCuda<FloatAdmSums>(*gpu, kFloatAdmCuda, format)
            .expect_equal(test::FloatFrame(format, test::Content::noise, bpc, 0xffff).planes());
    }
}

TEST(FloatAdmCuda, LeavesOtherNormsToTheCpu)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = test::luma_only(8, 64, 64);
    const OptionValues values = test::parse_options(*kFloatAdmCuda.spec, {{"adm_p_norm", "2.5"}}).value();
    EXPECT_EQ(test::require(kFloatAdmCuda.make({gpu->context(), format, values, 1}), "make"), nullptr);
}

TEST(FloatAdmCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatAdmSums>(*gpu, kFloatAdmCuda, test::luma_only(10, 323, 61), 3);
}

} // namespace
} // namespace vmaf
