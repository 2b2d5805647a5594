#include <gtest/gtest.h>

#include <cmath>

#include "feature/make_cuda.h"
#include "feature/speed/speed.h"
#include "feature/speed_check_values.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::Options;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;
using test::TestPicture;
using test::speed::kSetA;
using test::speed::kSetB;
using test::speed::kSetC;
using test::speed::with;

const Options kNone;

/// The score of a plane pair, and whether it is bad. All NaN count as equal.
using Score = std::pair<float, std::uint32_t>;

Score score_of(const SpeedPlaneScore &plane)
{
    return {std::isnan(plane.score) ? -1 : plane.score, plane.bad};
}

std::vector<Score> scores_of(const SpeedChromaSums &sums)
{
    return {score_of(sums.plane[0]), score_of(sums.plane[1])};
}

std::vector<Score> scores_of(const SpeedTemporalSums &sums)
{
    return {score_of(sums.luma)};
}

struct Chroma {
    using Sums = SpeedChromaSums;
    static constexpr const FeatureSpec &kSpec = kSpeedChroma;
    static constexpr auto kBackend = &kSpeedChromaCuda;
};
struct Temporal {
    using Sums = SpeedTemporalSums;
    static constexpr const FeatureSpec &kSpec = kSpeedTemporal;
    static constexpr auto kBackend = &kSpeedTemporalCuda;
};

template <class Kind> std::unique_ptr<Feature> feature_of(const Options &options)
{
    return Kind::kSpec.create(test::parse_options(Kind::kSpec, options).value());
}

template <class Kind>
std::vector<std::vector<Score>> cpu_scores(const PictureFormat &format, const Options &options,
                                           const std::vector<FramePlanes> &frames)
{
    const auto feature = feature_of<Kind>(options);
    const auto cpu = feature->make_cpu(format, cpu_target(0));
    std::vector<std::vector<Score>> list;
    for (const FramePlanes &frame : frames) {
        typename Kind::Sums sums;
        FramePlanes seen;
        see_through(feature->window(format), frame, 1, seen);
        EXPECT_TRUE(cpu->extract(seen, &sums).ok());
        list.push_back(scores_of(sums));
    }
    return list;
}

template <class Kind>
std::unique_ptr<CudaExtractor> make_cuda(const TestGpu &gpu, const PictureFormat &format, const Options &options,
                                         unsigned max_batch)
{
    return test::make_cuda(gpu, *Kind::kBackend, format, options, max_batch);
}

/// Frames on the device, each with its pair and the pair before.
class DeviceFrames {
  public:
    DeviceFrames(const TestGpu &gpu, const std::vector<FramePlanes> &frames, const PlaneLayout &layout)
    {
        for (const FramePlanes &frame : frames) {
            pairs_.emplace_back(gpu, frame, layout);
            frames_.push_back(pairs_.back().frame());
            frames_.back().frame_index = frame.frame_index;
            if (frame.earlier[0].ref[0].data == nullptr)
                continue;
            FramePlanes earlier;
            static_cast<PairOf<PlaneView> &>(earlier) = frame.earlier[0];
            pairs_.emplace_back(gpu, earlier, layout);
            frames_.back().earlier[0] = pairs_.back().frame();
        }
    }

    const std::vector<CudaFrame> &frames() const { return frames_; }

  private:
    std::vector<DevicePair> pairs_;
    std::vector<CudaFrame> frames_;
};

template <class Kind>
std::vector<std::vector<Score>> cuda_scores(const TestGpu &gpu, CudaExtractor &extractor,
                                            const std::vector<CudaFrame> &frames)
{
    std::vector<std::vector<Score>> list;
    for (const auto &sums : test::run_batch<typename Kind::Sums>(gpu, extractor, frames))
        list.push_back(scores_of(sums));
    return list;
}

