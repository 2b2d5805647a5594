#include <gtest/gtest.h>

#include <array>

#include "feature/make_cuda.h"
#include "feature/psnr/psnr.h"
#include "feature/psnr/psnr_cuda_params.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::HostPlane;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;

using Sse = std::array<std::uint64_t, 3>;

Sse cpu_sse(const FramePlanes &pair, unsigned plane_count)
{
    PsnrSums sums{};
    EXPECT_TRUE(make_psnr_cpu(plane_count, cpu_target(0))->extract(pair, &sums).ok());
    return {sums.sse[0], sums.sse[1], sums.sse[2]};
}

std::vector<Sse> cuda_sse(const TestGpu &gpu, CudaExtractor &extractor, const std::vector<CudaFrame> &frames)
{
    std::vector<Sse> list;
    for (const PsnrSums &sums : test::run_batch<PsnrSums>(gpu, extractor, frames))
        list.push_back({sums.sse[0], sums.sse[1], sums.sse[2]});
    return list;
}

void expect_cpu_sse(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair,
                    const PlaneLayout &layout = {})
{
    for (const bool chroma : {false, true}) {
        const auto extractor = test::make_cuda(gpu, kPsnrCuda, format, {{"enable_chroma", chroma ? "true" : "false"}});
        const DevicePair device(gpu, pair, layout);
        EXPECT_EQ(cuda_sse(gpu, *extractor, {device.frame()})[0], cpu_sse(pair, chroma ? format.plane_count() : 1))
            << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt;
    }
}

/// A pair of noise pictures.
class NoisePair {
  public:
    NoisePair(const PictureFormat &format, unsigned max_sample, unsigned seed)
    {
        std::mt19937 random(seed);
        for (unsigned plane = 0; plane < format.plane_count(); ++plane) {
            const unsigned width = format.plane_width(plane), height = format.plane_height(plane);
            for (PlaneView *const side : {pair_.ref, pair_.dis}) {
                planes_.push_back(std::make_unique<HostPlane>(width, height, format.bpc));
                side[plane] = planes_.back()->fill_noise(random, max_sample).view();
            }
        }
    }

    const FramePlanes &views() const { return pair_; }

  private:
    std::vector<std::unique_ptr<HostPlane>> planes_;
    FramePlanes pair_;
};

void expect_cpu_sse_of_noise(const TestGpu &gpu, const PictureFormat &format, const PlaneLayout &layout = {})
{
    const NoisePair noise(format, (1U << format.bpc) - 1, format.width * 131 + format.height);
    expect_cpu_sse(gpu, format, noise.views(), layout);
}

TEST(PsnrCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs())
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i) {
            SCOPED_TRACE(spec.name);
            const Clip &clip = Clip::get(spec.name);
            expect_cpu_sse(*gpu, clip.format(), planes_of(clip, i));
        }
}

TEST(PsnrCuda, MatchesTheChaptersSums)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const std::vector<std::pair<const char *, Sse>> expected{
        {"tiles_176x144_8", {847294, 222835, 226256}},
        {"tiles_177x145_8", {890934, 222296, 225764}},
        {"tiles_352x288_10", {53434653, 13438090, 13402997}},
        {"tiles_256x192_12", {410407642, 209258112, 210056198}},
        {"tiles_256x192_16", {105053601535, 105355672986, 104808352727}},
        {"noise_176x144_8", {276092265, 69950299, 70044798}},
        {"tiles_1920x1080_8", {68840453, 17142951, 17297376}},
        {"grey_178x146_10", {14140938, 0, 0}},
    };
    for (const auto &[name, sse] : expected) {
        const Clip &clip = Clip::get(name);
        const auto extractor = test::make_cuda(*gpu, kPsnrCuda, clip.format());
        const DevicePair device(*gpu, planes_of(clip, 0));
        EXPECT_EQ(cuda_sse(*gpu, *extractor, {device.frame()})[0], sse) << name;
    }
}

