#include <gtest/gtest.h>

#include "feature/make_cuda.h"
#include "feature/near_flat_pictures.h"
#include "feature/xpsnr_pictures.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::DevicePlane;
using test::PlaneLayout;
using test::TestGpu;
using test::XpsnrContent;
using test::XpsnrErrors;
using test::XpsnrPictures;

constexpr std::array kFormats{VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P};

/// A frame on the device with the pictures before it.
class DeviceFrame {
  public:
    DeviceFrame(const TestGpu &gpu, const FramePlanes &planes, const PlaneLayout &layout = {})
        : pair_(gpu, planes, layout)
    {
        frame_ = pair_.frame();
        for (unsigned age = 0; age < test::kXpsnrEarlier; ++age) {
            earlier_.emplace_back(gpu, planes.earlier[age].ref[0], layout);
            frame_.earlier[age].ref[0] = earlier_.back().view();
        }
    }
    const CudaFrame &frame() const { return frame_; }

  private:
    DevicePair pair_;
    std::vector<DevicePlane> earlier_;
    CudaFrame frame_{};
};

std::vector<XpsnrErrors> cuda_errors(const TestGpu &gpu, CudaExtractor &extractor, const std::vector<CudaFrame> &frames)
{
    std::vector<XpsnrErrors> list;
    for (const XpsnrSums &sums : test::run_batch<XpsnrSums>(gpu, extractor, frames))
        list.push_back(test::errors_of(sums));
    return list;
}

void expect_cpu_errors(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &planes,
                       const PlaneLayout &layout = {}, const test::Options &more_options = {})
{
    for (const char *fps : {"0", "32"}) {
        test::Options options = more_options;
        options.emplace_back("fps", fps);
        const XpsnrGrid grid = test::xpsnr_grid_of(format, options);
        const auto extractor = test::make_cuda(gpu, kXpsnrCuda, format, options);
        const DeviceFrame device(gpu, planes, layout);
        EXPECT_EQ(cuda_errors(gpu, *extractor, {device.frame()})[0], test::xpsnr_of_cpu(planes, grid))
            << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt
            << ", fps " << fps;
    }
}

TEST(XpsnrCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs())
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i) {
            SCOPED_TRACE(spec.name);
            const Clip &clip = Clip::get(spec.name);
            expect_cpu_errors(*gpu, clip.format(), test::planes_with_earlier(clip, i));
        }
}

void expect_cpu_errors_at(const TestGpu &gpu, const std::vector<std::pair<unsigned, unsigned>> &sizes)
{
    unsigned seed = 0;
    for (const auto &[width, height] : sizes)
        for (const VmafPixelFormat pix_fmt : kFormats) {
            const PictureFormat format{pix_fmt, seed % 2 == 0 ? 8U : 10U, width, height};
            const XpsnrPictures pictures(format, test::kXpsnrContents[seed % 4], seed);
            expect_cpu_errors(gpu, format, pictures.planes(seed++ % 3));
        }
}

TEST(XpsnrCuda, EqualsCpuAtTheSmallestSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_errors_at(*gpu, {{1, 1}, {1, 2}, {2, 1}, {3, 3}, {44, 46}, {45, 45}, {46, 45}, {2025, 1}, {2, 1013}});
}

TEST(XpsnrCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_errors_at(*gpu, {{1, 2025}, {1, 18225}, {16384, 1}, {7, 16384}});
}

TEST(XpsnrCuda, EqualsCpuAtAnySizeFormatAndDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned bpc = std::array{8U, 10U, 12U, 16U}[i % 4];
        const PictureFormat format{kFormats[random() % 4], bpc, 17 + static_cast<unsigned>(random() % 240),
                                   17 + static_cast<unsigned>(random() % 200)};
        const XpsnrPictures pictures(format, test::kXpsnrContents[random() % 4], static_cast<unsigned>(random()));
        expect_cpu_errors(*gpu, format, pictures.planes(static_cast<unsigned>(random() % 3)),
                          i % 3 == 0 ? test::unaligned_layout(bpc) : PlaneLayout{});
    }
}

TEST(XpsnrCuda, EqualsCpuWithoutChromaAndWithoutSmoothing)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 651, 473};
        const XpsnrPictures pictures(format, XpsnrContent::smooth, bpc);
        expect_cpu_errors(*gpu, format, pictures.planes(2));
        expect_cpu_errors(*gpu, format, pictures.planes(2), {}, {{"enable_chroma", "false"}});
    }
}

TEST(XpsnrCuda, EqualsCpuOnNearFlatPictures)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned seed = 0;
    for (const test::NearFlat kind : test::kNearFlat) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, seed % 2 == 0 ? 8U : 10U, 97, 85};
        const test::NearFlatPair pair(kind, format, seed), before(kind, format, ++seed);
        FramePlanes planes = pair.views();
        planes.earlier[0].ref[0] = planes.dis[0];
        planes.earlier[1].ref[0] = before.views().ref[0];
        expect_cpu_errors(*gpu, format, planes);
    }
}

TEST(XpsnrCuda, EqualsCpuInQuads)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    unsigned seed = 0;
    for (const auto &[width, height] : test::large_xpsnr_sizes()) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, std::array{8U, 10U, 16U}[seed % 3], width, height};
        const XpsnrPictures pictures(format, test::kXpsnrContents[seed % 2], seed);
        expect_cpu_errors(*gpu, format, pictures.planes(seed++ % 3));
    }
}

TEST(XpsnrCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U, 16U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 133, 71};
        expect_cpu_errors(*gpu, format, XpsnrPictures(format, XpsnrContent::ends, bpc, 65535).planes(2));
    }
}

TEST(XpsnrCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 131, 67};
    const test::Options options{{"fps", "60"}};
    const XpsnrGrid grid = test::xpsnr_grid_of(format, options);
    const auto extractor = test::make_cuda(*gpu, kXpsnrCuda, format, options);
    std::vector<DeviceFrame> devices;
    std::vector<CudaFrame> frames;
    std::vector<XpsnrErrors> wanted;
    for (unsigned seed = 0; seed < kMaxBatchFrames; ++seed) {
        const XpsnrPictures pictures(format, test::kXpsnrContents[seed % 4], seed);
        const FramePlanes planes = pictures.planes(seed % 3);
        devices.emplace_back(*gpu, planes);
        frames.push_back(devices.back().frame());
        wanted.push_back(test::xpsnr_of_cpu(planes, grid));
        EXPECT_EQ(cuda_errors(*gpu, *extractor, frames), wanted);
    }
}

} // namespace
} // namespace vmaf
