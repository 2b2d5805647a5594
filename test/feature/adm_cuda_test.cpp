#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "feature/adm/adm.h"
#include "feature/adm/adm_cuda_params.h"
#include "feature/make_cuda.h"
#include "support/clips.h"

namespace vmaf {
namespace {

using test::Clip;
using test::DevicePlane;
using test::HostPlane;
using test::Options;
using test::PlaneLayout;
using test::Side;
using test::TestGpu;

PictureFormat luma_format(unsigned width, unsigned height, unsigned bpc)
{
    return {VMAF_PIX_FMT_YUV400P, bpc, width, height};
}

AdmSums cpu_sums(const PictureFormat &format, const Options &options, const PlaneView &ref, const PlaneView &dis)
{
    FramePlanes planes;
    planes.ref[0] = ref;
    planes.dis[0] = dis;
    return test::FeatureRunner<AdmSums>(kAdm, options).sums(planes, format);
}

/// The first sum that differs, for messages.
std::string difference(const AdmSums &actual, const AdmSums &expected)
{
    const auto *a = reinterpret_cast<const std::int64_t *>(&actual);
    const auto *e = reinterpret_cast<const std::int64_t *>(&expected);
    for (unsigned i = 0; i < sizeof(AdmSums) / sizeof(*a); ++i)
        if (a[i] != e[i])
            return std::string(i < 12   ? "num"
                               : i < 24 ? "aim"
                                        : "den") +
                   " of scale " + std::to_string(i / 3 % 4) + ", band " + std::to_string(i % 3) + ": " +
                   std::to_string(a[i]) + " instead of " + std::to_string(e[i]);
    return "";
}

/// A picture pair on the host and on the device.
struct Pair {
    Pair(const TestGpu &gpu, const PlaneView &ref, const PlaneView &dis, const PlaneLayout &layout = {})
        : host_ref(ref), host_dis(dis), device_ref(gpu, ref, layout), device_dis(gpu, dis, layout)
    {
    }

    CudaFrame frame() const
    {
        CudaFrame frame{};
        frame.ref[0] = device_ref.view();
        frame.dis[0] = device_dis.view();
        return frame;
    }

    PlaneView host_ref, host_dis;
    DevicePlane device_ref, device_dis;
};

/// One batch of pairs of one format.
void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const std::vector<Pair> &pairs,
                     const Options &options = {})
{
    std::vector<CudaFrame> frames;
    for (const Pair &pair : pairs)
        frames.push_back(pair.frame());
    const std::vector<AdmSums> sums =
        test::run_batch<AdmSums>(gpu, *test::make_cuda(gpu, kAdmCuda, format, options), frames);
    for (std::size_t i = 0; i < pairs.size(); ++i)
        EXPECT_EQ(difference(sums[i], cpu_sums(format, options, pairs[i].host_ref, pairs[i].host_dis)), "")
            << "frame " << i << " of " << pairs.size() << ", " << format.width << "x" << format.height << " at "
            << format.bpc << " bit";
}

/// A texture with detail at every scale, and a copy with changed contrast and added noise.
struct RelatedPlanes {
    RelatedPlanes(unsigned width, unsigned height, unsigned bpc, unsigned seed)
        : ref(width, height, bpc), dis(width, height, bpc)
    {
        std::mt19937 engine(seed * 2654435761U + width * 131 + height * 17 + bpc);
        const auto random = [&] { return static_cast<unsigned>(engine()); };
        const unsigned peak = (1U << bpc) - 1, coarse = random() % 13 + 2, salt = random();
        const auto texture = [=](unsigned x, unsigned y) {
            const unsigned cell = ((x / coarse) * 2654435761U) ^ ((y / coarse) * 40503U) ^ salt;
            return ((cell >> 7) % (peak + 1) + (x * 37 + y * 11) * peak / 255) / 2 % (peak + 1);
        };
        const unsigned gain = random() % 100 + 50, noise = peak / (random() % 60 + 4) + 1;
        ref.fill(texture);
        dis.fill([&](unsigned x, unsigned y) { return std::min(peak, texture(x, y) * gain / 100 + random() % noise); });
    }

    HostPlane ref, dis;
};

void expect_cpu_sums_of_texture(const TestGpu &gpu, unsigned width, unsigned height, unsigned bpc,
                                const Options &options = {}, const PlaneLayout &layout = {})
{
    const PictureFormat format = luma_format(width, height, bpc);
    const RelatedPlanes planes(width, height, bpc, 1);
    std::vector<Pair> pairs;
    pairs.emplace_back(gpu, planes.ref.view(), planes.dis.view(), layout);
    expect_cpu_sums(gpu, format, pairs, options);
}

std::vector<Pair> clip_pairs(const TestGpu &gpu, const Clip &clip, unsigned count)
{
    std::vector<Pair> pairs;
    for (unsigned i = 0; i < count; ++i) {
        const unsigned frame = i % clip.spec().frames;
        pairs.emplace_back(gpu, clip.plane(Side::ref, frame, 0), clip.plane(Side::dis, frame, 0));
    }
    return pairs;
}

TEST(AdmCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const test::ClipSpec &spec : test::clip_specs()) {
        SCOPED_TRACE(spec.name);
        const Clip &clip = Clip::get(spec.name);
        const std::vector<Pair> pairs = clip_pairs(*gpu, clip, std::min(spec.frames, 3U));
        expect_cpu_sums(*gpu, clip.format(), pairs);
    }
}