/// All frames in one batch.
template <class Kind>
void expect_cpu_scores(const TestGpu &gpu, const PictureFormat &format, const Options &options,
                       const std::vector<FramePlanes> &frames, const PlaneLayout &layout = {})
{
    const auto extractor = make_cuda<Kind>(gpu, format, options, static_cast<unsigned>(frames.size()));
    const DeviceFrames device(gpu, frames, layout);
    EXPECT_EQ(cuda_scores<Kind>(gpu, *extractor, device.frames()), cpu_scores<Kind>(format, options, frames))
        << Kind::kSpec.name << ", " << format.width << "x" << format.height << " at " << format.bpc << " bit, format "
        << format.pix_fmt << (options.empty() ? "" : ", " + options[0].first + " " + options[0].second);
}

/// Pairs of pictures. Both have the same structure after the low pass, and noise of their own.
class Pictures {
  public:
    Pictures(const PictureFormat &format, unsigned frames, unsigned max_sample, unsigned seed = 1)
    {
        std::mt19937 random(seed);
        for (unsigned i = 0; i < 2 * frames; ++i)
            pictures_.emplace_back(format).fill([&](unsigned plane, unsigned x, unsigned y) {
                const unsigned coarse = hash(x / 19, y / 17, 3 * (i / 2) + plane) % (max_sample + 1);
                return coarse / 4 * 3 + random() % (max_sample / 4 + 1);
            });
        for (unsigned i = 0; i < frames; ++i) {
            frames_.push_back(planes_of(pictures_[2 * i], pictures_[2 * i + 1]));
            frames_.back().frame_index = i;
            if (i > 0)
                frames_.back().earlier[0] = frames_[i - 1];
        }
    }

    const std::vector<FramePlanes> &frames() const { return frames_; }

  private:
    static std::uint32_t hash(std::uint32_t x, std::uint32_t y, std::uint32_t z)
    {
        std::uint32_t h = x * 0x9e3779b1U ^ y * 0x85ebca77U ^ z * 0xc2b2ae3dU;
        for (unsigned i = 0; i < 2; ++i)
            h = (h ^ h >> 15) * 0x2c1b3c6dU;
        return h ^ h >> 15;
    }

    std::vector<TestPicture> pictures_;
    std::vector<FramePlanes> frames_;
};

PictureFormat chroma_444(unsigned width, unsigned height, unsigned bpc = 8)
{
    return {VMAF_PIX_FMT_YUV444P, bpc, width, height};
}
PictureFormat grey(unsigned width, unsigned height, unsigned bpc = 8)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, width, height};
}
unsigned max_sample(const PictureFormat &format)
{
    return (1U << format.bpc) - 1;
}

void expect_cpu_chroma(const TestGpu &gpu, const PictureFormat &format, const Options &options = kNone,
                       const PlaneLayout &layout = {})
{
    expect_cpu_scores<Chroma>(gpu, format, options, Pictures(format, 1, max_sample(format)).frames(), layout);
}

void expect_cpu_temporal(const TestGpu &gpu, const PictureFormat &format, const Options &options = kNone,
                         const PlaneLayout &layout = {})
{
    expect_cpu_scores<Temporal>(gpu, format, options, Pictures(format, 2, max_sample(format)).frames(), layout);
}

std::vector<FramePlanes> frames_of(const Clip &clip)
{
    std::vector<FramePlanes> frames;
    for (unsigned i = 0; i < std::min(clip.spec().frames, 3U); ++i) {
        frames.push_back(planes_of(clip, i));
        frames.back().frame_index = i;
        if (i > 0)
            frames.back().earlier[0] = frames[i - 1];
    }
    return frames;
}

TEST(SpeedCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        for (const Options &options : {kNone, kSetA, kSetB, kSetC})
            if (feature_of<Chroma>(options)->check_format(clip.format()).ok())
                expect_cpu_scores<Chroma>(*gpu, clip.format(), options, frames_of(clip));
        for (const Options &options : {kNone, test::speed::kRefDiff, test::speed::kPrescaled})
            if (feature_of<Temporal>(options)->check_format(clip.format()).ok())
                expect_cpu_scores<Temporal>(*gpu, clip.format(), options, frames_of(clip));
    }
}

