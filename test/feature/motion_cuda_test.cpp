#include <gtest/gtest.h>

#include "feature/make_cuda.h"
#include "feature/motion/motion.h"
#include "feature/motion/motion_cuda_params.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePlane;
using test::HostPlane;
using test::PlaneLayout;
using test::Side;
using test::TestGpu;

PictureFormat luma_format(unsigned width, unsigned height, unsigned bpc)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, width, height};
}

std::uint64_t cpu_sad(const PictureFormat &format, const PlaneView &earlier, const PlaneView &current)
{
    FramePlanes planes;
    planes.ref[0] = current;
    planes.earlier[0].ref[0] = earlier;
    planes.frame_index = 1;
    MotionSums sums{};
    EXPECT_TRUE(make_motion_cpu(format, 1, cpu_target(0))->extract(planes, &sums).ok());
    return sums.sad;
}

/// The CUDA backend and its results for one batch of pictures.
class Motion {
  public:
    Motion(const TestGpu &gpu, const PictureFormat &format)
        : gpu_(gpu), extractor_(test::make_cuda(gpu, kMotionCuda, format))
    {
    }

    std::vector<std::uint64_t> sads(const std::vector<CudaFrame> &frames)
    {
        std::vector<std::uint64_t> list;
        for (const MotionSums &sums : test::run_batch<MotionSums>(gpu_, *extractor_, frames))
            list.push_back(sums.sad);
        return list;
    }

    std::uint64_t sad(const DevicePlane &earlier, const DevicePlane &current)
    {
        return sads({frame(earlier, current)})[0];
    }

    static CudaFrame frame(const DevicePlane &earlier, const DevicePlane &current)
    {
        CudaFrame frame{};
        frame.ref[0] = current.view();
        frame.earlier[0].ref[0] = earlier.view();
        return frame;
    }

  private:
    const TestGpu &gpu_;
    std::unique_ptr<CudaExtractor> extractor_;
};

void expect_cpu_sad(const TestGpu &gpu, const HostPlane &earlier, const HostPlane &current,
                    const PlaneLayout &layout = {})
{
    const PlaneView view = current.view();
    const PictureFormat format = luma_format(view.width_px, view.height_px, view.bpc);
    const DevicePlane p(gpu, earlier.view(), layout), c(gpu, view, layout);
    EXPECT_EQ(Motion(gpu, format).sad(p, c), cpu_sad(format, earlier.view(), view))
        << view.width_px << "x" << view.height_px << " at " << view.bpc << " bit";
}

void expect_cpu_sad_of_noise(const TestGpu &gpu, unsigned width, unsigned height, unsigned bpc,
                             const PlaneLayout &layout = {})
{
    std::mt19937 random(width * 131 + height * 17 + bpc);
    HostPlane earlier(width, height, bpc), current(width, height, bpc);
    earlier.fill_noise(random, (1U << bpc) - 1);
    current.fill_noise(random, (1U << bpc) - 1);
    expect_cpu_sad(gpu, earlier, current, layout);
}

TEST(MotionCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        Motion motion(*gpu, clip.format());
        std::vector<DevicePlane> lumas;
        for (unsigned i = 0; i < spec.frames; ++i)
            lumas.emplace_back(*gpu, clip.plane(Side::ref, i, 0));
        for (const unsigned distance : {1U, 2U})
            for (unsigned i = distance; i < spec.frames; ++i)
                EXPECT_EQ(motion.sad(lumas[i - distance], lumas[i]),
                          cpu_sad(clip.format(), clip.plane(Side::ref, i - distance, 0), clip.plane(Side::ref, i, 0)))
                    << spec.name << " frame " << i << " distance " << distance;
    }
}

// Totals of spec motion 6. They would differ if the difference had the wrong sign.
TEST(MotionCuda, MatchesTheChaptersTotals)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const std::vector<std::pair<const char *, std::uint64_t>> expected{
        {"tiles_176x144_8", 74439662},     {"tiles_177x145_8", 75451970},      {"tiles_352x288_10", 296732171},
        {"tiles_256x192_12", 142283772},   {"tiles_256x192_16", 142283765},    {"noise_176x144_8", 160631384},
        {"tiles_1920x1080_8", 5967959958}, {"tiles_3840x2160_10", 23914495996}};
    for (const auto &[name, sad] : expected) {
        const Clip &clip = Clip::get(name);
        const DevicePlane earlier(*gpu, clip.plane(Side::ref, 0, 0)), current(*gpu, clip.plane(Side::ref, 1, 0));
        EXPECT_EQ(Motion(*gpu, clip.format()).sad(earlier, current), sad) << name;
    }
}