// 1x1 has chroma planes without samples.
TEST(PsnrCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 18; ++width)
        for (unsigned height = 1; height <= 18; ++height)
            expect_cpu_sse_of_noise(*gpu, {VMAF_PIX_FMT_YUV420P, width % 2 == 0 ? 8U : 10U, width, height});
}

TEST(PsnrCuda, EqualsCpuAroundTheTileSizeInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kTileHeight = kPsnrWarpRows * kPsnrBlockWarps;
    for (const VmafPixelFormat format :
         {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P})
        for (unsigned width = 511; width <= 513; ++width)
            for (unsigned height = kTileHeight - 1; height <= kTileHeight + 1; ++height)
                for (const unsigned bpc : {8U, 16U})
                    expect_cpu_sse_of_noise(*gpu, {format, bpc, width, height});
}

TEST(PsnrCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U}) {
        expect_cpu_sse_of_noise(*gpu, {VMAF_PIX_FMT_YUV420P, bpc, 4096, 17});
        expect_cpu_sse_of_noise(*gpu, {VMAF_PIX_FMT_YUV420P, bpc, 17, 4096});
        expect_cpu_sse_of_noise(*gpu, {VMAF_PIX_FMT_YUV444P, bpc, 16384, 1});
        expect_cpu_sse_of_noise(*gpu, {VMAF_PIX_FMT_YUV444P, bpc, 1, 16384});
    }
}

TEST(PsnrCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const PictureFormat format{VMAF_PIX_FMT_YUV422P, bpc, 301, 67};
        expect_cpu_sse_of_noise(*gpu, format);
        expect_cpu_sse_of_noise(*gpu, format, test::unaligned_layout(bpc));
        for (const std::size_t alignment : {4U, 8U, 16U})
            expect_cpu_sse_of_noise(*gpu, format, {alignment, alignment});
    }
}

TEST(PsnrCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U, 16U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 133, 71};
        expect_cpu_sse(*gpu, format, NoisePair(format, 0xffff, bpc).views());
    }
}

TEST(PsnrCuda, SumsTheLargestErrorsExactly)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U, 12U, 16U}) {
        const std::uint64_t max_sample = (1U << bpc) - 1;
        HostPlane black(4096, 300, bpc), white(4096, 300, bpc);
        black.fill_flat(0);
        white.fill_flat(static_cast<unsigned>(max_sample));
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 4096, 300};
        const auto extractor = test::make_cuda(*gpu, kPsnrCuda, format);
        FramePlanes planes, turned_planes;
        planes.ref[0] = turned_planes.dis[0] = black.view();
        planes.dis[0] = turned_planes.ref[0] = white.view();
        const DevicePair pair(*gpu, planes), turned(*gpu, turned_planes);
        const Sse expected{4096 * 300 * max_sample * max_sample, 0, 0};
        EXPECT_EQ(cuda_sse(*gpu, *extractor, {pair.frame(), turned.frame()}), (std::vector<Sse>{expected, expected}));
    }
}

TEST(PsnrCuda, BatchesOfAnySizeStayEqualFiftyTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kPairs = 11;
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 643, 361};
    std::vector<DevicePair> pairs;
    std::vector<Sse> expected;
    for (unsigned seed = 0; seed < kPairs; ++seed) {
        const NoisePair noise(format, 1023, seed);
        pairs.emplace_back(*gpu, noise.views());
        expected.push_back(cpu_sse(noise.views(), 3));
    }
    const auto extractor = test::make_cuda(*gpu, kPsnrCuda, format);
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < 50; ++repeat)
        for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
            std::vector<CudaFrame> frames;
            std::vector<Sse> wanted;
            for (unsigned i = 0; i < count; ++i) {
                const std::size_t pair = random() % kPairs;
                frames.push_back(pairs[pair].frame());
                wanted.push_back(expected[pair]);
            }
            ASSERT_EQ(cuda_sse(*gpu, *extractor, frames), wanted) << "repeat " << repeat;
        }
}

} // namespace
} // namespace vmaf
