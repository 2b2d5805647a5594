#include <gtest/gtest.h>

#include <array>

#include "feature/make_cuda.h"
#include "feature/psnr_hvs/psnr_hvs.h"
#include "feature/psnr_hvs/psnr_hvs_cuda_params.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;
using test::TestPicture;

using Accumulators = std::array<float, 3>;

Accumulators list_of(const PsnrHvsSums &sums)
{
    return {sums.accumulator[0], sums.accumulator[1], sums.accumulator[2]};
}

Accumulators cpu_accumulators(const PictureFormat &format, const FramePlanes &pair)
{
    return list_of(test::FeatureRunner<PsnrHvsSums>(kPsnrHvs).sums(pair, format));
}

std::unique_ptr<CudaExtractor> make_extractor(const TestGpu &gpu, const PictureFormat &format, unsigned max_batch = 1,
                                              std::size_t max_scratch_bytes = ~std::size_t{0})
{
    return test::make_cuda(gpu, kPsnrHvsCuda, format, {}, max_batch, max_scratch_bytes);
}

std::vector<Accumulators> cuda_accumulators(const TestGpu &gpu, CudaExtractor &extractor,
                                            const std::vector<CudaFrame> &frames)
{
    std::vector<Accumulators> list;
    for (const PsnrHvsSums &sums : test::run_batch<PsnrHvsSums>(gpu, extractor, frames))
        list.push_back(list_of(sums));
    return list;
}

void expect_cpu_accumulators(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair,
                             const PlaneLayout &layout = {})
{
    const DevicePair device(gpu, pair, layout);
    EXPECT_EQ(cuda_accumulators(gpu, *make_extractor(gpu, format), {device.frame()})[0], cpu_accumulators(format, pair))
        << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt;
}

/// A wave with noise in some places, and a copy with errors in some rows of blocks.
class Pair {
  public:
    Pair(const PictureFormat &format, unsigned seed) : ref_(format), dis_(format)
    {
        std::mt19937 random(seed);
        const double peak = (1U << format.bpc) - 1;
        ref_.fill([&](unsigned plane, unsigned x, unsigned y) {
            const double wave = 0.5 + 0.3 * std::sin(0.13 * x + seed) * std::cos(0.07 * y + plane);
            return (wave + (x / 16 % 3 == 0 ? static_cast<double>(random() % 1000) * 1.5e-4 : 0)) * peak;
        });
        dis_.fill([&](unsigned plane, unsigned x, unsigned y) {
            const unsigned sample = ref_.at(plane, x, y);
            return y / 24 % 2 == 1 || random() % 3 != 0 ? sample : (3 * sample + random() % (1U << format.bpc)) / 4;
        });
    }

    FramePlanes views() const { return planes_of(ref_, dis_); }

  private:
    TestPicture ref_, dis_;
};

void expect_cpu_accumulators_of_waves(const TestGpu &gpu, const PictureFormat &format, const PlaneLayout &layout = {})
{
    expect_cpu_accumulators(gpu, format, Pair(format, format.width * 131 + format.height).views(), layout);
}

TEST(PsnrHvsCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        if (test::FeatureRunner<PsnrHvsSums>(kPsnrHvs).format_error(clip.format()) != 0)
            continue;
        SCOPED_TRACE(spec.name);
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i)
            expect_cpu_accumulators(*gpu, clip.format(), planes_of(clip, i));
    }
}

TEST(PsnrHvsCuda, MatchesTheChaptersAccumulators)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const std::vector<std::pair<const char *, Accumulators>> expected{
        {"tiles_176x144_8", {421681.844F, 66208.8125F, 78657.9922F}},
        {"tiles_256x192_12", {186847312.0F, 61257708.0F, 71158824.0F}},
        {"tiles_1920x1080_8", {38875756, 7614090, 8535150}},
        {"tiles_3840x2160_10", {2.24534349e9F, 440646368, 476732416}},
    };
    for (const auto &[name, accumulators] : expected) {
        const Clip &clip = Clip::get(name);
        const DevicePair device(*gpu, planes_of(clip, 0));
        EXPECT_EQ(cuda_accumulators(*gpu, *make_extractor(*gpu, clip.format()), {device.frame()})[0], accumulators)
            << name;
    }
}

