#include "feature/xpsnr/xpsnr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <optional>
#include <vector>

#include "feature/xpsnr_oracle.h"
#include "feature/xpsnr_pictures.h"
#include "support/cpu_targets.h"

namespace vmaf::test {
namespace {

constexpr std::array kFormats{VMAF_PIX_FMT_YUV420P, VMAF_PIX_FMT_YUV422P, VMAF_PIX_FMT_YUV444P, VMAF_PIX_FMT_YUV400P};

TEST(Xpsnr, MatchesTheChaptersErrors)
{
    struct Row {
        const char *clip;
        unsigned frame;
        std::uint64_t error, error_at_60;
    };
    const Row kRows[] = {
        {"tiles_176x144_8", 0, 511562, 511562},
        {"tiles_176x144_8", 1, 1620907, 526443},
        {"tiles_177x145_8", 0, 4686347, 4686347},
        {"tiles_177x145_8", 1, 2298107, 1180088},
        {"tiles_352x288_10", 1, 76577128, 21804659},
        {"tiles_256x192_16", 1, 173315154851, 55267311432},
        {"flat_176x144_8", 0, 0, 0},
        {"flat_176x144_8", 1, 1219572, 27102},
        {"bands_640x360_8", 1, 1284346, 51882},
        {"tiles_1920x1080_8", 0, 13959629, 13959629},
        {"tiles_1920x1080_8", 1, 48887171, 14002275},
        {"grey_178x146_10", 1, 26568406, 8530284},
    };
    for (const Row &row : kRows) {
        const Clip &clip = Clip::get(row.clip);
        const FramePlanes planes = planes_with_earlier(clip, row.frame);
        EXPECT_EQ(xpsnr_of_cpu(planes, xpsnr_grid_of(clip.format()))[0], row.error) << row.clip;
        EXPECT_EQ(xpsnr_of_cpu(planes, xpsnr_grid_of(clip.format(), {{"fps", "60"}}))[0], row.error_at_60) << row.clip;
    }
}

TEST(XpsnrLarge, MatchesTheChaptersErrors)
{
    const Clip &clip = Clip::get("tiles_3840x2160_10");
    const std::pair<std::uint64_t, std::uint64_t> kErrors[] = {{588445442, 588445442}, {2262340990, 628423537}};
    for (unsigned frame = 0; frame < 2; ++frame) {
        const FramePlanes planes = planes_with_earlier(clip, frame);
        EXPECT_EQ(xpsnr_of_cpu(planes, xpsnr_grid_of(clip.format()))[0], kErrors[frame].first);
        EXPECT_EQ(xpsnr_of_cpu(planes, xpsnr_grid_of(clip.format(), {{"fps", "60"}}))[0], kErrors[frame].second);
    }
}

TEST(Xpsnr, HasTheChaptersBlocks)
{
    const std::array<unsigned, 3> kBlocks[] = {{176, 144, 8},     {352, 288, 16},    {640, 360, 20},   {640, 480, 24},
                                               {960, 540, 32},    {1280, 720, 44},   {1920, 1080, 64}, {2560, 1440, 84},
                                               {3840, 2160, 128}, {4096, 2160, 132}, {7680, 4320, 256}};
    for (const auto &[width, height, block] : kBlocks)
        EXPECT_EQ(xpsnr_grid_of({VMAF_PIX_FMT_YUV420P, 8, width, height}).block_px, static_cast<int>(block)) << width;
    EXPECT_EQ(xpsnr_grid_of({VMAF_PIX_FMT_YUV420P, 8, 46, 44}).unweighted, 1) << "2024 pixels";
    EXPECT_EQ(xpsnr_grid_of({VMAF_PIX_FMT_YUV420P, 8, 45, 45}).unweighted, 0) << "2025 pixels";
    EXPECT_EQ(xpsnr_grid_of({VMAF_PIX_FMT_YUV420P, 8, 2048, 1152}).step, 1);
    EXPECT_EQ(xpsnr_grid_of({VMAF_PIX_FMT_YUV420P, 8, 2049, 1152}).step, 2);
}

void expect_the_definition(const PictureFormat &format, XpsnrContent content, unsigned seed, unsigned max_sample)
{
    const XpsnrPictures pictures(format, content, seed, max_sample);
    for (const unsigned earlier : {0U, 1U, 2U})
        for (const char *fps : {"0", "32"}) {
            const FramePlanes planes = pictures.planes(earlier);
            const XpsnrErrors wanted = xpsnr_errors(planes, format, fps[0] == '3');
            const XpsnrGrid grid = xpsnr_grid_of(format, {{"fps", fps}});
            for (const CpuTarget target : targets())
                ASSERT_EQ(xpsnr_of_cpu(planes, grid, target), wanted)
                    << format.width << "x" << format.height << " at " << format.bpc << " bit, format " << format.pix_fmt
                    << ", content " << static_cast<int>(content) << ", " << earlier << " earlier, fps " << fps
                    << ", target " << static_cast<int>(target);
        }
}

TEST(Xpsnr, FollowsTheDefinitionAtTheSmallestSizes)
{
    unsigned seed = 0;
    for (const auto &[width, height] : std::vector<std::pair<unsigned, unsigned>>{{1, 1},
                                                                                  {1, 2},
                                                                                  {2, 1},
                                                                                  {3, 3},
                                                                                  {44, 46},
                                                                                  {45, 45},
                                                                                  {46, 45},
                                                                                  {45, 46},
                                                                                  {2025, 1},
                                                                                  {1, 2025},
                                                                                  {1013, 2},
                                                                                  {2, 1013},
                                                                                  {1, 18225},
                                                                                  {16384, 1},
                                                                                  {5, 405},
                                                                                  {7, 1301}})
        for (const VmafPixelFormat pix_fmt : kFormats) {
            const unsigned bpc = seed % 2 == 0 ? 8 : 10;
            expect_the_definition({pix_fmt, bpc, width, height}, kXpsnrContents[seed % 4], seed, (1U << bpc) - 1);
            ++seed;
        }
}

TEST(Xpsnr, FollowsTheDefinitionAtAnySizeFormatAndDepth)
{
    const unsigned seed = std::random_device()();
    std::mt19937 random(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    for (unsigned i = 0; i < 60; ++i) {
        const unsigned bpc = std::array{8U, 8U, 10U, 12U, 9U, 16U}[i % 6];
        const PictureFormat format{kFormats[random() % 4], bpc, 40 + static_cast<unsigned>(random() % 220),
                                   40 + static_cast<unsigned>(random() % 160)};
        expect_the_definition(format, kXpsnrContents[random() % 4], static_cast<unsigned>(random()), (1U << bpc) - 1);
    }
}

TEST(Xpsnr, FollowsTheDefinitionWithoutSmoothing)
{
    expect_the_definition({VMAF_PIX_FMT_YUV420P, 8, 801, 391}, XpsnrContent::smooth, 1, 255);
    expect_the_definition({VMAF_PIX_FMT_YUV422P, 10, 641, 481}, XpsnrContent::noise, 2, 1023);
}

TEST(Xpsnr, TakesSamplesAboveTheDepthAsTheyAre)
{
    for (const unsigned bpc : {9U, 10U, 12U})
        for (const XpsnrContent content : {XpsnrContent::noise, XpsnrContent::ends})
            expect_the_definition({VMAF_PIX_FMT_YUV420P, bpc, 131, 97}, content, bpc, 65535);
}

TEST(XpsnrLarge, FollowsTheDefinitionInQuads)
{
    unsigned seed = 0;
    for (const auto &[width, height] : large_xpsnr_sizes()) {
        const unsigned bpc = std::array{8U, 10U, 16U}[seed % 3];
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, bpc, width, height};
        const XpsnrPictures pictures(format, kXpsnrContents[seed % 2], seed, seed == 4 ? 65535 : (1U << bpc) - 1);
        const bool second_order = seed % 4 < 2;
        const FramePlanes planes = pictures.planes(seed++ % 3);
        const XpsnrErrors wanted = xpsnr_errors(planes, format, second_order);
        const XpsnrGrid grid = xpsnr_grid_of(format, {{"fps", second_order ? "50" : "25"}});
        for (const CpuTarget target : targets())
            EXPECT_EQ(xpsnr_of_cpu(planes, grid, target), wanted) << width << "x" << height << " at " << bpc << " bit";
    }
}

TEST(Xpsnr, HasThePlanesOfTheFormatAndOfTheOption)
{
    const PictureFormat color{VMAF_PIX_FMT_YUV422P, 8, 64, 64}, grey{VMAF_PIX_FMT_YUV400P, 8, 64, 64};
    const std::vector<std::string> luma{"xpsnr_y", "axpsnr_y"};
    EXPECT_EQ(output_names(kXpsnr, {}, color),
              (std::vector<std::string>{"xpsnr_y", "xpsnr_cb", "xpsnr_cr", "axpsnr_y", "axpsnr_cb", "axpsnr_cr",
                                        "axpsnr_min", "axpsnr_w"}));
    EXPECT_EQ(output_names(kXpsnr, {}, grey), luma);
    EXPECT_EQ(output_names(kXpsnr, {{"enable_chroma", "false"}}, color), luma);
    EXPECT_FALSE(parse_options(kXpsnr, {{"fps", "-1"}}).ok());
    EXPECT_FALSE(parse_options(kXpsnr, {{"fps", "1000001"}}).ok());
}

TEST(Xpsnr, LooksAtTwoEarlierPicturesFrom32FramesASecondOn)
{
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    const auto look_back = [&](const char *fps) {
        return kXpsnr.create(parse_options(kXpsnr, {{"fps", fps}}).value())->window(format).look_back();
    };
    EXPECT_EQ(look_back("0"), 1U);
    EXPECT_EQ(look_back("31.9"), 1U);
    EXPECT_EQ(look_back("32"), 2U);
    EXPECT_EQ(look_back("59.94"), 2U);
    EXPECT_EQ(look_back("nan"), 1U);
}

/// Receives values of the clip.
class Aggregates final : public ClipOutputs {
  public:
    std::optional<double> score(std::size_t, unsigned) const override { return std::nullopt; }
    void write_delayed(std::size_t, unsigned, double) override {}
    Status write_aggregate(std::size_t output, double value) override
    {
        values.emplace(output, value);
        return {};
    }

