#include <gtest/gtest.h>

#include <cstring>

#include "feature/make_cuda.h"
#include "feature/ssim/ssim.h"
#include "feature/ssim/ssim_cuda_params.h"
#include "feature/ssim_sums_check.h"
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

/// A feature, and the number of images that it evaluates. Each has an SsimSums.
struct Kind {
    const FeatureSpec &spec;
    const CudaBackend &backend;
    unsigned images;
};
const Kind kSsim{kFloatSsim, kFloatSsimCuda, 1}, kMsSsim{kFloatMsSsim, kFloatMsSsimCuda, kMsSsimScales};

/// spec ssim 3.3
struct Sums {
    SsimSums image[kMsSsimScales];
};

class Measure {
  public:
    Measure(const TestGpu &gpu, const Kind &kind, const PictureFormat &format, Options options = {},
            unsigned max_batch = 1)
        : gpu_(gpu), kind_(kind), format_(format), options_(std::move(options)),
          feature_(kind.spec.create(test::parse_options(kind.spec, options_).value()))
    {
        extractor_ = test::make_cuda(gpu, kind.backend, format, options_, max_batch);
    }

    Sums cpu(const FramePlanes &pair) const
    {
        Sums sums{};
        EXPECT_TRUE(feature_->make_cpu(format_, cpu_target(0))->extract(pair, &sums).ok());
        return sums;
    }

    std::vector<Sums> cuda(const std::vector<CudaFrame> &frames) const
    {
        return kind_.images == 1 ? run<SsimSums>(frames) : run<MsSsimSums>(frames);
    }
    Sums cuda(const FramePlanes &pair, const PlaneLayout &layout = {}) const
    {
        const DevicePair device(gpu_, pair, layout);
        return cuda({device.frame()})[0];
    }

    std::vector<double> scores(const Sums &sums) const
    {
        std::vector<double> scores(feature_->outputs(format_).size());
        feature_->finish(&sums, format_, scores);
        return scores;
    }

    const PictureFormat &format() const { return format_; }
    unsigned images() const { return kind_.images; }

  private:
    template <class Frame> std::vector<Sums> run(const std::vector<CudaFrame> &frames) const
    {
        std::vector<Sums> list;
        for (const Frame &frame : test::run_batch<Frame>(gpu_, *extractor_, frames)) {
            list.emplace_back();
            std::memcpy(&list.back(), &frame, sizeof frame);
        }
        return list;
    }

    const TestGpu &gpu_;
    Kind kind_;
    PictureFormat format_;
    Options options_;
    std::unique_ptr<Feature> feature_;
    std::unique_ptr<CudaExtractor> extractor_;
};

void expect_cpu_sums(const Measure &measure, const FramePlanes &pair, const PlaneLayout &layout = {})
{
    const Sums cuda = measure.cuda(pair, layout), cpu = measure.cpu(pair);
    const PictureFormat &format = measure.format();
    for (unsigned image = 0; image < measure.images(); ++image) {
        SCOPED_TRACE(testing::Message() << format.width << "x" << format.height << " at " << format.bpc
                                        << " bit, image " << image);
        test::expect_near(cuda.image[image], cpu.image[image], static_cast<double>(format.width) * format.height);
    }
    const std::vector<double> cuda_scores = measure.scores(cuda), cpu_scores = measure.scores(cpu);
    for (std::size_t i = 0; i < cpu_scores.size(); ++i)
        EXPECT_NEAR(cuda_scores[i], cpu_scores[i], 3e-7) << i;
}

/// Two pictures with noise, flat parts and differences.
class Pair {
  public:
    Pair(const PictureFormat &format, unsigned seed) : ref_(format), dis_(format)
    {
        std::mt19937 random(seed);
        const unsigned samples = 1U << format.bpc;
        ref_.fill([&](unsigned, unsigned x, unsigned y) {
            return (x / 16 + y / 16) % 2 == 0 ? seed % samples : static_cast<unsigned>(random() % samples);
        });
        dis_.fill([&](unsigned plane, unsigned x, unsigned y) {
            return random() % 3 == 0 ? static_cast<unsigned>(random() % samples) : ref_.at(plane, x, y);
        });
    }

    FramePlanes views() const { return planes_of(ref_, dis_); }

  private:
    TestPicture ref_, dis_;
};

PictureFormat luma(unsigned bpc, unsigned width, unsigned height)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, width, height};
}

void expect_cpu_sums_of_noise(const TestGpu &gpu, const Kind &kind, const PictureFormat &format,
                              const Options &options = {}, const PlaneLayout &layout = {})
{
    expect_cpu_sums(Measure(gpu, kind, format, options), Pair(format, format.width * 131 + format.height).views(),
                    layout);
}

Options scale(unsigned factor)
{
    return {{"scale", std::to_string(factor)}};
}

const Options kTerms{{"enable_lcs", "true"}};

