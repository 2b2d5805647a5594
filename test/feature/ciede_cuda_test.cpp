#include <gtest/gtest.h>

#include <cmath>

#include "feature/ciede/ciede.h"
#include "feature/ciede/ciede_cuda_params.h"
#include "feature/make_cuda.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePair;
using test::FeatureRunner;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;
using test::TestPicture;

double score_of(const CiedeSums &sums, const PictureFormat &format)
{
    double score = 0;
    static_cast<const Feature &>(*kCiede.create(test::parse_options(kCiede, {}).value()))
        .finish(&sums, format, {&score, 1});
    return score;
}

double cpu_score(const PictureFormat &format, const FramePlanes &pair)
{
    return FeatureRunner<CiedeSums>(kCiede).scores(pair, format)[0];
}

std::vector<double> cuda_scores(const TestGpu &gpu, CudaExtractor &extractor, const PictureFormat &format,
                                const std::vector<CudaFrame> &frames)
{
    std::vector<double> scores;
    for (const CiedeSums &sums : test::run_batch<CiedeSums>(gpu, extractor, frames))
        scores.push_back(score_of(sums, format));
    return scores;
}

void expect_score(double score, double expected, const PictureFormat &format)
{
    if (std::isinf(expected))
        EXPECT_EQ(score, expected);
    else
        EXPECT_NEAR(score, expected, kCiede.gpu_tolerance)
            << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt;
}

void expect_cpu_score(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair,
                      const PlaneLayout &layout = {})
{
    const auto extractor = test::make_cuda(gpu, kCiedeCuda, format, {}, 1);
    const DevicePair device(gpu, pair, layout);
    expect_score(cuda_scores(gpu, *extractor, format, {device.frame()})[0], cpu_score(format, pair), format);
}

/// Two pictures of noise, or one picture of noise and a copy with small errors.
class NoisePair {
  public:
    enum Kind { independent, distorted };

    NoisePair(const PictureFormat &format, unsigned max_sample, Kind kind, unsigned seed) : ref_(format), dis_(format)
    {
        std::mt19937 random(seed);
        const auto noise = [&](unsigned, unsigned, unsigned) { return random() % (max_sample + 1); };
        ref_.fill(noise);
        dis_.fill(noise);
        if (kind == distorted)
            dis_.fill([&](unsigned plane, unsigned x, unsigned y) {
                const unsigned long sample = ref_.at(plane, x, y) + random() % 3;
                return sample == 0 ? sample : std::min<unsigned long>(sample - 1, max_sample);
            });
    }

    FramePlanes views() const { return planes_of(ref_, dis_); }

  private:
    TestPicture ref_, dis_;
};

void expect_cpu_score_of_noise(const TestGpu &gpu, const PictureFormat &format, const PlaneLayout &layout = {})
{
    for (const NoisePair::Kind kind : {NoisePair::independent, NoisePair::distorted}) {
        const NoisePair noise(format, (1U << format.bpc) - 1, kind, format.width * 131 + format.height);
        expect_cpu_score(gpu, format, noise.views(), layout);
    }
}

TEST(CiedeCuda, AgreesWithTheCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        if (clip.format().plane_count() < 3)
            continue;
        SCOPED_TRACE(spec.name);
        for (unsigned i = 0; i < std::min(spec.frames, 2U); ++i)
            expect_cpu_score(*gpu, clip.format(), planes_of(clip, i));
    }
}

TEST(CiedeCuda, AgreesWithTheCpuAtSmallSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 1; width <= 9; ++width)
        for (unsigned height = 1; height <= 9; ++height) {
            expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV444P, 8, width, height});
            if (width > 1)
                expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV422P, 12, width, height});
            if (width > 1 && height > 1)
                expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV420P, 10, width, height});
        }
}

// In 4:2:2, chroma is taken across the ends of rows. At the end of the picture there is none.
TEST(CiedeCuda, AgreesWithTheCpuAroundTheTileSizeInEveryFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const VmafPixelFormat format : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P})
        for (unsigned width = kCiedeBlockColumns - 1; width <= kCiedeBlockColumns + 1; ++width)
            for (unsigned height = kCiedeBlockRows - 1; height <= kCiedeBlockRows + 1; ++height)
                expect_cpu_score_of_noise(*gpu, {format, width % 2 == 0 ? 8U : 16U, width, height});
}

