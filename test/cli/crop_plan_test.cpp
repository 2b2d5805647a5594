#include <gtest/gtest.h>

#include "comparison/plan.h"

/// Decisions about crops and aspect ratios (spec comparison 7).
namespace vmaf::test {
namespace {

using tool::Crop;
using tool::Decision;
using tool::InputOptions;
using tool::Plan;
using tool::plan_comparison;
using tool::Severity;
using tool::Side;
using tool::VideoDescription;
using Kind = tool::Decision::Kind;

VideoDescription media(unsigned width, unsigned height, VmafPixelFormat pix_fmt = VMAF_PIX_FMT_YUV420P)
{
    VideoDescription video;
    video.form.format = {width, height, pix_fmt, 8};
    video.tags.is_media = true;
    return video;
}

VideoDescription with_pixels(unsigned width, unsigned height, int num, int den)
{
    VideoDescription video = media(width, height);
    video.tags.pixel_aspect_num = num;
    video.tags.pixel_aspect_den = den;
    return video;
}

InputOptions cropping(const char *both, const char *ref = nullptr, const char *dis = nullptr)
{
    InputOptions options;
    options.crop = tool::parse_crop(both).value();
    if (ref)
        options.ref.crop = tool::parse_crop(ref).value();
    if (dis)
        options.dis.crop = tool::parse_crop(dis).value();
    return options;
}

/// Texts of the plan's warnings about the aspect ratio.
std::vector<std::string> doubts(const VideoDescription &ref, const VideoDescription &dis,
                                const InputOptions &options = {})
{
    std::vector<std::string> texts;
    for (const Decision &decision : plan_comparison(ref, dis, options).decisions)
        if (decision.kind == Kind::aspect) {
            EXPECT_EQ(decision.severity, Severity::warning);
            texts.push_back(decision.text);
        }
    return texts;
}

TEST(CropPlan, CutsBeforeItScales)
{
    const Plan plan = plan_comparison(media(1920, 1080), media(1280, 534), cropping("none", "0,0,140,140"));
    EXPECT_EQ(plan.ref.crop, (Crop{0, 140, 1920, 800}));
    EXPECT_FALSE(plan.dis.crop);
    EXPECT_EQ(plan.ref.form.format.height_px, 800U);
    EXPECT_EQ(plan.dis.form.format.height_px, 800U);
    ASSERT_EQ(plan.decisions.size(), 2U);
    EXPECT_EQ(plan.decisions[0], (Decision{Kind::crop, Side::reference, Severity::note,
                                           "reference: 1920x1080 cropped to 1920:800:0:140"}));
    EXPECT_EQ(plan.decisions[1].kind, Kind::size);
    EXPECT_EQ(plan.ref.conversions, std::vector<std::string>{"1920x1080 cropped to 1920:800:0:140"});
}

TEST(CropPlan, HasOneOptionForBothAndOneForEach)
{
    const Plan both = plan_comparison(media(64, 48), media(64, 48), cropping("32:16:4:2"));
    EXPECT_EQ(both.ref.crop, (Crop{4, 2, 32, 16}));
    EXPECT_EQ(both.dis.crop, both.ref.crop);
    const Plan other = plan_comparison(media(64, 48), media(64, 48), cropping("32:16:4:2", nullptr, "none"));
    EXPECT_TRUE(other.ref.crop);
    EXPECT_FALSE(other.dis.crop);
    EXPECT_TRUE(plan_comparison(media(64, 48), media(64, 48), cropping("64:48:0:0")).decisions.empty());
}

TEST(CropPlan, NeedsColumnsAndRowsThatHaveChroma)
{
    const auto error = [](VmafPixelFormat pix_fmt, const char *crop) -> std::string {
        for (const Decision &decision :
             plan_comparison(media(65, 49, pix_fmt), media(65, 49, pix_fmt), cropping("none", crop)).decisions)
            if (decision.severity == Severity::error)
                return decision.text;
        return {};
    };
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV420P, "31:16:4:2"),
              "--crop_ref 31:16:4:2: 420 has to begin and end on even columns "
              "and rows: --crop_ref 30:16:4:2");
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV420P, "32:16:5:3"),
              "--crop_ref 32:16:5:3: 420 has to begin and end on even columns "
              "and rows: --crop_ref 30:14:6:4");
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV420P, "61:47:4:2"), "");
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV422P, "32:15:4:3"), "");
    EXPECT_NE(error(VMAF_PIX_FMT_YUV422P, "32:15:5:3").find("even columns: --crop_ref 30:15:6:3"), std::string::npos);
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV444P, "31:15:5:3"), "");
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV400P, "31:15:5:3"), "");
    EXPECT_EQ(error(VMAF_PIX_FMT_YUV420P, "1:1:1:1"),
              "--crop_ref 1:1:1:1: 420 has to begin and end on even columns and rows");
}