TEST(SsimCuda, AgreesWithTheCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        const PictureFormat &format = clip.format();
        SCOPED_TRACE(spec.name);
        for (unsigned i = 0; i < std::min(spec.frames, 3U); ++i) {
            expect_cpu_sums(Measure(*gpu, kSsim, format, kTerms), planes_of(clip, i));
            expect_cpu_sums(Measure(*gpu, kSsim, format, scale(1)), planes_of(clip, i));
            if (std::min(format.width, format.height) >= kFloatMsSsim.min_width_px)
                expect_cpu_sums(Measure(*gpu, kMsSsim, format, kTerms), planes_of(clip, i));
        }
    }
}

void expect_equal(const SsimSums &cuda, const SsimSums &cpu)
{
    EXPECT_EQ(cuda.l, cpu.l);
    EXPECT_EQ(cuda.c, cpu.c);
    EXPECT_EQ(cuda.s, cpu.s);
    EXPECT_EQ(cuda.q, cpu.q);
}

// With one position or two, the sums are the terms themselves, to the last bit.
TEST(SsimCuda, TheTermsOfAPositionEqualTheCpusForEveryFactor)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const auto side = [](unsigned reduced, unsigned factor) { // even if that matters: odd sizes become one more
        const unsigned size = reduced * factor;
        return factor == 1 ? size : size + size % 2;
    };
    for (unsigned factor = 1; factor <= 10; ++factor)
        for (const unsigned bpc : {8U, 10U, 12U, 16U})
            for (const unsigned more : {0U, 1U}) {
                const Measure measure(*gpu, kSsim, luma(bpc, side(kSsimTaps + more, factor), side(kSsimTaps, factor)),
                                      scale(factor));
                for (unsigned seed = 0; seed < 6; ++seed) {
                    SCOPED_TRACE(testing::Message() << "by " << factor << ", " << bpc << " bit, seed " << seed);
                    const Pair pair(measure.format(), seed);
                    expect_equal(measure.cuda(pair.views()).image[0], measure.cpu(pair.views()).image[0]);
                }
            }
}

TEST(SsimCuda, TheTermsOfTheLastScalesOnlyPositionEqualTheCpus)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U, 12U, 16U})
        for (unsigned seed = 0; seed < 3; ++seed) {
            const Measure measure(*gpu, kMsSsim, luma(bpc, 176, 176));
            const Pair pair(measure.format(), seed);
            expect_equal(measure.cuda(pair.views()).image[4], measure.cpu(pair.views()).image[4]);
        }
}

TEST(SsimCuda, AgreesWithTheCpuAroundTheStripSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {11U, 12U, 73U, 74U, 75U, 139U})
        for (const unsigned height : {11U, 26U, 27U, 79U, 80U, 81U, 151U})
            expect_cpu_sums_of_noise(*gpu, kSsim, luma(height % 2 == 0 ? 8 : 12, width, height), scale(1));
}

TEST(SsimCuda, AgreesWithTheCpuAtEveryFactorAndOddSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned factor = 2; factor <= 10; ++factor)
        for (const unsigned odd : {0U, 1U, factor - 1})
            for (const unsigned bpc : {8U, 16U})
                expect_cpu_sums_of_noise(*gpu, kSsim, luma(bpc, 33 * factor + odd, 14 * factor + odd), scale(factor));
}

// Scales of odd sizes, narrower and wider than a strip.
TEST(SsimCuda, MultiScaleAgreesWithTheCpu)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const auto &[width, height, bpc] : {std::tuple{176U, 177U, 8U},
                                             {193U, 176U, 10U},
                                             {177U, 191U, 16U},
                                             {255U, 179U, 12U},
                                             {257U, 176U, 8U},
                                             {258U, 223U, 8U},
                                             {176U, 226U, 12U},
                                             {521U, 232U, 8U}})
        expect_cpu_sums_of_noise(*gpu, kMsSsim, luma(bpc, width, height), kTerms);
}

TEST(SsimCuda, AgreesWithTheCpuAtEveryDepthAlignmentAndFormat)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U, 12U, 16U})
        for (const VmafPixelFormat chroma : {VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV400P}) {
            const PictureFormat format{chroma, bpc, 191, 179};
            for (const PlaneLayout &layout : {PlaneLayout{}, test::unaligned_layout(bpc), PlaneLayout{4, 4}}) {
                expect_cpu_sums_of_noise(*gpu, kSsim, format, scale(1), layout);
                expect_cpu_sums_of_noise(*gpu, kSsim, format, scale(3), layout);
                expect_cpu_sums_of_noise(*gpu, kMsSsim, format, kTerms, layout);
            }
        }
}

TEST(SsimCuda, AgreesWithTheCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums_of_noise(*gpu, kSsim, luma(bpc, 16384, 11), scale(1));
        expect_cpu_sums_of_noise(*gpu, kSsim, luma(bpc, 11, 16384), scale(1));
        expect_cpu_sums_of_noise(*gpu, kSsim, luma(bpc, 4096, 50), scale(4));
        expect_cpu_sums_of_noise(*gpu, kMsSsim, luma(bpc, 8192, 176));
        expect_cpu_sums_of_noise(*gpu, kMsSsim, luma(bpc, 176, 8192));
    }
}

