#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <functional>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "cuda/device_pictures.h"
#include "feature/cambi/cambi.h"
#include "feature/cambi/cambi_cuda_params.h"
#include "feature/cambi/cambi_pooling.h"
#include "feature/cuda_backends.h"
#include "feature/feature_runner.h"
#include "support/clips.h"

extern "C" const unsigned char vmaf_cambi_fatbin[];

namespace vmaf {

// Defined in cambi_cuda.cpp.
CudaExtractorResult make_cambi_cuda(const CudaRequest &request, const CambiTask &task);

namespace {

using test::Clip;
using test::DevicePair;
using test::HostPlane;
using test::PlaneLayout;
using test::planes_of;
using test::TestGpu;

using Options = std::vector<std::pair<const char *, const char *>>;

CambiTask task_of(const Options &options, const PictureFormat &format)
{
    OptionDict dict;
    for (const auto &[name, value] : options)
        dict.set(name, value);
    const auto values = OptionValues::parse(kCambi, dict);
    EXPECT_TRUE(values.ok());
    return cambi_task(values.value(), format);
}

/// Top sums of dis, then of ref, then the record of bad samples.
std::vector<double> values_of(const CambiSums &sums)
{
    std::vector<double> values(std::begin(sums.dis), std::end(sums.dis));
    values.insert(values.end(), std::begin(sums.ref), std::end(sums.ref));
    values.insert(values.end(), {static_cast<double>(sums.bad_dis), static_cast<double>(sums.bad_ref)});
    return values;
}

std::vector<double> cpu_sums(const PictureFormat &format, const CambiTask &task, const FramePlanes &pair)
{
    CambiSums sums{};
    EXPECT_TRUE(make_cambi_cpu(format, task, cpu_target(0))->extract(pair, &sums).ok());
    return values_of(sums);
}

std::unique_ptr<CudaExtractor> make_extractor(const TestGpu &gpu, const PictureFormat &format, const CambiTask &task,
                                              unsigned max_batch = kMaxBatchFrames)
{
    return test::require(make_cambi_cuda({gpu.context(), format, {}, max_batch}, task), "make_cambi_cuda");
}

std::vector<std::vector<double>> cuda_sums(const TestGpu &gpu, CudaExtractor &extractor,
                                           const std::vector<CudaFrame> &frames)
{
    std::vector<std::vector<double>> list;
    for (const CambiSums &sums : test::run_batch<CambiSums>(gpu, extractor, frames))
        list.push_back(values_of(sums));
    return list;
}

void expect_cpu_sums(const TestGpu &gpu, const PictureFormat &format, const FramePlanes &pair, const Options &options,
                     const PlaneLayout &layout = {})
{
    const CambiTask task = task_of(options, format);
    const DevicePair device(gpu, pair, layout);
    std::string what;
    for (const auto &[name, value] : options)
        what += std::string(name) + "=" + value + " ";
    EXPECT_EQ(cuda_sums(gpu, *make_extractor(gpu, format, task), {device.frame()})[0], cpu_sums(format, task, pair))
        << format.width << "x" << format.height << " at " << format.bpc << " bit, " << what;
}

/// Flat areas of neighbouring values with ragged borders, and some noise.
HostPlane banded_plane(unsigned width, unsigned height, unsigned bpc, unsigned seed, unsigned values = 9)
{
    std::mt19937 random(seed);
    HostPlane plane(width, height, bpc);
    const auto below = [&](unsigned end) { return static_cast<unsigned>(random() % end); };
    const unsigned cell = 5 + below(20), base = 30 + below(60), shift = bpc - 8, salt = below(~0U);
    plane.fill([&](unsigned x, unsigned y) {
        const unsigned hash = ((x / cell) * 2654435761U ^ (y / cell) * 40503U ^ salt) * 2246822519U >> 13;
        const unsigned value = base + hash % values + (x + 2 * y) / (4 * cell) % 5;
        const unsigned fine = shift >= 2 ? (hash >> 8) % 3 << (shift - 2) : 0;
        const unsigned noise = below(1000) < 8 ? below(256) : 0;
        return std::min((value << shift) + fine + (noise << shift), (1U << bpc) - 1);
    });
    return plane;
}

class BandedPair {
  public:
    BandedPair(const PictureFormat &format, unsigned seed, unsigned values = 9)
        : ref_(banded_plane(format.width, format.height, format.bpc, seed, values)),
          dis_(banded_plane(format.width, format.height, format.bpc, seed + 1, values))
    {
        pair_.ref[0] = ref_.view();
        pair_.dis[0] = dis_.view();
    }
    BandedPair(const BandedPair &) = delete;
    BandedPair &operator=(const BandedPair &) = delete;

