#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "feature/cambi/cambi.h"
#include "feature/cambi/cambi_contrast.h"
#include "feature/cambi/cambi_pooling.h"
#include "feature/cambi_oracle.h"
#include "feature/cambi_pictures.h"
#include "support/clips.h"
#include "support/cpu_targets.h"
#include "support/random.h"

// Compares the steps of the CPU backend with spec cambi 6 and with the independent implementation
// in cambi_oracle.

namespace vmaf::test {
namespace {

CambiVisibility visibility_of(const CambiOracleOptions &options)
{
    return cambi_visibility(options.pq ? "pq" : "bt1886", options.steps, options.tvi_threshold,
                            options.luminance_threshold);
}

CambiTask task_of(const PictureFormat &format, const CambiOracleOptions &options)
{
    const CambiSizeOptions sizes{
        {0, 0}, {options.width, options.height}, options.window_size, options.half_size ? 1080U : 0U};
    const unsigned bits = options.enc_bitdepth != 0 ? options.enc_bitdepth : format.bpc;
    return {cambi_geometry(sizes, format),
            bits < 10 ? CambiSmoothing::anti_dither : CambiSmoothing::off,
            visibility_of(options),
            options.topk,
            true,
            nullptr};
}

/// The picture is passed as the reference, which may be processed at any size.
void expect_oracle(const LumaPlane &plane, const CambiOracleOptions &options, const testing::Message &what)
{
    const CambiOracle expected = cambi_oracle(plane.view(), options);
    for (const CpuTarget target : targets()) {
        FramePlanes planes;
        planes.ref[0] = planes.dis[0] = plane.view();
        CambiSums sums{};
        const CambiTask task = task_of(plane.format(), options);
        ASSERT_EQ(static_cast<int>(task.geometry.ref.window), expected.window) << what;
        ASSERT_TRUE(make_cambi_cpu(plane.format(), task, target)->extract(planes, &sums).ok());
        for (unsigned scale = 0; scale < kCambiScales; ++scale)
            EXPECT_EQ(sums.ref[scale], expected.scales[scale].top_sum)
                << what << ", scale " << scale << ", target " << static_cast<int>(target);
    }
}

/// Flat areas of a few neighbouring values, some texture, some noise.
LumaPlane random_plane(unsigned width, unsigned height, unsigned bits, Random &random)
{
    LumaPlane plane(width, height, bits, random.below(20));
    const unsigned shift = bits - 8, base = random.below(200), cell = random.below(30) + 3,
                   levels = random.below(9) + 1;
    const unsigned noise_share = random.below(40), salt = random();
    plane.fill([&](unsigned x, unsigned y) {
        const unsigned hash = ((x / cell) * 2654435761U ^ (y / cell) * 40503U ^ salt) * 2246822519U >> 13;
        const unsigned value = base + hash % levels + (x + 2 * y) / (4 * cell) % 9;
        const unsigned noise = random.below(1000) < noise_share ? random.below(1U << bits) : 0;
        const unsigned fine = shift >= 2 ? (hash >> 8) % 3 << (shift - 2) : 0;
        return std::min((value << shift) + noise + fine, (1U << bits) - 1);
    });
    return plane;
}

// The second table of spec cambi 6.
struct ExpectedScale {
    unsigned width, height;
    std::uint64_t mask, picture, positive;
    std::size_t top_count;
    double kth, largest, top;
};
struct ExpectedPicture {
    std::uint64_t sample_sum;
    int mask_threshold, window;
    std::vector<ExpectedScale> scales;
};

// The table prints c-values with nine digits.
bool same_c(float value, double text)
{
    return value == static_cast<float>(text);
}

void expect_oracle_has(const ExpectedPicture &expected, const CambiOracle &oracle)
{
    EXPECT_EQ(oracle.sample_sum, expected.sample_sum);
    EXPECT_EQ(oracle.mask_threshold, expected.mask_threshold);
    EXPECT_EQ(oracle.window, expected.window);
    for (std::size_t i = 0; i < expected.scales.size(); ++i) {
        const ExpectedScale &e = expected.scales[i];
        const CambiOracleScale &o = oracle.scales[i];
        EXPECT_EQ(static_cast<unsigned>(o.width), e.width);
        EXPECT_EQ(static_cast<unsigned>(o.height), e.height);
        EXPECT_EQ(o.mask_count(), e.mask) << i;
        EXPECT_EQ(o.picture_sum(), e.picture) << i;
        EXPECT_EQ(o.positive_count(), e.positive) << i;
        EXPECT_EQ(o.top_count, e.top_count) << i;
        EXPECT_TRUE(same_c(o.kth_largest(), e.kth)) << i;
        EXPECT_TRUE(same_c(o.largest(), e.largest)) << i;
        EXPECT_EQ(o.top_sum, e.top) << i;
    }
}

std::uint64_t sum_of(const CambiPlane<std::uint16_t> &samples, const PictureSize &size)
{
    std::uint64_t sum = 0;
    for (unsigned y = 0; y < size.height_px; ++y)
        sum = std::accumulate(samples.row(y), samples.row(y) + size.width_px, sum);
    return sum;
}

std::uint64_t count_of(const CambiPlane<std::uint8_t> &mask, const PictureSize &size)
{
    std::uint64_t count = 0;
    for (unsigned y = 0; y < size.height_px; ++y)
        count = std::accumulate(mask.row(y), mask.row(y) + size.width_px, count);
    return count;
}

void expect_steps_have(const ExpectedPicture &expected, const PlaneView &luma, CpuTarget target)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, luma.bpc, luma.width_px, luma.height_px};
    const CambiTask task = task_of(format, {});
    const CambiLoops &loops = select_kCambiLoops(target);
    PictureSize size = task.geometry.dis.size;
    CambiPicture picture(size), next(size);
    ASSERT_TRUE(CambiPreprocessor(format, size, task.smoothing, CambiResult::whole, loops).run(luma, 0, picture).ok());
    EXPECT_EQ(sum_of(picture.samples, size), expected.sample_sum);
    CambiContrast contrast(size, task.geometry.dis.window, task.visibility, loops);
    CambiPooling pooling(loops);
    for (const ExpectedScale &scale : expected.scales) {
        EXPECT_EQ(count_of(picture.mask, size), scale.mask);
        const std::span<float> c = contrast.run(picture, size, &next);
        EXPECT_EQ(std::count_if(c.begin(), c.end(), [](float value) { return value > 0; }),
                  static_cast<std::ptrdiff_t>(scale.positive));
        EXPECT_TRUE(same_c(*std::max_element(c.begin(), c.end()), scale.largest));
        EXPECT_EQ(cambi_top_count(0.6, c.size()), scale.top_count);
        EXPECT_EQ(pooling.top_sum(c, scale.top_count), scale.top);
        std::swap(picture, next);
        size = size.halved();
    }
}