TEST(MotionCuda, FirstFrameOfABatchMayHaveNoPrevious)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const Clip &clip = Clip::get("tiles_177x145_8");
    Motion motion(*gpu, clip.format());
    std::vector<DevicePlane> lumas;
    for (unsigned i = 0; i < 3; ++i)
        lumas.emplace_back(*gpu, clip.plane(Side::ref, i, 0));
    CudaFrame first{};
    first.ref[0] = lumas[0].view();
    const std::vector<std::uint64_t> expected{0, 75451970, 74819660}; // spec motion 6
    EXPECT_EQ(motion.sads({first, Motion::frame(lumas[0], lumas[1]), Motion::frame(lumas[1], lumas[2])}), expected);
    EXPECT_EQ(motion.sads({first}), std::vector<std::uint64_t>{0});
}

TEST(MotionCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 3; width <= 20; ++width)
        for (unsigned height = 3; height <= 20; ++height)
            expect_cpu_sad_of_noise(*gpu, width, height, (width + height) % 2 == 0 ? 8 : 10);
}

TEST(MotionCuda, EqualsCpuAroundTheTileSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr int kTileHeight = kMotionWarpRows * kMotionBlockWarps;
    for (const int width : {kMotionWarpWidth, 2 * kMotionWarpWidth})
        for (const int height : {kMotionWarpRows, kTileHeight})
            for (int dx = -2; dx <= 2; ++dx)
                for (int dy = -2; dy <= 2; ++dy)
                    expect_cpu_sad_of_noise(*gpu, static_cast<unsigned>(width + dx), static_cast<unsigned>(height + dy),
                                            (dx + dy) % 2 == 0 ? 8 : 16);
}

TEST(MotionCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U}) {
        expect_cpu_sad_of_noise(*gpu, 4096, 17, bpc);
        expect_cpu_sad_of_noise(*gpu, 17, 4096, bpc);
        expect_cpu_sad_of_noise(*gpu, 16384, 3, bpc);
        expect_cpu_sad_of_noise(*gpu, 3, 16384, bpc);
    }
}

TEST(MotionCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        expect_cpu_sad_of_noise(*gpu, 499, 171, bpc);
        expect_cpu_sad_of_noise(*gpu, 499, 171, bpc, test::unaligned_layout(bpc));
        for (const std::size_t alignment : {4U, 8U, 16U})
            expect_cpu_sad_of_noise(*gpu, 498, 85, bpc, {alignment, alignment});
    }
}

TEST(MotionCuda, EqualsCpuAtFullSwingAndFlat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const unsigned max_sample = (1U << bpc) - 1;
        std::mt19937 random(bpc);
        HostPlane black(500, 200, bpc), white(500, 200, bpc), swing(500, 200, bpc), other(500, 200, bpc);
        black.fill_flat(0);
        white.fill_flat(max_sample);
        swing.fill_full_swing(random, max_sample);
        other.fill_full_swing(random, max_sample);
        expect_cpu_sad(*gpu, black, white);
        expect_cpu_sad(*gpu, white, black);
        expect_cpu_sad(*gpu, white, white);
        expect_cpu_sad(*gpu, swing, other);
    }
}

// Samples above the depth count as the largest valid sample (motion_params.h).
TEST(MotionCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 9; bpc <= 15; ++bpc) {
        std::mt19937 random(bpc);
        HostPlane earlier(77, 45, bpc), current(77, 45, bpc);
        earlier.fill_noise(random, 0xffff);
        current.fill_noise(random, 0xffff);
        expect_cpu_sad(*gpu, earlier, current);
    }
}

TEST(MotionCuda, BatchesOfAnySizeStayEqualFiftyTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kPictures = 11;
    const PictureFormat format = luma_format(643, 361, 8);
    std::mt19937 random(1);
    std::vector<HostPlane> pictures(kPictures, HostPlane(format.width, format.height, format.bpc));
    std::vector<DevicePlane> planes;
    for (HostPlane &picture : pictures)
        planes.emplace_back(*gpu, picture.fill_noise(random, 255).view());
    std::vector<std::uint64_t> expected(kPictures * kPictures);
    for (unsigned p = 0; p < kPictures; ++p)
        for (unsigned c = 0; c < kPictures; ++c)
            expected[p * kPictures + c] = cpu_sad(format, pictures[p].view(), pictures[c].view());

    Motion motion(*gpu, format);
    for (unsigned repeat = 0; repeat < 50; ++repeat)
        for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
            std::vector<CudaFrame> frames;
            std::vector<std::uint64_t> wanted;
            for (unsigned i = 0; i < count; ++i) {
                const std::size_t p = random() % kPictures, c = random() % kPictures;
                frames.push_back(Motion::frame(planes[p], planes[c]));
                wanted.push_back(expected[p * kPictures + c]);
            }
            ASSERT_EQ(motion.sads(frames), wanted) << "repeat " << repeat;
        }
}

} // namespace
} // namespace vmaf