    const FramePlanes &views() const { return pair_; }

  private:
    HostPlane ref_, dis_;
    FramePlanes pair_;
};

void expect_cpu_sums_of_bands(const TestGpu &gpu, const PictureFormat &format, const Options &options = {},
                              const PlaneLayout &layout = {}, unsigned values = 9)
{
    const BandedPair bands(format, format.width * 131 + format.height, values);
    expect_cpu_sums(gpu, format, bands.views(), options, layout);
}

constexpr VmafPixelFormat kGrey = VMAF_PIX_FMT_YUV400P;

const Options kV1{{"cambi_high_res_speedup", "1080"}, {"cambi_vis_lum_threshold", "0.06"}, {"cambi_max_val", "17"}};

TEST(CambiCuda, EqualsCpuOnEveryClip)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const std::vector<Options> option_sets{
        {{"full_ref", "true"}},
        kV1,
        {{"enc_bitdepth", "10"}, {"max_log_contrast", "5"}, {"cambi_eotf", "pq"}},
    };
    for (const test::ClipSpec &spec : test::clip_specs()) {
        const Clip &clip = Clip::get(spec.name);
        if (std::max(clip.format().width, clip.format().height) < 216)
            continue;
        for (const Options &options : option_sets)
            for (unsigned i = 0; i < std::min(spec.frames, 2U); ++i) {
                SCOPED_TRACE(spec.name);
                expect_cpu_sums(*gpu, clip.format(), planes_of(clip, i), options);
            }
    }
}

// It is enough if one side is 216 (spec cambi 3.1), so the other may have a few pixels.
TEST(CambiCuda, EqualsCpuAtTheSmallestSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned small : {1U, 2U, 3U, 4U, 5U, 7U, 16U, 17U, 33U}) {
        expect_cpu_sums_of_bands(*gpu, {kGrey, 8, 216, small}, {{"full_ref", "true"}});
        expect_cpu_sums_of_bands(*gpu, {kGrey, 10, small, 216});
    }
}

TEST(CambiCuda, EqualsCpuAroundTheTileSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {255U, 256U, 257U})
        for (const unsigned height : {63U, 64U, 65U})
            expect_cpu_sums_of_bands(*gpu, {kGrey, width % 2 == 0 ? 8U : 10U, width, height});
    expect_cpu_sums_of_bands(*gpu, {kGrey, 8, 321, 259});
}

TEST(CambiCuda, EqualsCpuAtEveryDepthAndAlignment)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (unsigned bpc = 8; bpc <= 16; ++bpc) {
        const PictureFormat format{VMAF_PIX_FMT_YUV400P, bpc, 219, 67};
        expect_cpu_sums_of_bands(*gpu, format);
        expect_cpu_sums_of_bands(*gpu, format, {}, test::unaligned_layout(bpc));
    }
}

TEST(CambiCuda, EqualsCpuWithEveryNumberOfContrastSteps)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *steps : {"0", "1", "2", "3", "4", "5"})
        for (const char *eotf : {"bt1886", "pq"})
            expect_cpu_sums_of_bands(*gpu, {kGrey, 8, 230, 70},
                                     {{"max_log_contrast", steps}, {"eotf", eotf}, {"cambi_vis_lum_threshold", "0.5"}});
}