const ExpectedPicture kBands{55782380,
                             16,
                             11,
                             {{640, 360, 230334, 55755151, 136138, 138240, 0, 120.99173, 8448525.0260975361},
                              {320, 180, 57582, 13931959, 57402, 34560, 58.4462776, 120.99173, 3334019.0242576599},
                              {160, 90, 14390, 3479579, 14390, 8640, 92.3773575, 114.991302, 918561.64959716797},
                              {80, 45, 3590, 868168, 3590, 2160, 69.8591537, 74, 156088.51367950439},
                              {40, 23, 914, 220711, 914, 552, 32.969696, 41.9047623, 21058.8840675354}}};
const ExpectedPicture kStairs{26989756,
                              15,
                              7,
                              {{353, 289, 79826, 26408120, 79150, 61210, 13.217392, 24.4285717, 1053795.714963913},
                               {177, 145, 20215, 6604316, 20214, 15399, 15.5294123, 36.7567558, 319201.58059692383},
                               {89, 73, 5096, 1651812, 5083, 3898, 7.5, 21.818182, 45399.197351932526},
                               {45, 37, 1283, 412338, 1224, 999, 3.20000005, 16, 6129.2355780601501},
                               {23, 19, 321, 102852, 284, 262, 1.5, 10, 982.77981817722321}}};