TEST(CiedeCuda, AgreesWithTheCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U, 12U, 16U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, 201, 47};
        expect_cpu_score_of_noise(*gpu, format);
        expect_cpu_score_of_noise(*gpu, format, test::unaligned_layout(bpc));
    }
}

TEST(CiedeCuda, AgreesWithTheCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {10U, 12U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV444P, bpc, 133, 31};
        for (const NoisePair::Kind kind : {NoisePair::independent, NoisePair::distorted})
            expect_cpu_score(*gpu, format, NoisePair(format, 0xffff, kind, bpc).views());
    }
}

TEST(CiedeCuda, AgreesWithTheCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV420P, 8, 16384, 17});
    expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV422P, 10, 17, 16384});
    expect_cpu_score_of_noise(*gpu, {VMAF_PIX_FMT_YUV444P, 16, 4096, 301});
}

// If the reference's or the distorted colour is grey, C and the hue are 0.
TEST(CiedeCuda, AgreesWithTheCpuOnEveryPairOfColours)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr std::array kSamples{0U, 16U, 24U, 25U, 60U, 127U, 128U, 129U, 180U, 235U, 255U};
    constexpr unsigned kColours = kSamples.size() * kSamples.size() * kSamples.size();
    const PictureFormat format{VMAF_PIX_FMT_YUV444P, 8, kColours, 1};
    const auto colours = [&](unsigned turned) {
        return [=, &kSamples](unsigned plane, unsigned x, unsigned) {
            unsigned index = (x + turned) % kColours;
            for (unsigned i = 0; i < plane; ++i)
                index /= kSamples.size();
            return kSamples[index % kSamples.size()];
        };
    };
    TestPicture ref(format), dis(format);
    ref.fill(colours(0));
    for (const unsigned turned : {0U, 1U, 5U, 11U, 77U, 121U, 500U, 1000U}) {
        dis.fill(colours(turned));
        expect_cpu_score(*gpu, format, planes_of(ref, dis));
    }
}

// At 16 bits, a change by one value is near the noise of the definition's binary32 colours. The
// noise must be the same.
TEST(CiedeCuda, AgreesWithTheCpuOnTheSmallestDifferences)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV444P, 16, 301, 61};
    std::mt19937 random(3);
    TestPicture ref(format), dis(format);
    ref.fill([&](unsigned, unsigned, unsigned) { return 8000 + random() % 40000; });
    for (const unsigned planes : {1U, 2U, 4U, 7U}) {
        dis.fill([&](unsigned plane, unsigned x, unsigned y) { return ref.at(plane, x, y) + (planes >> plane & 1); });
        expect_cpu_score(*gpu, format, planes_of(ref, dis));
    }
}

TEST(CiedeCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 10, 203, 61};
    std::vector<DevicePair> pairs;
    std::vector<double> expected;
    for (unsigned seed = 0; seed < kMaxBatchFrames; ++seed) {
        const NoisePair noise(format, 1023, NoisePair::independent, seed);
        pairs.emplace_back(*gpu, noise.views());
        expected.push_back(cpu_score(format, noise.views()));
    }
    const auto extractor = test::make_cuda(*gpu, kCiedeCuda, format);
    std::vector<double> first;
    for (const unsigned count : {kMaxBatchFrames, 1U, 3U}) {
        std::vector<CudaFrame> frames;
        for (unsigned i = 0; i < count; ++i)
            frames.push_back(pairs[i].frame());
        const std::vector<double> scores = cuda_scores(*gpu, *extractor, format, frames);
        if (first.empty())
            first = scores;
        for (unsigned i = 0; i < count; ++i) {
            expect_score(scores[i], expected[i], format);
            EXPECT_EQ(scores[i], first[i]);
        }
    }
}

} // namespace
} // namespace vmaf