TEST(CambiCuda, EqualsCpuWithEveryKindOfWindow)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{kGrey, 10, 700, 129};
    std::vector<unsigned> windows;
    for (const unsigned window_size : {15U, 31U, 100U, 127U}) {
        const std::string text = std::to_string(window_size);
        const Options options{{"window_size", text.c_str()}};
        windows.push_back(task_of(options, format).geometry.dis.window);
        expect_cpu_sums_of_bands(*gpu, format, options);
    }
    // Classes of windows change at 31 and 63. Picture sizes get there sooner than the option.
    CambiTask task = task_of({{"full_ref", "true"}}, format);
    const BandedPair bands(format, 3);
    const DevicePair device(*gpu, bands.views());
    for (const unsigned window : {1U, 29U, 31U, 33U, 35U, 63U, 65U})
        for (const int steps : {2, 4}) {
            task.geometry.dis.window = task.geometry.ref.window = window;
            task.visibility = cambi_visibility("bt1886", steps, 0.019, 0);
            EXPECT_EQ(cuda_sums(*gpu, *make_extractor(*gpu, format, task), {device.frame()})[0],
                      cpu_sums(format, task, bands.views()))
                << "window " << window << ", " << steps << " steps";
        }
}

TEST(CambiCuda, EqualsCpuAtOtherSizesOfProcessing)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const Options smaller{
        {"full_ref", "true"}, {"enc_width", "220"}, {"enc_height", "150"}, {"src_width", "320"}, {"src_height", "200"}};
    expect_cpu_sums_of_bands(*gpu, {kGrey, 8, 321, 201}, smaller);
    expect_cpu_sums_of_bands(*gpu, {kGrey, 12, 321, 201}, smaller);
}

TEST(CambiCuda, EqualsCpuAtHalfTheSize)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned width : {301U, 302U}) {
        const PictureFormat format{kGrey, width == 301 ? 8U : 10U, width, 131};
        CambiTask task = task_of({{"full_ref", "true"}}, format);
        task.geometry.half_size = true; // the option has an effect on large pictures only
        const BandedPair bands(format, width);
        const DevicePair device(*gpu, bands.views());
        EXPECT_EQ(cuda_sums(*gpu, *make_extractor(*gpu, format, task), {device.frame()})[0],
                  cpu_sums(format, task, bands.views()))
            << width;
    }
}

// More values than one pass measures.
TEST(CambiCuda, EqualsCpuWithManyValues)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned values : {40U, 120U})
        for (const char *steps : {"2", "5"})
            expect_cpu_sums_of_bands(*gpu, {kGrey, 10, 257, 90}, {{"max_log_contrast", steps}, {"eotf", "pq"}}, {},
                                     values);
}

TEST(CambiCuda, EqualsCpuWithEveryShareOfThePixels)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const char *topk : {"0.0001", "0.01", "0.3", "0.5", "0.9", "1"})
        expect_cpu_sums_of_bands(*gpu, {kGrey, 8, 240, 100}, {{"topk", topk}});
}

TEST(CambiCuda, FlatPicturesHaveNoBanding)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned value : {0U, 128U, 255U}) {
        HostPlane plane(230, 77, 8);
        plane.fill_flat(value);
        FramePlanes planes;
        planes.ref[0] = planes.dis[0] = plane.view();
        expect_cpu_sums(*gpu, {kGrey, 8, 230, 77}, planes, {{"full_ref", "true"}});
    }
}

TEST(CambiCuda, EqualsCpuAtLongSizes)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    for (const unsigned bpc : {8U, 12U}) {
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 4096, 65}, {{"window_size", "40"}});
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 65, 4096}, {{"window_size", "40"}});
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 1921, 1081}, kV1);
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 1921, 1081});
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 3840, 2160});
        expect_cpu_sums_of_bands(*gpu, {kGrey, bpc, 3840, 2160}, kV1);
    }
}