TEST(CambiOracle, HasTheChaptersIntermediateValues)
{
    expect_oracle_has(kBands, cambi_oracle(Clip::get("bands_640x360_8").plane(Side::dis, 0, 0)));
    expect_oracle_has(kStairs, cambi_oracle(stairs(353, 289, 10, 0).dis.view()));
}

TEST(CambiCpu, StepsHaveTheChaptersIntermediateValues)
{
    const LumaPair pair = stairs(353, 289, 10, 0);
    for (const CpuTarget target : targets()) {
        expect_steps_have(kBands, Clip::get("bands_640x360_8").plane(Side::dis, 0, 0), target);
        expect_steps_have(kStairs, pair.dis.view(), target);
    }
}

TEST(CambiLarge, StepsOfTheOrderPictureHaveTheChaptersIntermediateValues)
{
    const ExpectedPicture expected{
        1332314074,
        24,
        65,
        {{3840, 2160, 4602994, 1159952257, 4547837, 4976640, 0, 1055.50024, 3685864834.0483913},
         {1920, 1080, 1152011, 282553705, 1152011, 1244160, 0, 984.313721, 912538781.72702408}}};
    const LumaPlane plane = order(0);
    for (const CpuTarget target : targets())
        expect_steps_have(expected, plane.view(), target);
}

TEST(CambiCpu, EqualsOracleAtEveryBitDepth)
{
    Random random;
    for (unsigned bits = 8; bits <= 16; ++bits)
        expect_oracle(random_plane(216 + random.below(20), 40 + random.below(20), bits, random), {},
                      random.seed() << " " << bits << " bits");
}

TEST(CambiCpu, EqualsOracleWithEveryOption)
{
    Random random;
    std::vector<CambiOracleOptions> list(9);
    list[0].window_size = 15;
    list[1].window_size = 127;
    list[2].steps = 1;
    list[3].steps = 32;
    list[4].steps = 32, list[4].pq = true, list[4].luminance_threshold = 0.5;
    list[5].luminance_threshold = 40, list[5].steps = 16;
    list[6].luminance_threshold = 300; // nothing is visible
    list[7].tvi_threshold = 0.0001, list[7].topk = 1;
    list[8].topk = 0.0001, list[8].enc_bitdepth = 10;
    for (std::size_t i = 0; i < list.size(); ++i)
        for (const unsigned bits : {8U, 10U, 16U})
            expect_oracle(random_plane(220, 37, bits, random), list[i],
                          random.seed() << ", options " << i << ", " << bits << " bits");
}

TEST(CambiCpu, EqualsOracleAtOtherSizes)
{
    Random random;
    for (const unsigned width : {320U, 321U, 399U, 448U}) {
        CambiOracleOptions options;
        options.width = width;
        options.height = 200 + random.below(9);
        options.window_size = 30;
        expect_oracle(random_plane(300, 180, 8 + 4 * random.below(3), random), options,
                      random.seed() << ", to " << width);
    }
    for (const unsigned width : {216U, 217U, 223U, 224U, 225U, 255U, 256U, 257U})
        expect_oracle(random_plane(width, 33, 8, random), {}, random.seed() << ", width " << width);
    for (unsigned height = 1; height <= 18; ++height)
        expect_oracle(random_plane(231, height, 10, random), {}, random.seed() << ", height " << height);
    for (unsigned width = 1; width <= 18; ++width)
        expect_oracle(random_plane(width, 231, 10, random), {}, random.seed() << ", width " << width);
}

// The window is larger than the small scales are wide or high.
TEST(CambiCpu, EqualsOracleOnLongThinPictures)
{
    Random random;
    CambiOracleOptions wide;
    wide.window_size = 127;
    expect_oracle(random_plane(600, 12, 10, random), wide, random.seed());
    expect_oracle(random_plane(12, 600, 10, random), wide, random.seed());
}

TEST(CambiLarge, EqualsOracleWithTheSpeedup)
{
    Random random;
    CambiOracleOptions options;
    options.half_size = true;
    options.window_size = 15;
    expect_oracle(random_plane(1921, 1081, 8, random), options, random.seed());
}

