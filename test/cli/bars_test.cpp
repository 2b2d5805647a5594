#include "comparison/bars.h"

#include <gtest/gtest.h>

#include "comparison/plan.h"
#include "frames/library.h"

/// Finds black bars in frames (spec comparison 7).
namespace vmaf::test {
namespace {

using tool::BarFinder;
using tool::Crop;
using tool::FoundPicture;
using tool::Pictures;

constexpr unsigned kWidth = 64, kHeight = 48;

/// A frame of one code, with a rectangle of another.
tool::Picture frame(unsigned depth, unsigned black, const Crop &content, unsigned code)
{
    tool::Picture picture;
    EXPECT_EQ(vmaf_picture_alloc(&picture.raw(), VMAF_PIX_FMT_YUV420P, depth, kWidth, kHeight), 0);
    for (unsigned y = 0; y < kHeight; ++y)
        for (unsigned x = 0; x < kWidth; ++x) {
            const bool is_content =
                x - content.x < content.width_px && y - content.y < content.height_px && content.width_px > 0;
            const unsigned sample = is_content ? code : black;
            auto *row = static_cast<std::uint8_t *>(picture.raw().data[0]) + y * picture.raw().stride[0];
            if (depth > 8)
                reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(sample);
            else
                row[x] = static_cast<std::uint8_t>(sample);
        }
    return picture;
}

tool::PictureForm form(unsigned depth = 8, tool::Range range = tool::Range::limited)
{
    return {{kWidth, kHeight, VMAF_PIX_FMT_YUV420P, depth}, range};
}

constexpr Crop kWhole{0, 0, kWidth, kHeight};
constexpr Crop kContent{5, 7, 51, 30};

FoundPicture found(const tool::PictureForm &form, unsigned black, unsigned code, unsigned frames = 20,
                   const Crop &content = kContent)
{
    BarFinder finder(form);
    for (unsigned i = 0; i < frames; ++i)
        finder.add(frame(form.format.depth, black, content, code).raw());
    return finder.found();
}

TEST(Bars, AreFoundFourCodesFromBlackInEveryRangeAndDepth)
{
    const auto full = tool::Range::full;
    EXPECT_EQ(found(form(), 20, 21), (FoundPicture{20, kContent}));
    EXPECT_EQ(found(form(), 21, 40).picture, kWhole);
    EXPECT_EQ(found(form(), 0, 21).picture, kContent);
    EXPECT_EQ(found(form(8, full), 4, 5).picture, kContent);
    EXPECT_EQ(found(form(8, full), 5, 9).picture, kWhole);
    EXPECT_EQ(found(form(10), 80, 81).picture, kContent);
    EXPECT_EQ(found(form(10), 81, 100).picture, kWhole);
    EXPECT_EQ(found(form(12, full), 64, 65).picture, kContent);
}

TEST(Bars, NeedTwentyFramesWithContent)
{
    EXPECT_EQ(found(form(), 16, 100, 19), (FoundPicture{19, kWhole}));
    BarFinder finder(form());
    for (unsigned i = 0; i < 40; ++i)
        finder.add(frame(8, 16, i % 2 == 0 ? kContent : Crop{}, 100).raw());
    EXPECT_EQ(finder.found(), (FoundPicture{20, kContent}));
}

TEST(Bars, LeaveTheContentOfAllFrames)
{
    BarFinder finder(form());
    for (unsigned i = 0; i < 30; ++i)
        finder.add(frame(8, 16, i % 3 == 0 ? Crop{8, 6, 40, 20} : Crop{6, 8, 50, 36}, 100).raw());
    EXPECT_EQ(finder.found().picture, (Crop{6, 6, 50, 38}));
}

// Credits on black: few frames have content near the outermost edge.
TEST(Bars, AreConstant)
{
    BarFinder finder(form());
    for (unsigned i = 0; i < 30; ++i)
        finder.add(frame(8, 16, i % 10 == 0 ? Crop{2, 2, 60, 44} : Crop{20, 16, 20, 8}, 100).raw());
    EXPECT_EQ(finder.found().picture, kWhole);
}

TEST(Bars, OfBothVideosAreAligned)
{
    const tool::VideoFormat full{1920, 1080, VMAF_PIX_FMT_YUV420P, 8};
    const tool::VideoFormat half{960, 540, VMAF_PIX_FMT_YUV420P, 8}, sd{854, 480, VMAF_PIX_FMT_YUV420P, 8};
    const Crop picture{0, 140, 1920, 800};
    const auto aligned = [&](const Crop &ref, const Crop &dis, const tool::VideoFormat &format) {
        return tool::aligned_pictures({ref, dis}, full, format);
    };
    // Edges that the encode blurred.
    EXPECT_EQ(aligned(picture, {0, 136, 1920, 806}, full), (Pictures{picture, picture}));
    EXPECT_EQ(aligned(picture, {0, 66, 960, 404}, half), (Pictures{picture, {0, 70, 960, 400}}));
    // Row 138 is row 69, which has no chroma of its own.
    EXPECT_EQ(aligned({0, 138, 1920, 804}, {0, 68, 960, 404}, half),
              (Pictures{{0, 140, 1920, 800}, {0, 70, 960, 400}}));
    // Row 144 is row 64 of 480, and 936 is 416.
    EXPECT_EQ(aligned(picture, {0, 62, 854, 356}, sd), (Pictures{{0, 144, 1920, 792}, {0, 64, 854, 352}}));
    // Bars in another place.
    const Crop shifted{0, 148, 1920, 800};
    EXPECT_EQ(aligned(picture, shifted, full), (Pictures{picture, shifted}));
    const Crop other{240, 0, 1440, 1080};
    EXPECT_EQ(aligned(picture, other, full), (Pictures{picture, other}));
}

TEST(Bars, AreSeenWhereTheOtherVideoHasAPicture)
{
    const auto seen = [](unsigned frames, const Crop &content, unsigned code = 100, unsigned depth = 8) {
        tool::FrameProbe probe;
        for (unsigned i = 0; i < frames; ++i)
            probe.look(frame(depth, 16U << (depth - 8), content, code << (depth - 8)).raw(), tool::Range::limited,
                       false);
        return probe;
    };
    const tool::FrameProbe whole = seen(20, kWhole), letterbox = seen(20, {0, 4, 64, 40}),
                           pillars = seen(20, {8, 0, 48, 48});
    for (const tool::FrameProbe &bars : {letterbox, pillars, seen(20, {0, 4, 64, 40}, 100, 10)}) {
        EXPECT_TRUE(bars.has_bar_beside(whole));
        EXPECT_FALSE(whole.has_bar_beside(bars));
        EXPECT_FALSE(bars.has_bar_beside(bars));
    }
    // Too few frames, a picture that is nearly black, and frames without content.
    EXPECT_FALSE(seen(19, {0, 4, 64, 40}).has_bar_beside(whole));
    EXPECT_FALSE(letterbox.has_bar_beside(seen(20, kWhole, 30)));
    EXPECT_FALSE(seen(60, {}).has_bar_beside(whole));
}

/// Frames of which the first `grey` ones have chroma within 4 codes of neutral.
tool::FrameProbe chroma_seen(unsigned frames, unsigned grey, unsigned colour = 17, unsigned depth = 8)
{
    tool::FrameProbe probe;
    for (unsigned i = 0; i < frames; ++i) {
        const tool::Picture picture = frame(depth, 16U << (depth - 8), kWhole, 100U << (depth - 8));
        const unsigned distance = i < grey ? 4 : colour;
        for (const unsigned plane : {1U, 2U})
            for (unsigned y = 0; y < kHeight / 2; ++y)
                for (unsigned x = 0; x < kWidth / 2; ++x) {
                    const bool is_off = plane == 2 && x == 9;
                    const unsigned code = (128U - (is_off ? distance : 0)) << (depth - 8);
                    auto *row =
                        static_cast<std::uint8_t *>(picture.raw().data[plane]) + y * picture.raw().stride[plane];
                    if (depth > 8)
                        reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(code);
                    else
                        row[x] = static_cast<std::uint8_t>(code);
                }
        probe.look(picture.raw(), tool::Range::limited, true);
    }
    return probe;
}

TEST(FrameProbe, SeesGreyWhereTheOtherVideoHasColour)
{
    for (const unsigned depth : {8U, 10U}) {
        const tool::FrameProbe grey = chroma_seen(20, 20, 17, depth), colour = chroma_seen(20, 0, 17, depth);
        EXPECT_TRUE(grey.is_grey_beside(colour)) << depth;
        EXPECT_TRUE(grey.is_grey_beside(chroma_seen(20, 19, 17, depth))) << depth;
        EXPECT_FALSE(colour.is_grey_beside(grey));
        EXPECT_FALSE(grey.is_grey_beside(grey));
        EXPECT_FALSE(colour.is_grey_beside(colour));
    }
    const tool::FrameProbe colour = chroma_seen(20, 0);
    EXPECT_FALSE(chroma_seen(19, 19).is_grey_beside(colour)) << "too few frames";
    EXPECT_FALSE(chroma_seen(20, 19, 5).is_grey_beside(colour)) << "pale, not grey";
    EXPECT_FALSE(chroma_seen(20, 20).is_grey_beside(chroma_seen(20, 0, 16))) << "pale, not coloured";
}

TEST(FrameProbe, WantsChromaUntilThereIsColourOrEnoughWasSeen)
{
    EXPECT_TRUE(chroma_seen(0, 0).wants_chroma());
    EXPECT_TRUE(chroma_seen(5, 5).wants_chroma());
    EXPECT_FALSE(chroma_seen(6, 5).wants_chroma());
    EXPECT_TRUE(chroma_seen(20 + 19 * 8, 1000).wants_chroma());
    EXPECT_FALSE(chroma_seen(20 + 20 * 8, 1000).wants_chroma());
}

/// Columns that differ by `contrast` 8-bit codes.
tool::FrameProbe detail_seen(unsigned frames, unsigned contrast, unsigned depth = 8)
{
    tool::FrameProbe probe;
    const tool::Picture picture = frame(depth, 16U << (depth - 8), kWhole, 100U << (depth - 8));
    for (unsigned y = 0; y < kHeight; ++y)
        for (unsigned x = 0; x < kWidth; ++x) {
            const unsigned code = (100 + x % 2 * contrast) << (depth - 8);
            auto *row = static_cast<std::uint8_t *>(picture.raw().data[0]) + y * picture.raw().stride[0];
            if (depth > 8)
                reinterpret_cast<std::uint16_t *>(row)[x] = static_cast<std::uint16_t>(code);
            else
                row[x] = static_cast<std::uint8_t>(code);
        }
    for (unsigned i = 0; i < frames; ++i)
        probe.look(picture.raw(), tool::Range::limited, false);
    return probe;
}

TEST(FrameProbe, ComparesDetail)
{
    for (const unsigned depth : {8U, 10U, 16U}) {
        const tool::FrameProbe coarse = detail_seen(5, 20, depth), fine = detail_seen(9, 10);
        EXPECT_DOUBLE_EQ(coarse.detail_over(fine), 4) << depth;
        EXPECT_DOUBLE_EQ(fine.detail_over(coarse), 0.25) << depth;
    }
    EXPECT_EQ(detail_seen(4, 20).detail_over(detail_seen(9, 10)), 0) << "too few frames";
    EXPECT_EQ(detail_seen(9, 20).detail_over(detail_seen(4, 10)), 0) << "too few frames";
    EXPECT_EQ(detail_seen(9, 20).detail_over(detail_seen(9, 0)), 0) << "a flat picture";
}

tool::VideoDescription described(const FoundPicture &found)
{
    tool::VideoDescription video;
    video.form = form();
    video.tags.is_media = true;
    video.found = found;
    return video;
}

TEST(Bars, AreCutOffOrALineSaysWhyNot)
{
    tool::InputOptions options;
    options.crop = tool::parse_crop("auto").value();
    const tool::Plan plan =
        tool::plan_comparison(described({20, {5, 7, 51, 30}}), described({19, {5, 7, 51, 30}}), options);
    EXPECT_EQ(plan.ref.crop, (Crop{6, 8, 50, 28}));
    EXPECT_FALSE(plan.dis.crop);
    ASSERT_GE(plan.decisions.size(), 2U);
    EXPECT_EQ(plan.decisions[0].text, "reference: 64x48 cropped to 50:28:6:8, its picture inside bars");
    EXPECT_EQ(plan.decisions[1].text,
              "distorted: not cropped: 19 sampled frames are not black, 20 are needed to find bars");
    const tool::Plan none = tool::plan_comparison(described({40, kWhole}), described({40, kWhole}), options);
    EXPECT_FALSE(none.ref.crop);
    ASSERT_EQ(none.decisions.size(), 2U);
    EXPECT_EQ(none.decisions[1].text, "distorted: not cropped: it has no bars");
    EXPECT_EQ(none.decisions[1].severity, tool::Severity::note);
}

} // namespace
} // namespace vmaf::test