// spec adm 6.3.
TEST(AdmCuda, MatchesTheChaptersSums)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr AdmSums kExpected{{{15459845525635, 8513966766682, 29647135239},
                                 {4059621263360, 2920626681911, 7756647249},
                                 {3936115225337, 1815160029126, 26592540048},
                                 {22182748327704, 3673046721964, 689322739435}},
                                {{431079328377, 251471213900, 3129468682}, {802346485, 67813, 0}, {}, {}},
                                {{3805725703305, 2335572890586, 229712172223},
                                 {59942375350026, 45321714579587, 3527030849690},
                                 {28565134150381, 13369748938824, 1400600964920},
                                 {29876792994607, 4875102286672, 2923939569806}}};
    const Clip &clip = Clip::get("tiles_176x144_8");
    const auto extractor = test::make_cuda(*gpu, kAdmCuda, clip.format());
    const Pair pair(*gpu, clip.plane(Side::ref, 0, 0), clip.plane(Side::dis, 0, 0));
    EXPECT_EQ(difference(test::run_batch<AdmSums>(*gpu, *extractor, {pair.frame()})[0], kExpected), "");
}

TEST(AdmCuda, EqualsCpuWithEveryOption)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const std::vector<Options> all_options{
        {{"adm_enhn_gain_limit", "1"}},
        {{"adm_enhn_gain_limit", "1.2"}},
        {{"adm_enhn_gain_limit", "nan"}}, // no limit
        {{"adm_enhn_gain_limit", "7"}},
        {{"adm_csf_mode", "1"}, {"adm_csf_scale", "0.01"}, {"adm_csf_diag_scale", "0.02"}},
        {{"adm_csf_mode", "1"}, {"adm_csf_scale", "50"}, {"adm_csf_diag_scale", "50"}}, // weights overflow
        {{"adm_csf_mode", "2"}, {"adm_enhn_gain_limit", "1"}},
        {{"adm_csf_mode", "3"}, {"adm_norm_view_dist", "5"}, {"adm_ref_display_height", "2160"}},
        {{"adm_norm_view_dist", "24"}, {"adm_ref_display_height", "4320"}},
        {{"adm_skip_aim", "true"}},
        {{"adm_skip_scale0", "true"}},
    };
    for (const Options &options : all_options) {
        SCOPED_TRACE(testing::PrintToString(options));
        for (const char *clip_name : {"tiles_177x145_8", "tiles_352x288_10", "noise_176x144_8", "same_352x288_8"}) {
            const Clip &clip = Clip::get(clip_name);
            expect_cpu_sums(*gpu, clip.format(), clip_pairs(*gpu, clip, 2), options);
        }
        expect_cpu_sums_of_texture(*gpu, 301, 203, 16, options);
    }
}

TEST(AdmCuda, EqualsCpuAtEverySmallSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned width = 16; width <= 34; ++width)
        for (unsigned height = 16; height <= 34; ++height)
            expect_cpu_sums_of_texture(*gpu, width, height, (width + height) % 2 == 0 ? 8 : 10);
}

TEST(AdmCuda, EqualsCpuAroundTheStripWidth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned scale = 0; scale < kAdmScales; ++scale)
        for (unsigned strips = 1; strips <= 2; ++strips) {
            const unsigned width = kAdmStripColumns[scale] * strips << (scale + 1);
            for (unsigned near = width - 3; near <= width + 3; ++near)
                expect_cpu_sums_of_texture(*gpu, near, 40 + near % 7, near % 2 == 0 ? 8 : 12);
        }
}

TEST(AdmCuda, EqualsCpuAtEveryDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 9U, 10U, 12U, 14U, 16U})
        for (const unsigned width : {192U, 263U})
            expect_cpu_sums_of_texture(*gpu, width, 90 + bpc, bpc);
}

TEST(AdmCuda, EqualsCpuAtAnyAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 10U})
        for (const unsigned width : {255U, 256U, 257U})
            expect_cpu_sums_of_texture(*gpu, width, 67, bpc, {}, test::unaligned_layout(bpc));
}

