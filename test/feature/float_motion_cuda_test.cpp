#include <gtest/gtest.h>

#include "feature/common/ordered_sums_cuda.h"
#include "feature/float_cuda_checks.h"
#include "feature/float_motion/float_motion_params.h"

namespace vmaf {
namespace {

using test::Options;
using test::TestGpu;

const Options kEverything{{"motion_add_scale1", "true"}, {"motion_add_uv", "true"}};

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const Options &options = {},
                     const test::PlaneLayout &layout = {}, test::Content content = test::Content::video)
{
    test::expect_cpu_sums<FloatMotionSums>(gpu, kFloatMotionCuda, format, options, layout, content);
}

TEST(FloatMotionCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_cpu_sums_on_every_clip<FloatMotionSums>(*gpu, kFloatMotionCuda);
}

TEST(FloatMotionCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 3; width <= 18; ++width)
        for (unsigned height = 3; height <= 18; ++height)
            expect_cpu_sums(*gpu, test::luma_only((width + height) % 2 == 0 ? 8 : 10, width, height),
                            width % 3 == 0 ? Options{{"motion_add_scale1", "true"}} : Options{});
}

TEST(FloatMotionCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const int width : {kTileColumns, 2 * kTileColumns})
        for (int dx = -3; dx <= 3; ++dx)
            for (const int dy : {-1, 0, 1})
                expect_cpu_sums(*gpu,
                                {VMAF_PIX_FMT_YUV420P, dx % 2 == 0 ? 8U : 12U, static_cast<unsigned>(width + dx),
                                 static_cast<unsigned>(2 * kStripRows + dy)},
                                kEverything);
}

TEST(FloatMotionCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums(*gpu, test::luma_only(bpc, 16384, 5));
        expect_cpu_sums(*gpu, test::luma_only(bpc, 5, 16384));
        expect_cpu_sums(*gpu, {VMAF_PIX_FMT_YUV420P, bpc, 1920, 1080}, kEverything);
    }
}

TEST(FloatMotionCuda, EqualsCpuAtEveryDepthFormatAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : test::kFloatDepths)
        for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P}) {
            const PictureFormat format{pix_fmt, bpc, 151, 27};
            expect_cpu_sums(*gpu, format, kEverything);
            expect_cpu_sums(*gpu, format, kEverything, test::unaligned_layout(bpc));
        }
}

TEST(FloatMotionCuda, EqualsCpuWithEveryOptionOnEveryContent)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 141, 41};
    for (const test::Content content : test::kContents)
        for (const Options &options :
             {Options{}, Options{{"motion_filter_size", "1"}}, Options{{"motion_filter_size", "3"}},
              Options{{"motion_add_uv", "true"}}, Options{{"motion_add_scale1", "true"}}, kEverything})
            expect_cpu_sums(*gpu, format, options, {}, content);
}

TEST(FloatMotionCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format = test::luma_only(bpc, 133, 21);
        test::FloatCuda<FloatMotionSums>(*gpu, kFloatMotionCuda, format)
            .expect_equal(test::FloatFrame(format, test::Content::noise, bpc, 0xffff).planes());
    }
}

TEST(FloatMotionCuda, ComparesTheFirstFrameWithNothing)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = test::luma_only(8, 64, 32);
    const test::FloatFrame frame(format, test::Content::noise, 3);
    FramePlanes planes = frame.planes();
    planes.frame_index = 0;
    planes.earlier[0] = {};
    test::FloatCuda<FloatMotionSums> feature(*gpu, kFloatMotionCuda, format);
    feature.expect_equal(planes);
    const test::DeviceFrame first(*gpu, planes), second(*gpu, frame.planes());
    const auto sums = feature.cuda({first.frame(), second.frame()});
    feature.expect_same(sums[0], FloatMotionSums{});
    feature.expect_same(sums[1], feature.cpu(frame.planes()));
}

TEST(FloatMotionCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    test::expect_batches_of_any_size<FloatMotionSums>(*gpu, kFloatMotionCuda, {VMAF_PIX_FMT_YUV422P, 10, 323, 61}, 3,
                                                      kEverything);
}

} // namespace
} // namespace vmaf