    std::map<std::size_t, double> values; ///< by output
};

// Enough frames for the last digit to depend on the order.
TEST(Xpsnr, AddsUpAClipInTheOrderOfCalls)
{
    constexpr unsigned kFrames = 100;
    const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, 64, 64};
    const auto error = [](unsigned call, unsigned plane) { return std::uint64_t{call} * call * 7919 + 3 + plane; };
    const auto feature = kXpsnr.create(parse_options(kXpsnr, {}).value());
    const auto state = feature->make_clip_state(format);
    const auto index_of = [](unsigned call) { return call * 37 % kFrames; };
    std::array<double, kFrames> by_index{};
    double roots = 0, roots_by_index = 0;
    for (unsigned call = 0; call < kFrames; ++call) {
        const XpsnrSums sums{{error(call, 0), error(call, 1), error(call, 2)}};
        state->reserve(index_of(call));
        state->add(index_of(call), call, &sums);
        by_index[index_of(call)] = std::sqrt(static_cast<double>(sums.error[0]));
        roots += by_index[index_of(call)];
    }
    for (const double root : by_index)
        roots_by_index += root;
    ASSERT_NE(roots, roots_by_index) << "the order does not show";
    Aggregates aggregates;
    ASSERT_TRUE(state->flush(aggregates).ok());
    const double mean = roots / kFrames;
    EXPECT_EQ(aggregates.values.at(3), 10.0 * std::log10(64.0 * 64 * 255 * 255 / (mean * mean)));
    EXPECT_EQ(aggregates.values.size(), 5U);
    EXPECT_EQ(aggregates.values.at(6), std::min({aggregates.values[3], aggregates.values[4], aggregates.values[5]}));
}

// Each segment's session counts its calls from 0 on.
TEST(Xpsnr, AddsUpSegmentsInTheOrderOfTheClip)
{
    constexpr unsigned kFrames = 100, kSegment = kFrames / 2;
    const PictureFormat format{VMAF_PIX_FMT_YUV400P, 8, 64, 64};
    const auto feature = kXpsnr.create(parse_options(kXpsnr, {}).value());
    const auto merged = feature->make_clip_state(format);
    double roots = 0, roots_by_call = 0;
    for (unsigned first = 0; first < kFrames; first += kSegment) {
        const auto segment = feature->make_clip_state(format);
        for (unsigned i = 0; i < kSegment; ++i) {
            const std::uint64_t error = std::uint64_t{first + i} * (first + i) * 7919 + 3;
            const XpsnrSums sums{{error, 0, 0}};
            segment->reserve(i);
            segment->add(i, i, &sums);
            std::vector<std::byte> kept(segment->kept_bytes());
            segment->save(i, kept.data());
            merged->reserve(first + i);
            merged->load(first + i, kept.data());
            roots += std::sqrt(static_cast<double>(error));
        }
    }
    for (unsigned i = 0; i < kSegment; ++i)
        for (const unsigned frame : {i, kSegment + i})
            roots_by_call += std::sqrt(static_cast<double>(std::uint64_t{frame} * frame * 7919 + 3));
    ASSERT_NE(roots, roots_by_call) << "the order does not show";
    Aggregates aggregates;
    ASSERT_TRUE(merged->flush(aggregates).ok());
    const double mean = roots / kFrames;
    EXPECT_EQ(aggregates.values.at(1), 10.0 * std::log10(64.0 * 64 * 255 * 255 / (mean * mean)));
}

TEST(Xpsnr, OfEqualPlanesIsInfinite)
{
    for (const unsigned side : {1U, 2U, 64U}) {
        const PictureFormat format{VMAF_PIX_FMT_YUV420P, 8, side, side};
        TestPicture picture(format);
        picture.fill([](unsigned, unsigned x, unsigned y) { return x * y; });
        const FeatureRunner<XpsnrSums> runner(kXpsnr);
        const XpsnrSums sums = runner.sums(planes_of(picture, picture), format);
        EXPECT_EQ(errors_of(sums), XpsnrErrors{});
        std::array<double, 3> scores{};
        static_cast<const Feature &>(*kXpsnr.create(parse_options(kXpsnr, {}).value())).finish(&sums, format, scores);
        for (const double score : scores)
            EXPECT_EQ(score, HUGE_VAL);
    }
}

} // namespace
} // namespace vmaf::test