TEST(AdmCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 16U}) {
        expect_cpu_sums_of_texture(*gpu, 4096, 17, bpc);
        expect_cpu_sums_of_texture(*gpu, 17, 4096, bpc);
    }
    expect_cpu_sums_of_texture(*gpu, 16384, 16, 16);
    expect_cpu_sums_of_texture(*gpu, 16, 16384, 16);
}

TEST(AdmCuda, EqualsCpuOnExtremeContent)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    std::mt19937 random(5);
    for (const unsigned bpc : {8U, 16U}) {
        const unsigned peak = (1U << bpc) - 1;
        std::vector<HostPlane> planes(8, HostPlane(275, 153, bpc));
        planes[0].fill_full_swing(random, peak);
        planes[1].fill_full_swing(random, peak);
        planes[2].fill_noise(random, peak);
        planes[3].fill_flat(0);
        planes[4].fill_flat(peak);
        planes[5].fill([=](unsigned x, unsigned) { return x % 2 * peak; });
        planes[6].fill([=](unsigned, unsigned y) { return y % 2 * peak; });
        planes[7].fill([=](unsigned x, unsigned y) { return (x / 8 + y / 8) % 2 * peak; });
        const PictureFormat format = luma_format(275, 153, bpc);
        for (const HostPlane &ref : planes) {
            std::vector<Pair> pairs;
            for (const HostPlane &dis : planes)
                pairs.emplace_back(*gpu, ref.view(), dis.view());
            for (const char *gain_limit : {"100", "1"})
                expect_cpu_sums(*gpu, format, pairs, {{"adm_enhn_gain_limit", gain_limit}});
        }
    }
}

// Samples above the depth count as the largest valid sample (adm_loops.h).
TEST(AdmCuda, EqualsCpuOnSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 9; bpc <= 15; ++bpc)
        for (const PlaneLayout &layout : {PlaneLayout{}, test::unaligned_layout(bpc)}) {
            std::mt19937 random(bpc);
            const PictureFormat format = luma_format(275, 153, bpc);
            HostPlane noise(format.width, format.height, bpc), swing(format.width, format.height, bpc);
            noise.fill_noise(random, 0xffff);
            swing.fill_full_swing(random, 0xffff);
            std::vector<Pair> pairs;
            pairs.emplace_back(*gpu, noise.view(), swing.view(), layout);
            pairs.emplace_back(*gpu, swing.view(), noise.view(), layout);
            expect_cpu_sums(*gpu, format, pairs);
        }
}

// The directions of reference and distorted picture differ by about the angle of the flag, so
// floats cannot decide.
TEST(AdmCuda, EqualsCpuAroundTheAngle)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    std::mt19937 random(6);
    const PictureFormat format = luma_format(1024, 512, 16);
    HostPlane ref(1024, 512, 16), dis(1024, 512, 16);
    ref.fill(
        [&](unsigned x, unsigned y) { return 32768 + (x % 2 ? 12000 : -12000) + (y % 2 ? 200 : -200) * (x / 8 % 8); });
    dis.fill([&](unsigned x, unsigned y) {
        return 32768 + (x % 2 ? 11000 : -11000) + (y % 2 ? 192 : -192) * (x / 8 % 8 + 1) + random() % 3;
    });
    std::vector<Pair> pairs;
    pairs.emplace_back(*gpu, ref.view(), dis.view());
    expect_cpu_sums(*gpu, format, pairs);
}

// Sums of the batch before must not show. Strips and rows must not race for the sums of this batch.
TEST(AdmCuda, RepeatsExactlyFromBatchToBatch)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kWidth = 641, kHeight = 363, kPictures = 11;
    const PictureFormat format = luma_format(kWidth, kHeight, 10);
    std::vector<RelatedPlanes> planes;
    std::vector<Pair> pairs;
    std::vector<AdmSums> expected;
    for (unsigned i = 0; i < kPictures; ++i)
        planes.emplace_back(kWidth, kHeight, 10U, i);
    for (const RelatedPlanes &pictures : planes) {
        pairs.emplace_back(*gpu, pictures.ref.view(), pictures.dis.view());
        expected.push_back(cpu_sums(format, {}, pictures.ref.view(), pictures.dis.view()));
    }
    const auto extractor = test::make_cuda(*gpu, kAdmCuda, format);
    for (unsigned batch = 0; batch < 50; ++batch) {
        std::vector<CudaFrame> frames;
        for (unsigned i = 0; i < batch * 5 % kMaxBatchFrames + 1; ++i)
            frames.push_back(pairs[(batch * 7 + i) % kPictures].frame());
        const std::vector<AdmSums> sums = test::run_batch<AdmSums>(*gpu, *extractor, frames);
        for (unsigned i = 0; i < frames.size(); ++i)
            ASSERT_EQ(difference(sums[i], expected[(batch * 7 + i) % kPictures]), "")
                << "batch " << batch << " frame " << i;
    }
}

} // namespace
} // namespace vmaf