TEST(CambiCuda, NotesTheFirstRowOfSamplesAboveTheDepth)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const PictureFormat format{kGrey, 12, 301, 90};
    const CambiTask task = task_of({{"full_ref", "true"}, {"enc_width", "220"}, {"enc_height", "150"}}, format);
    const auto extractor = make_extractor(*gpu, format, task);
    HostPlane good = banded_plane(format.width, format.height, format.bpc, 1), bad(format.width, format.height, 16);
    bad.fill([](unsigned x, unsigned y) {
        return y == 61 && x == 5 ? 4096 : y == 61 && x == 300 ? 65535 : y == 62 ? 5000 : 4095;
    });
    FramePlanes planes;
    planes.dis[0] = good.view();
    planes.ref[0] = bad.view();
    planes.ref[0].bpc = 12;
    for (const PlaneLayout &layout : {PlaneLayout{}, test::unaligned_layout(12)}) {
        const DevicePair device(*gpu, planes, layout);
        const CambiSums sums = test::run_batch<CambiSums>(*gpu, *extractor, {device.frame()})[0];
        EXPECT_EQ(sums.bad_dis, 0U);
        EXPECT_EQ(cambi_bad_row(sums.bad_ref), 61U);
        EXPECT_EQ(cambi_bad_value(sums.bad_ref), 65535U);
    }
}

/// Tests the search for the K largest c-values with planes that no picture gives.
class Pooling {
  public:
    explicit Pooling(const TestGpu &gpu)
        : gpu_(gpu), module_(test::require(make_cuda_module(gpu.context(), vmaf_cambi_fatbin), "make_cuda_module"))
    {
    }

    struct Result {
        double sum;
        bool ordered;
    };

    Result top_sum(const std::vector<float> &c, unsigned top_count) const
    {
        const auto count = static_cast<unsigned>(c.size());
        CambiSelection selection{};
        for (const float value : c)
            if (value > 0)
                ++selection.first[(std::bit_cast<unsigned>(value) >> 16) - kCambiSmallestFirst];
        const CudaDeviceMemory plane = copy(c.data(), c.size() * sizeof(float)),
                               selections = copy(&selection, sizeof selection);
        const std::array<double, kCambiScales> none{};
        const CudaDeviceMemory sums = copy(none.data(), sizeof none);
        CambiKernelParams params{};
        params.frames[0].top_sums = reinterpret_cast<double *>(sums.get());
        for (CambiLevel &level : params.levels)
            level.first_select_block = ~0U;
        params.levels[0] = {count, 1, count, 1, 1, 0, 0, top_count, 0, 0};
        params.c = reinterpret_cast<float *>(plane.get());
        params.selections = reinterpret_cast<CambiSelection *>(selections.get());
        const unsigned blocks = (count + kCambiSelectValues - 1) / kCambiSelectValues;
        launch("vmaf_cambi_select_first", blocks, kCambiSelectThreads, params);
        launch("vmaf_cambi_select_middle", blocks, kCambiSelectThreads, params);
        launch("vmaf_cambi_finish", 1, 1, params);
        launch("vmaf_cambi_order", 1, kCambiOrderThreads, params);
        Result result{};
        fetch(&result.sum, sums, sizeof result.sum);
        fetch(&selection, selections, sizeof selection);
        result.ordered = selection.ordered != 0;
        return result;
    }

  private:
    CudaDeviceMemory copy(const void *data, std::size_t bytes) const
    {
        CudaDeviceMemory memory = gpu_.allocate(bytes);
        test::require(cuda_status(gpu_.driver().cuMemcpyHtoDAsync(memory.get(), data, bytes, gpu_.stream())),
                      "cuMemcpyHtoDAsync");
        gpu_.synchronize();
        return memory;
    }
    void fetch(void *to, const CudaDeviceMemory &from, std::size_t bytes) const
    {
        test::require(cuda_status(gpu_.driver().cuMemcpyDtoHAsync(to, from.get(), bytes, gpu_.stream())),
                      "cuMemcpyDtoHAsync");
        gpu_.synchronize();
    }
    void launch(const char *name, unsigned blocks, unsigned threads, const CambiKernelParams &params) const
    {
        const CUfunction kernel = test::require(cuda_function(module_, name), name);
        test::require(cuda_launch(*gpu_.context(), kernel, {blocks}, {threads}, 0, gpu_.stream(), params), name);
    }