// Planes with no block, one block, and a few.
TEST(PsnrHvsCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 24; ++width)
        for (unsigned height = 5; height <= 24; height += 1 + width % 2)
            expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, width % 2 == 0 ? 8U : 10U, width, height});
}

// 64, 128 and 8192 blocks, and one more and one less.
TEST(PsnrHvsCuda, EqualsCpuAroundTheSizesOfGroupsInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    static_assert(kHvsGroupBlocks == 64 && kHvsAddThreads == 128);
    const auto side = [](unsigned blocks) { return kHvsBlockPx + kHvsStepPx * (blocks - 1); };
    for (const VmafPixelFormat format :
         {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (const auto &[columns, rows] :
             {std::pair{8U, 8U}, {63U, 1U}, {13U, 5U}, {16U, 8U}, {127U, 1U}, {1U, 129U}, {22U, 23U}})
            for (const unsigned odd : {0U, 6U})
                for (const unsigned bpc : {8U, 12U})
                    expect_cpu_accumulators_of_waves(*gpu, {format, bpc, side(columns) + odd, side(rows) + odd});
    expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, 8, side(91), side(91)});
}

TEST(PsnrHvsCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U}) {
        expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, bpc, 4096, 17});
        expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV420P, bpc, 17, 4096});
        expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV444P, bpc, 16384, 8});
        expect_cpu_accumulators_of_waves(*gpu, {VMAF_PIX_FMT_YUV444P, bpc, 8, 16384});
    }
}

TEST(PsnrHvsCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const VmafPixelFormat pix_fmt : {VMAF_PIX_FMT_YUV400P, VMAF_PIX_FMT_YUV422P})
        for (unsigned bpc = 8; bpc <= 12; ++bpc) {
            const PictureFormat format{pix_fmt, bpc, 177, 67};
            expect_cpu_accumulators_of_waves(*gpu, format);
            expect_cpu_accumulators_of_waves(*gpu, format, test::unaligned_layout(bpc));
        }
}

TEST(PsnrHvsCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 60, 44};
    TestPicture ref(format), dis(format);
    ref.fill([](unsigned, unsigned x, unsigned y) { return (x * y) % 3 == 0 ? 65535 - x : 7 * x; });
    dis.fill([](unsigned, unsigned x, unsigned y) { return 9 * x + y; });
    expect_cpu_accumulators(*gpu, format, planes_of(ref, dis));
}

TEST(PsnrHvsCuda, EqualsCpuOnBlackAndWhite)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    std::mt19937 random(1);
    for (const unsigned bpc : {8U, 12U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV444P, bpc, 100, 99};
        TestPicture ref(format), dis(format);
        const auto sample = [&](unsigned, unsigned, unsigned) { return random() % 2 * ((1U << bpc) - 1); };
        ref.fill(sample);
        dis.fill(sample);
        expect_cpu_accumulators(*gpu, format, planes_of(ref, dis));
    }
}

/// Contents of a row of blocks in the distorted picture; the reference is black.
enum class Content { black, white, little, ties };

// Long runs of zeros, of errors below the accumulator's last place, and of errors of half that
// place.
TEST(PsnrHvsCuda, AccumulatesInOrderWhateverTheErrorsAre)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 12, 8 + 7 * 69, 8 + 7 * 15};
    using enum Content;
    for (const auto &contents : {std::array{black, black, little, black}, std::array{white, little, little, little},
                                 std::array{black, white, ties, ties}, std::array{little, black, ties, white},
                                 std::array{little, little, white, little}, std::array{black, black, black, white}}) {
        TestPicture ref(format), dis(format);
        dis.fill([&](unsigned, unsigned x, unsigned y) {
            const Content content = contents[std::min(y * 4 / format.height, 3U)];
            switch (content) {
            case white:
                return 4095U;
            case little:
                return (x + y) % 5 == 0 ? 1U : 0U;
            case ties:
                return x / 7 % 3 == 0 ? 64U : 0U;
            default:
                return 0U;
            }
        });
        SCOPED_TRACE(static_cast<int>(contents[0]));
        expect_cpu_accumulators(*gpu, format, planes_of(ref, dis));
        expect_cpu_accumulators(*gpu, format, planes_of(dis, ref));
    }
}