TEST(CambiCpu, OneExtractorSeriesIsAsGoodAsNewOnes)
{
    Random random;
    const LumaPlane first = random_plane(230, 60, 10, random), second = random_plane(230, 60, 10, random);
    const CambiTask task = task_of(first.format(), {});
    const auto used = make_cambi_cpu(first.format(), task, cpu_target(0));
    const auto sums = [](CpuExtractor &extractor, const LumaPlane &plane) {
        FramePlanes planes;
        planes.ref[0] = planes.dis[0] = plane.view();
        CambiSums result{};
        EXPECT_TRUE(extractor.extract(planes, &result).ok());
        return std::vector<double>(result.dis, result.dis + kCambiScales);
    };
    sums(*used, first);
    EXPECT_EQ(sums(*used, second), sums(*make_cambi_cpu(first.format(), task, cpu_target(0)), second)) << random.seed();
}

// H leaves out every second row and column, also of the mask (spec cambi 3.4).
TEST(CambiCpu, HalvedPictureIsThatOfEverySecondSample)
{
    Random random;
    for (const auto smoothing : {CambiSmoothing::off, CambiSmoothing::anti_dither})
        for (const PictureSize size : {PictureSize{301, 222}, PictureSize{300, 221}}) {
            LumaPlane plane(size.width_px, size.height_px, 10);
            plane.fill([&](unsigned x, unsigned y) { return (x + y) / 40 + random.below(x % 100 < 50 ? 4 : 1); });
            const CambiLoops &loops = select_kCambiLoops(cpu_target(0));
            const PictureSize half_size = size.halved();
            CambiPicture whole(size), half(half_size);
            ASSERT_TRUE(CambiPreprocessor(plane.format(), size, smoothing, CambiResult::whole, loops)
                            .run(plane.view(), 0, whole)
                            .ok());
            ASSERT_TRUE(CambiPreprocessor(plane.format(), size, smoothing, CambiResult::halved, loops)
                            .run(plane.view(), 0, half)
                            .ok());
            EXPECT_NE(count_of(whole.mask, size), 0U);
            EXPECT_NE(count_of(whole.mask, size), size.pixels());
            for (unsigned y = 0; y < half_size.height_px; ++y)
                for (unsigned x = 0; x < half_size.width_px; ++x) {
                    ASSERT_EQ(half.samples.row(y)[x], whole.samples.row(2 * y)[2 * x]) << random.seed();
                    ASSERT_EQ(half.mask.row(y)[x], whole.mask.row(2 * y)[2 * x]) << random.seed();
                }
        }
}

// Here rounding moves the running position beyond the last sample (spec cambi 3.2).
TEST(CambiCpu, NearestNeighbourStaysInThePicture)
{
    for (const auto &[from, to] : {std::pair{240U, 6039U}, std::pair{3760U, 6055U}}) {
        LumaPlane plane(from, 1, 10);
        plane.fill([](unsigned x, unsigned) { return x % 1024; });
        const PictureSize size{to, 1};
        CambiPicture picture(size);
        CambiPreprocessor preprocessor(plane.format(), size, CambiSmoothing::off, CambiResult::whole,
                                       select_kCambiLoops(cpu_target(0)));
        ASSERT_TRUE(preprocessor.run(plane.view(), 0, picture).ok());
        EXPECT_EQ(picture.samples.row(0)[0], 0);
        EXPECT_EQ(picture.samples.row(0)[to - 1], (from - 1) % 1024);
    }
}

std::vector<int> tvi_of(const char *eotf)
{
    const CambiVisibility visibility = cambi_visibility(eotf, 32, 0.019, 0);
    return {visibility.tvi.begin() + 1, visibility.tvi.end()};
}