TEST(SsimCuda, AgreesWithTheCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = luma(10, 180, 181);
    TestPicture ref(format), dis(format);
    ref.fill([](unsigned, unsigned x, unsigned y) { return (x * y) % 3 == 0 ? 65535 - x : 7 * x; });
    dis.fill([](unsigned, unsigned x, unsigned y) { return 9 * x + y; });
    for (const unsigned factor : {1U, 2U, 3U})
        expect_cpu_sums(Measure(*gpu, kSsim, format, scale(factor)), planes_of(ref, dis));
    expect_cpu_sums(Measure(*gpu, kMsSsim, format), planes_of(ref, dis));
}

TEST(SsimCuda, ScoresOfIdenticalPicturesEqualTheCpus)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = luma(8, 200, 190);
    const Pair pair(format, 7);
    FramePlanes planes = pair.views();
    planes.dis[0] = planes.ref[0];
    for (const Kind &kind : {kSsim, kMsSsim}) {
        const Measure measure(*gpu, kind, format, kTerms);
        EXPECT_EQ(measure.scores(measure.cuda(planes)), measure.scores(measure.cpu(planes))) << kind.spec.name;
    }
}

TEST(SsimCuda, APictureAgainstItsNegativeHasNoMultiScaleScore)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = luma(8, 176, 176);
    std::mt19937 random(1);
    TestPicture ref(format), dis(format);
    ref.fill([&](unsigned, unsigned, unsigned) { return random() % 256; });
    dis.fill([&](unsigned plane, unsigned x, unsigned y) { return 255 - ref.at(plane, x, y); });
    const Measure measure(*gpu, kMsSsim, format);
    EXPECT_TRUE(std::isnan(measure.scores(measure.cuda(planes_of(ref, dis)))[0]));
}

void expect_same_bits_in_any_batch(const TestGpu &gpu, const Kind &kind, const PictureFormat &format,
                                   const Options &options, unsigned repeats)
{
    const Measure measure(gpu, kind, format, options, kMaxBatchFrames);
    std::vector<DevicePair> pairs;
    std::vector<Sums> expected;
    for (unsigned seed = 0; seed < 5; ++seed) {
        pairs.emplace_back(gpu, Pair(format, seed).views());
        expected.push_back(measure.cuda({pairs.back().frame()})[0]);
    }
    std::mt19937 random(1);
    for (unsigned repeat = 0; repeat < repeats; ++repeat) {
        std::vector<CudaFrame> frames;
        std::vector<std::size_t> used;
        for (unsigned i = 0; i <= random() % kMaxBatchFrames; ++i) {
            used.push_back(random() % pairs.size());
            frames.push_back(pairs[used.back()].frame());
        }
        const std::vector<Sums> sums = measure.cuda(frames);
        for (std::size_t i = 0; i < frames.size(); ++i)
            ASSERT_EQ(std::memcmp(&sums[i], &expected[used[i]], sizeof sums[i]), 0)
                << kind.spec.name << ", repeat " << repeat;
    }
}

TEST(SsimCuda, SumsAreTheSameBitsInAnyBatchTenTimes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    expect_same_bits_in_any_batch(*gpu, kSsim, luma(10, 143, 167), scale(1), 10);
    expect_same_bits_in_any_batch(*gpu, kSsim, luma(8, 143, 167), scale(3), 10);
    expect_same_bits_in_any_batch(*gpu, kMsSsim, luma(8, 197, 211), {}, 10);
}

TEST(SsimCuda, BatchesGoInPartsWhereScratchMemoryIsShort)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format = luma(8, 176, 179);
    const Measure measure(*gpu, kMsSsim, format);
    const Pair first(format, 1), second(format, 2), third(format, 3);
    const DevicePair devices[]{{*gpu, first.views()}, {*gpu, second.views()}, {*gpu, third.views()}};
    const auto whole = test::make_cuda(*gpu, kFloatMsSsimCuda, format, {}, 3);
    for (const std::size_t scratch : {std::size_t{1}, whole->scratch_bytes() * 2 / 3}) {
        const auto extractor = test::make_cuda(*gpu, kFloatMsSsimCuda, format, {}, 3, scratch);
        EXPECT_LT(extractor->scratch_bytes(), whole->scratch_bytes());
        const std::vector<MsSsimSums> sums =
            test::run_batch<MsSsimSums>(*gpu, *extractor, {devices[0].frame(), devices[1].frame(), devices[2].frame()});
        for (unsigned i = 0; i < 3; ++i) {
            const Sums expected = measure.cuda({devices[i].frame()})[0];
            EXPECT_EQ(std::memcmp(&sums[i], &expected, sizeof sums[i]), 0) << i;
        }
    }
}

} // namespace
} // namespace vmaf
