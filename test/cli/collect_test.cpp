#include "alignment/collect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "frames/library.h"

/// Collects small luma while frames are read.
namespace vmaf::test {
namespace {

using tool::FrameWindow;
using tool::LumaCollector;
using tool::Range;
using tool::SmallLuma;

constexpr unsigned kAll = std::numeric_limits<unsigned>::max();

struct Case {
    unsigned width_px, height_px, depth;
    Range range;
};

tool::Picture picture_of(const Case &of, const std::vector<unsigned> &samples)
{
    tool::Picture picture;
    VmafPicture &raw = picture.raw();
    EXPECT_EQ(vmaf_picture_alloc(&raw, VMAF_PIX_FMT_YUV400P, of.depth, of.width_px, of.height_px), 0);
    for (unsigned y = 0; y < of.height_px; ++y)
        for (unsigned x = 0; x < of.width_px; ++x) {
            auto *row = static_cast<std::uint8_t *>(raw.data[0]) + y * raw.stride[0];
            const unsigned sample = samples[std::size_t{y} * of.width_px + x];
            if (of.depth > 8)
                reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(sample);
            else
                row[x] = static_cast<std::uint8_t>(sample);
        }
    return picture;
}

/// The exact mean of every n-th line of a box, as an 8-bit code in limited range.
double code(const Case &of, const tool::SmallGrid &grid, const std::vector<unsigned> &samples, unsigned column,
            unsigned row)
{
    const unsigned left = column * of.width_px / grid.width_px, right = (column + 1) * of.width_px / grid.width_px;
    const unsigned top = row * of.height_px / grid.height_px, bottom = (row + 1) * of.height_px / grid.height_px;
    double sum = 0, count = 0;
    for (unsigned y = top; y < bottom; y += std::max(of.height_px / grid.height_px / 8, 1U))
        for (unsigned x = left; x < right; ++x, ++count)
            sum += samples[std::size_t{y} * of.width_px + x];
    const double mean = sum / count;
    return of.range == Range::full ? 16 + mean * 219 / (std::pow(2, of.depth) - 1) : mean / std::pow(2, of.depth - 8);
}

TEST(CollectedLuma, IsTheMeanOfBoxesAsLimitedCodesOf8Bit)
{
    std::mt19937 random(7);
    for (const Case &of :
         {Case{192, 108, 8, Range::limited}, Case{193, 107, 8, Range::full}, Case{1920, 1080, 10, Range::limited},
          Case{331, 35, 12, Range::full}, Case{17, 9, 16, Range::limited}, Case{16, 4000, 8, Range::limited},
          Case{16, 30000, 8, Range::limited}, Case{1000, 500, 16, Range::full}}) {
        SCOPED_TRACE(std::to_string(of.width_px) + "x" + std::to_string(of.height_px) + " " + std::to_string(of.depth));
        // Half of the samples are at the end of the range, where sums are largest.
        std::vector<unsigned> samples(std::size_t{of.width_px} * of.height_px);
        const unsigned largest = (1U << of.depth) - 1;
        for (unsigned &sample : samples)
            sample = random() % 2 == 0 ? largest : static_cast<unsigned>(random() & largest);
        SmallLuma luma{.grid = tool::small_grid(of.width_px, of.height_px)};
        append_small_luma(picture_of(of, samples).raw(), of.range, luma);
        append_small_luma(picture_of(of, samples).raw(), of.range, luma);
        ASSERT_EQ(luma.frames(), 2U);
        for (unsigned row = 0; row < luma.grid.height_px; ++row)
            for (unsigned column = 0; column < luma.grid.width_px; ++column) {
                const double expected = std::min(code(of, luma.grid, samples, column, row), 255.);
                const double found = luma.frame(1)[row * luma.grid.width_px + column];
                ASSERT_LE(std::abs(found - expected), 0.5 + 1e-9) << column << ", " << row;
            }
        EXPECT_TRUE(std::ranges::equal(luma.frame(0), luma.frame(1)));
    }
}

TEST(CollectedLuma, LiesInWindowsAtTheStartAndLater)
{
    using Windows = std::vector<FrameWindow>;
    EXPECT_EQ(tool::windows_of(std::nullopt, 25), (Windows{{0, 500}}));
    EXPECT_EQ(tool::windows_of(599, 25), (Windows{{0, 500}})) << "the rest is too short";
    EXPECT_EQ(tool::windows_of(600, 25), (Windows{{0, 500}, {500, 250}}));
    EXPECT_EQ(tool::windows_of(10000, 25), (Windows{{0, 500}, {5000, 250}, {8750, 250}}));
    EXPECT_EQ(tool::windows_of(1000, 25), (Windows{{0, 500}, {500, 250}, {750, 250}}));
    EXPECT_EQ(tool::windows_of(1500, 25), (Windows{{0, 500}, {750, 250}, {1250, 250}})) << "not the last eighth alone";
    EXPECT_EQ(tool::windows_of(10000, std::nullopt), tool::windows_of(10000, 25));
    EXPECT_EQ(tool::windows_of(10000, 0), tool::windows_of(10000, 25));
    EXPECT_EQ(tool::windows_of(8000, 24000 / 1001.).front(), (FrameWindow{0, 480}));
}

TEST(CollectedLuma, OfSegmentsIsThatOfTheWhole)
{
    const Case of{32, 32, 8, Range::limited};
    const tool::PictureForm form{{of.width_px, of.height_px, VMAF_PIX_FMT_YUV400P, of.depth}};
    const FrameWindow windows[] = {{0, 10}, {20, 10}};
    LumaCollector whole(form, windows), first(form, windows), second(form, windows);
    for (unsigned frame = 0; frame < 27; ++frame) {
        const tool::Picture picture = picture_of(of, std::vector<unsigned>(32 * 32, 16 + frame));
        whole.take(frame, picture.raw());
        if (frame < 23)
            first.take(frame, picture.raw());
        if (frame >= 18)
            second.take(frame, picture.raw());
    }
    first.add(second);
    const std::vector<SmallLuma> expected = whole.small_luma(kAll), found = first.small_luma(kAll);
    ASSERT_EQ(expected.size(), 2U);
    EXPECT_EQ(expected[0].frames(), 10U);
    EXPECT_EQ(expected[1].frames(), 7U);
    EXPECT_EQ(expected[1].first_frame, 20U);
    EXPECT_EQ(expected[1].frame(0)[0], 36);
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(found[i].samples, expected[i].samples);
        EXPECT_EQ(found[i].first_frame, expected[i].first_frame);
    }
}

// Readers are ahead of the comparison by as many frames as time allowed.
TEST(CollectedLuma, EndsWithTheFramesThatWereCompared)
{
    const Case of{32, 32, 8, Range::limited};
    const FrameWindow windows[] = {{0, 10}, {20, 10}};
    LumaCollector collector({{of.width_px, of.height_px, VMAF_PIX_FMT_YUV400P, of.depth}}, windows);
    for (unsigned frame = 0; frame < 27; ++frame)
        collector.take(frame, picture_of(of, std::vector<unsigned>(32 * 32, 16)).raw());
    for (const auto &[compared, first, second] : {std::tuple{0U, 0U, 0U},
                                                  {7U, 7U, 0U},
                                                  {10U, 10U, 0U},
                                                  {20U, 10U, 0U},
                                                  {21U, 10U, 1U},
                                                  {27U, 10U, 7U},
                                                  {kAll, 10U, 7U}}) {
        const std::vector<SmallLuma> found = collector.small_luma(compared);
        EXPECT_EQ(found[0].frames(), first) << compared;
        EXPECT_EQ(found[1].frames(), second) << compared;
    }
}

// Sums from the owner of other memory give the same codes as the samples.
TEST(CollectedLuma, OfSumsIsThatOfSamples)
{
    std::mt19937 random(11);
    for (const Case &of : {Case{193, 107, 8, Range::limited}, Case{193, 107, 8, Range::full},
                           Case{1000, 611, 10, Range::limited}, Case{17, 9, 16, Range::full}}) {
        const tool::PictureForm form{{of.width_px, of.height_px, VMAF_PIX_FMT_YUV400P, of.depth}, of.range};
        const FrameWindow windows[] = {{0, 1}, {3, 1}};
        LumaCollector whole(form, windows), summed(form, windows);
        const VmafLumaGrid grid = summed.boxes();
        for (unsigned frame = 0; frame < 5; ++frame) {
            EXPECT_EQ(summed.wants(frame), frame == 0 || frame == 3);
            std::vector<unsigned> samples(std::size_t{of.width_px} * of.height_px);
            for (unsigned &sample : samples)
                sample = static_cast<unsigned>(random()) & ((1U << of.depth) - 1);
            std::vector<std::uint32_t> sums;
            for (unsigned row = 0; row < grid.rows; ++row)
                for (unsigned column = 0; column < grid.columns; ++column) {
                    std::uint32_t &sum = sums.emplace_back(0);
                    for (unsigned y = row * of.height_px / grid.rows; y < (row + 1) * of.height_px / grid.rows;
                         y += grid.line_step)
                        for (unsigned x = column * of.width_px / grid.columns;
                             x < (column + 1) * of.width_px / grid.columns; ++x)
                            sum += samples[std::size_t{y} * of.width_px + x];
                }
            whole.take(frame, picture_of(of, samples).raw());
            summed.take_sums(frame, sums, of.depth);
        }
        for (std::size_t window = 0; window < 2; ++window) {
            EXPECT_EQ(whole.small_luma(kAll)[window].frames(), 1U);
            EXPECT_EQ(summed.small_luma(kAll)[window].samples, whole.small_luma(kAll)[window].samples);
        }
    }
}

} // namespace
} // namespace vmaf::test