TEST(CambiVisibility, HasTheChaptersThresholds)
{
    std::vector<int> bt1886{178, 305, 432, 559, 686, 813}, pq{233};
    bt1886.resize(32, 1023);
    pq.resize(32, 1023);
    EXPECT_EQ(tvi_of("bt1886"), bt1886);
    EXPECT_EQ(tvi_of("pq"), pq);
    const auto lowest = [](const char *eotf, double luminance) {
        return cambi_visibility(eotf, 4, 0.019, luminance).lowest_visible;
    };
    EXPECT_EQ(lowest("bt1886", 0), 0);
    EXPECT_EQ(lowest("bt1886", 0.01), 65);
    EXPECT_EQ(lowest("bt1886", 0.06), 78);
    EXPECT_EQ(lowest("bt1886", 0.1), 84);
    EXPECT_EQ(lowest("bt1886", 1), 135);
    EXPECT_EQ(lowest("bt1886", 10), 268);
    EXPECT_EQ(lowest("pq", 0.06), 108);
    EXPECT_EQ(lowest("pq", 0.1), 119);
    EXPECT_EQ(lowest("pq", 1), 196);
    EXPECT_EQ(lowest("pq", 10), 327);
    EXPECT_EQ(lowest("pq", 300), 609);
}

TEST(CambiVisibility, ReciprocalsDifferFromRoundedOnesWhereTheChapterSays)
{
    const std::vector<int> higher{82, 83, 244, 488, 564, 614, 664, 1419, 1699, 1906, 2443, 2740, 3812, 4130};
    const std::vector<int> lower{504,  510,  528,  749,  760,  892,  2040, 2071, 2112, 2223, 2555, 2927, 3285, 3515,
                                 3525, 3705, 3795, 3797, 3837, 3885, 4033, 4080, 4091, 4095, 4142, 4203, 4218, 4224};
    const std::vector<float> table = cambi_reciprocals();
    ASSERT_EQ(table.size(), 4226U);
    const auto in = [](const std::vector<int> &list, int n) { return std::count(list.begin(), list.end(), n) != 0; };
    for (int n = 1; n <= 4225; ++n) {
        const float rounded = 1.0F / static_cast<float>(n);
        const float expected = in(higher, n)  ? std::nextafter(rounded, 1.0F)
                               : in(lower, n) ? std::nextafter(rounded, 0.0F)
                                              : rounded;
        EXPECT_EQ(table[n], expected) << n;
    }
}

TEST(CambiPooling, AddsTheLargestValues)
{
    Random random;
    for (const CpuTarget target : targets()) {
        CambiPooling pooling(select_kCambiLoops(target));
        for (int round = 0; round < 200; ++round) {
            std::vector<float> c(random.below(3000) + 1);
            const unsigned distinct = random.below(round % 2 == 0 ? 5 : 100000) + 1;
            for (float &value : c)
                value = random.below(3) == 0 ? 0 : 0.5F + static_cast<float>(random.below(distinct)) / 16384;
            const std::size_t top_count = random.below(static_cast<unsigned>(c.size())) + 1;
            std::vector<float> sorted = c;
            std::sort(sorted.begin(), sorted.end(), std::greater<>());
            const double expected = std::accumulate(sorted.begin(), sorted.begin() + static_cast<long>(top_count), 0.0);
            EXPECT_EQ(pooling.top_sum(c, top_count), expected) << random.seed();
        }
    }
}

// 2^17 values of up to 2^14 with 24 fractional bits need more than 53 bits, so the order of adding
// shows.
TEST(CambiPooling, AddsInTheChaptersOrderWhenItMatters)
{
    Random random;
    bool order_shows = false;
    for (const CpuTarget target : targets()) {
        CambiPooling pooling(select_kCambiLoops(target));
        std::vector<float> c(1 << 17);
        for (float &value : c)
            value = random.below(4) == 0 ? 0.5F + static_cast<float>(random.below(1 << 23)) / (1 << 24)
                                         : 8192 + static_cast<float>(random.below(1 << 22)) / 1024;
        const std::size_t top_count = c.size() - random.below(1000);
        const double plain = std::accumulate(c.begin(), c.end(), 0.0) -
                             std::accumulate(c.begin() + static_cast<long>(top_count), c.end(), 0.0);
        const double expected = cambi_oracle_top_sum(c, top_count);
        EXPECT_EQ(pooling.top_sum(c, top_count), expected) << random.seed();
        order_shows |= plain != expected;
    }
    EXPECT_TRUE(order_shows);
}

} // namespace
} // namespace vmaf::test