// White rows bring the accumulator just below a power of two. Most of the errors that follow are
// too small to change it, although their sum would pass the power. The exponent that is guessed for
// the groups below is therefore too large.
TEST(PsnrHvsCuda, AWrongGuessOfTheExponentIsSeen)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const auto &[columns, level] : {std::pair{48U, 3894U}, {60U, 3483U}}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 12, kHvsBlockPx + kHvsStepPx * (columns - 1), 211};
        std::mt19937 random(1);
        TestPicture ref(format), dis(format);
        dis.fill([&, white = level](unsigned plane, unsigned, unsigned y) {
            if (plane > 0)
                return 0U;
            return y < kHvsBlockPx ? white : static_cast<unsigned>(random() % (y < 179 ? 32 : 4096));
        });
        expect_cpu_accumulators(*gpu, format, planes_of(ref, dis));
    }
}

TEST(PsnrHvsCuda, IdenticalPicturesAddNothing)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 200, 120};
    const Pair pair(format, 1);
    FramePlanes planes = pair.views();
    std::copy_n(planes.ref, 3, planes.dis);
    const DevicePair device(*gpu, planes);
    EXPECT_EQ(cuda_accumulators(*gpu, *make_extractor(*gpu, format), {device.frame()})[0], (Accumulators{}));
}

// The accumulator continues from one batch of blocks to the next.
TEST(PsnrHvsCuda, EqualsCpuWithLittleScratchMemory)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV422P, 10, 180, 130};
    const Pair pair(format, 5), other(format, 6);
    const DevicePair device(*gpu, pair.views()), other_device(*gpu, other.views());
    const std::vector<Accumulators> expected{cpu_accumulators(format, pair.views()),
                                             cpu_accumulators(format, other.views())};
    std::size_t most = ~std::size_t{0};
    for (const std::size_t scratch :
         {std::size_t{1}, 2 * 6 * sizeof(HvsGroupErrors), 2 * 12 * sizeof(HvsGroupErrors)}) {
        const auto extractor = make_extractor(*gpu, format, 2, scratch);
        EXPECT_EQ(cuda_accumulators(*gpu, *extractor, {device.frame(), other_device.frame()}), expected) << scratch;
        most = std::min(most, extractor->scratch_bytes());
    }
    EXPECT_LT(most, 7 * sizeof(HvsGroupErrors)); // a group of each plane
    EXPECT_LE(make_extractor(*gpu, {VMAF_PIX_FMT_YUV444P, 12, 16384, 16384}, 8)->scratch_bytes(),
              std::size_t{256} << 20);
}

TEST(PsnrHvsCuda, BatchesOfAnySizeStayEqualTenTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kPairs = 11;
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 151, 97};
    std::vector<DevicePair> pairs;
    std::vector<Accumulators> expected;
    for (unsigned seed = 0; seed < kPairs; ++seed) {
        const Pair pair(format, seed);
        pairs.emplace_back(*gpu, pair.views());
        expected.push_back(cpu_accumulators(format, pair.views()));
    }
    const auto extractor = make_extractor(*gpu, format, kMaxBatchFrames);
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < 10; ++repeat)
        for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
            std::vector<CudaFrame> frames;
            std::vector<Accumulators> wanted;
            for (unsigned i = 0; i < count; ++i) {
                const std::size_t pair = random() % kPairs;
                frames.push_back(pairs[pair].frame());
                wanted.push_back(expected[pair]);
            }
            ASSERT_EQ(cuda_accumulators(*gpu, *extractor, frames), wanted) << "repeat " << repeat;
        }
}

} // namespace
} // namespace vmaf