    const TestGpu &gpu_;
    CudaModule module_;
};

/// c-values of which, in a thousand, `zeros` are 0, `small` lie between 0.5 and 4, and the others
/// are thousands. `distinct` of the large ones differ.
std::vector<float> c_values(std::size_t count, unsigned zeros, unsigned small, unsigned distinct, unsigned seed)
{
    std::mt19937 random(seed);
    const auto between = [&](float low, float high) {
        return low + (high - low) * static_cast<float>(random() % 16777216) / 16777216.0F;
    };
    std::vector<float> large(distinct), c(count);
    for (float &value : large)
        value = between(8000, 16383);
    for (float &value : c) {
        const auto kind = static_cast<unsigned>(random() % 1000);
        if (kind >= zeros)
            value = kind < zeros + small ? between(0.5F, 4) : large[random() % distinct];
    }
    return c;
}

TEST(CambiCuda, AddsUpTheLargestInTheChaptersOrder)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    const Pooling pooling(*gpu);
    CambiPooling cpu(select_kCambiLoops(cpu_target(0)));
    struct Case {
        std::size_t count;
        unsigned zeros, small, distinct;
        double topk;
        bool ordered;
    };
    const std::vector<Case> cases{
        {60000, 0, 300, 50000, 1, false},     {60001, 500, 300, 1, 0.6, false},   {1, 0, 0, 1, 1, false},
        {60001, 0, 500, 50000, 0.4, false},   {150001, 100, 300, 90000, 1, true}, {150001, 100, 400, 90000, 0.9, true},
        {150000, 400, 100, 90000, 0.6, true}, {150000, 350, 50, 5, 0.649, true},  {300007, 300, 200, 1000, 0.7, true},
    };
    bool order_matters = false;
    for (const Case &test : cases) {
        const std::vector<float> c = c_values(test.count, test.zeros, test.small, test.distinct, 7);
        const std::size_t top_count = cambi_top_count(test.topk, test.count);
        const Pooling::Result result = pooling.top_sum(c, static_cast<unsigned>(top_count));
        std::vector<float> reordered = c;
        EXPECT_EQ(result.sum, cpu.top_sum(reordered, top_count)) << test.count << ", " << test.topk;
        EXPECT_EQ(result.ordered, test.ordered) << test.count << ", " << test.topk;
        std::vector<float> descending = c;
        std::sort(descending.begin(), descending.end(), std::greater<>());
        order_matters |=
            result.sum != std::accumulate(descending.begin(), descending.begin() + static_cast<long>(top_count), 0.0);
    }
    EXPECT_TRUE(order_matters);
}

TEST(CambiCuda, BatchesOfAnySizeStayEqual)
{
    VMAF_OPEN_GPU_OR_SKIP(gpu);
    constexpr unsigned kPairs = 3;
    const PictureFormat format{kGrey, 8, 223, 50};
    const CambiTask task = task_of({{"full_ref", "true"}}, format);
    std::vector<DevicePair> pairs;
    std::vector<std::vector<double>> expected;
    for (unsigned seed = 0; seed < kPairs; ++seed) {
        const BandedPair bands(format, seed);
        pairs.emplace_back(*gpu, bands.views());
        expected.push_back(cpu_sums(format, task, bands.views()));
    }
    const auto extractor = make_extractor(*gpu, format, task);
    std::mt19937 random(1);
    for (const unsigned count : {1U, 3U, kMaxBatchFrames}) {
        std::vector<CudaFrame> frames;
        std::vector<std::vector<double>> wanted;
        for (unsigned i = 0; i < count; ++i) {
            const std::size_t pair = random() % kPairs;
            frames.push_back(pairs[pair].frame());
            wanted.push_back(expected[pair]);
        }
        ASSERT_EQ(cuda_sums(*gpu, *extractor, frames), wanted) << count;
    }
}

} // namespace
} // namespace vmaf