TEST(SpeedCuda, MatchesTheChaptersScores)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::speed::ChromaClip &expected : test::speed::kChromaClips) {
        const Clip &clip = Clip::get(expected.clip);
        const auto extractor = make_cuda<Chroma>(*gpu, clip.format(), expected.options, 1);
        const DevicePair device(*gpu, planes_of(clip, 0));
        const auto sums = test::run_batch<SpeedChromaSums>(*gpu, *extractor, {device.frame()});
        std::vector<double> scores(3);
        static_cast<const Feature &>(*feature_of<Chroma>(expected.options)).finish(sums.data(), clip.format(), scores);
        const auto &[u, v, uv] = expected.frames[0];
        EXPECT_EQ(scores, (std::vector{u, v, uv})) << expected.clip;
    }
}

// Up to 5 x 5 blocks of one row or column have singular covariances.
TEST(SpeedCuda, EqualsCpuAtSmallSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {80U, 81U, 95U, 160U, 250U})
        for (const unsigned height : {80U, 97U, 175U, 400U})
            expect_cpu_chroma(*gpu, chroma_444(width, height));
}

TEST(SpeedCuda, EqualsCpuInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        expect_cpu_chroma(*gpu, {format, 10, 527, 483}, kSetA);
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV400P})
        expect_cpu_temporal(*gpu, {format, 10, 263, 271});
}

TEST(SpeedCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        expect_cpu_chroma(*gpu, chroma_444(243, 245, bpc), kNone, test::unaligned_layout(bpc));
        expect_cpu_temporal(*gpu, grey(243, 245, bpc), kNone, test::unaligned_layout(bpc));
    }
}

TEST(SpeedCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat colour = chroma_444(243, 245, 10), luma = grey(243, 245, 10);
    expect_cpu_scores<Chroma>(*gpu, colour, kNone, Pictures(colour, 1, 0xffff).frames());
    expect_cpu_scores<Temporal>(*gpu, luma, kNone, Pictures(luma, 2, 0xffff).frames());
}

TEST(SpeedCuda, EqualsCpuAtEveryPrescale)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *method : {"nearest", "bilinear", "bicubic", "lanczos4"})
        for (const char *factor : {"0.6", "1.3", "2"})
            expect_cpu_temporal(*gpu, grey(411, 403, 8),
                                {{"speed_prescale", factor}, {"speed_prescale_method", method}});
    for (const char *factor : {"0.9995", "1.0009"}) // the picture is cut, or used as it is
        expect_cpu_chroma(*gpu, chroma_444(1120, 245), {{"speed_prescale", factor}});
    expect_cpu_chroma(*gpu, chroma_444(411, 403, 10), kSetB);
    expect_cpu_chroma(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 990, 970}, kSetC);
}

TEST(SpeedCuda, EqualsCpuAtEveryKernelScale)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *scale : {"0.5", "0.444444", "1.5", "2", "0.666667", "2.4", "3.71134", "3", "1.6", "1.111111"})
        expect_cpu_chroma(*gpu, chroma_444(267, 251), {{"speed_kernelscale", scale}});
    for (const unsigned height : {80U, 96U}) // filters as long as the small picture
        expect_cpu_temporal(*gpu, grey(400, height), {{"speed_kernelscale", "3.71134"}});
}

TEST(SpeedCuda, EqualsCpuWithEveryWeightAndNoise)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned mode = 0; mode <= 6; ++mode)
        expect_cpu_chroma(*gpu, chroma_444(251, 267), {{"speed_weight_var_mode", std::to_string(mode)}});
    for (const char *sigma : {"0.1", "2"})
        for (const char *floor : {"0", "1"})
            expect_cpu_chroma(*gpu, chroma_444(251, 267), {{"speed_sigma_nn", sigma}, {"speed_nn_floor", floor}});
}