TEST(CropPlan, OptionsAreRead)
{
    for (const char *text : {"", "1", "1:2:3", "1:2:3:4:5", "1,2:3,4", "1:2:3:", ":2:3:4", "-1,2,3,4", "1:2:3:x",
                             "1,2,3,40000", "1 :2:3:4", "automatic"})
        EXPECT_FALSE(tool::parse_crop(text)) << text;
    const tool::CropOption borders = tool::parse_crop("1,2,3,4").value();
    EXPECT_EQ(borders.left, 1U);
    EXPECT_EQ(borders.right, 2U);
    EXPECT_EQ(borders.top, 3U);
    EXPECT_EQ(borders.bottom, 4U);
    EXPECT_EQ(tool::parse_crop("10:20:30:40").value().rectangle, (Crop{30, 40, 10, 20}));
}

TEST(AspectPlan, DoubtsScalingThatChangesIt)
{
    using Texts = std::vector<std::string>;
    EXPECT_EQ(doubts(media(1920, 1080), media(1920, 800)),
              Texts{"1920x800 scaled to 1920x1080 changes the aspect: --crop_ref auto?"});
    EXPECT_EQ(doubts(media(1920, 800), media(1280, 720)),
              Texts{"1280x720 scaled to 1920x800 changes the aspect: --crop_dist auto?"});
    EXPECT_EQ(doubts(media(1920, 1080), media(1440, 1080)),
              Texts{"1440x1080 scaled to 1920x1080 changes the aspect: --crop auto?"});
    EXPECT_EQ(doubts(media(1920, 1080), media(640, 368)),
              Texts{"640x368 scaled to 1920x1080 changes the aspect: --crop_ref auto?"});
    for (const auto &[width, height] : {std::pair(1280U, 720U), {854U, 480U}, {426U, 240U}, {256U, 144U}, {54U, 30U}})
        EXPECT_TRUE(doubts(media(1920, 1080), media(width, height)).empty()) << width;
    EXPECT_TRUE(doubts(media(1920, 1080), media(1280, 534), cropping("none", "0,0,140,140")).empty());
    // Nothing is scaled.
    InputOptions none;
    none.scale.kind = tool::ScaleOption::Kind::none;
    EXPECT_TRUE(doubts(media(1920, 1080), media(1920, 800), none).empty());
}

TEST(AspectPlan, KnowsPicturesThatFillMacroblocks)
{
    EXPECT_EQ(doubts(media(1920, 1080), media(1920, 1088)),
              std::vector<std::string>{"1920x1088 scaled to 1920x1080: the first has rows or columns that only fill it "
                                       "up to a multiple of 16: --crop_dist 1920:1080:0:0?"});
    EXPECT_EQ(doubts(media(1920, 1088), media(1920, 1080)),
              std::vector<std::string>{"1920x1080 scaled to 1920x1088: the second has rows or columns that only fill "
                                       "it up to a multiple of 16: --crop_ref 1920:1080:0:0?"});
    EXPECT_TRUE(doubts(media(1920, 1080), media(1920, 1088), cropping("none", nullptr, "1920:1080:0:0")).empty());
}

TEST(AspectPlan, CountsPixelAspectsAndRotation)
{
    EXPECT_TRUE(doubts(with_pixels(1024, 576, 1, 1), with_pixels(720, 576, 64, 45)).empty());
    EXPECT_TRUE(doubts(media(1024, 576), with_pixels(720, 576, 64, 45)).empty());
    EXPECT_TRUE(doubts(with_pixels(720, 576, 64, 45), media(360, 288)).empty());
    EXPECT_EQ(doubts(with_pixels(720, 576, 64, 45), with_pixels(720, 480, 64, 45)).size(), 1U);
    // The aspect is that of upright pictures. The pixels are as stored.
    VideoDescription turned = with_pixels(576, 720, 64, 45);
    turned.tags.orientation.quarter_turns = 1;
    EXPECT_TRUE(doubts(media(576, 1024), turned).empty());
    EXPECT_EQ(doubts(media(1080, 1920), media(1920, 1080)).size(), 1U);
}

TEST(AspectPlan, OfASizeThatWasNamedOffersAnother)
{
    InputOptions options;
    options.scale = tool::parse_scale("1920x1080").value();
    EXPECT_EQ(doubts(media(1920, 800), media(1280, 720), options),
              std::vector<std::string>{"1920x800 scaled to 1920x1080 changes the aspect: --scale 1920x800"});
    EXPECT_TRUE(doubts(media(1920, 1080), media(1280, 720), options).empty());
}

} // namespace
} // namespace vmaf::test