// Sizes that fit shared memory: 46 and 97 rows of windows in doubles and floats at the first size,
// less than a row at the second.
TEST(SpeedCuda, EqualsCpuBeyondOneTile)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_temporal(*gpu, grey(1600, 1696), kNone);
    expect_cpu_temporal(*gpu, grey(16384, 112), kNone);
}

TEST(SpeedCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_chroma(*gpu, chroma_444(112, 16384, 10));
    expect_cpu_temporal(*gpu, grey(16384, 700, 12));
    expect_cpu_temporal(*gpu, grey(4096, 400, 8), {{"speed_prescale", "4"}, {"speed_prescale_method", "lanczos4"}});
    expect_cpu_chroma(*gpu, chroma_444(4096, 4096, 8), kSetC);
}

TEST(SpeedCuda, EqualsCpuOnFlatPlanes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = chroma_444(251, 267);
    const Pictures pictures(format, 1, 255);
    TestPicture flat(format);
    flat.fill([](unsigned, unsigned, unsigned) { return 128; });
    const FramePlanes flat_planes = planes_of(flat, flat);
    for (unsigned sides = 1; sides < 4; ++sides) {
        std::vector<FramePlanes> frames = pictures.frames();
        if ((sides & 1) != 0)
            frames[0].ref[1] = flat_planes.ref[1];
        if ((sides & 2) != 0)
            frames[0].dis[1] = flat_planes.dis[1];
        expect_cpu_scores<Chroma>(*gpu, format, kSetA, frames);
    }
}

TEST(SpeedCuda, IdenticalPicturesAreEqualToTheCpus)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = chroma_444(251, 267);
    const Pictures pictures(format, 1, 255);
    std::vector<FramePlanes> frames = pictures.frames();
    std::copy(std::begin(frames[0].ref), std::end(frames[0].ref), frames[0].dis);
    for (const Options &options : {kNone, kSetA})
        expect_cpu_scores<Chroma>(*gpu, format, options, frames);
}

TEST(SpeedCuda, TheReferenceCanBeSubtractedFromBoth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = grey(251, 267, 12);
    expect_cpu_scores<Temporal>(*gpu, format, {{"speed_use_ref_diff", "true"}},
                                Pictures(format, 3, max_sample(format)).frames());
}

// The first frame that is fed, and the one with index 0.
TEST(SpeedCuda, FramesOfABatchMayBeComparedWithNothing)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = grey(251, 267);
    const Pictures pictures(format, 3, 255);
    std::vector<FramePlanes> frames = pictures.frames();
    frames[0].frame_index = 7;
    expect_cpu_scores<Temporal>(*gpu, format, kNone, frames);
    frames[1].frame_index = 0;
    expect_cpu_scores<Temporal>(*gpu, format, kNone, frames);
}

TEST(SpeedCuda, BatchesOfAnySizeAreEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = chroma_444(251, 267);
    const Pictures pictures(format, kMaxBatchFrames, 255);
    const DeviceFrames device(*gpu, pictures.frames(), {});
    const auto chroma = cpu_scores<Chroma>(format, kSetA, pictures.frames());
    const auto temporal = cpu_scores<Temporal>(format, kNone, pictures.frames());
    for (const unsigned made_for : {kMaxBatchFrames, 3U}) { // larger ones are processed in parts
        const auto chroma_cuda = make_cuda<Chroma>(*gpu, format, kSetA, made_for);
        const auto temporal_cuda = make_cuda<Temporal>(*gpu, format, kNone, made_for);
        for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
            const std::vector<CudaFrame> frames(device.frames().begin(), device.frames().begin() + count);
            EXPECT_EQ(cuda_scores<Chroma>(*gpu, *chroma_cuda, frames),
                      std::vector(chroma.begin(), chroma.begin() + count));
            EXPECT_EQ(cuda_scores<Temporal>(*gpu, *temporal_cuda, frames),
                      std::vector(temporal.begin(), temporal.begin() + count));
        }
    }
}

} // namespace
} // namespace vmaf
