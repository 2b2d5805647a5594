#include <gtest/gtest.h>

#include "input/media/common_format.h"

/// How two videos are brought together (spec cli 10.1), as decisions.
namespace vmaf::test {
namespace {

using tool::CommonFormat;
using tool::ConvertingReader;
using tool::InputOptions;
using tool::Match;
using tool::match_formats;
using tool::VideoTags;

constexpr auto k420 = VMAF_PIX_FMT_YUV420P;
constexpr auto k444 = VMAF_PIX_FMT_YUV444P;
constexpr auto kGray = VMAF_PIX_FMT_YUV400P;
constexpr auto kScaled = ConvertingReader::OtherSizes::are_scaled;
constexpr auto kErrors = ConvertingReader::OtherSizes::are_errors;

CommonFormat video(unsigned width, unsigned height, VmafPixelFormat pix_fmt = k420, unsigned depth = 8,
                   bool full_range = false)
{
    return {{width, height, pix_fmt, depth}, full_range};
}

InputOptions options(const char *scale, const char *pix_fmt)
{
    InputOptions options;
    options.scale = tool::parse_scale(scale).value();
    options.pix_fmt = tool::parse_common_format(pix_fmt).value();
    return options;
}

TEST(CommonFormat, FilesOfPlanesAreLeftAlone)
{
    const Match match = match_formats(video(64, 48), video(32, 24, k444, 10), {}, false);
    EXPECT_EQ(match.ref.format, video(64, 48));
    EXPECT_EQ(match.dis.format, video(32, 24, k444, 10));
    EXPECT_TRUE(match.notes.empty());
}

TEST(CommonFormat, MediaGetTheReferencesSizeAndLayoutAndTheLargerDepth)
{
    const Match match = match_formats(video(64, 48), video(32, 24, k444, 10), {}, true);
    EXPECT_EQ(match.ref.format, video(64, 48, k420, 10));
    EXPECT_EQ(match.dis.format, video(64, 48, k420, 10));
    EXPECT_EQ(match.ref.other_sizes, kErrors);
    EXPECT_EQ(match.dis.other_sizes, kScaled);
    EXPECT_EQ(match.notes, (std::vector<std::string>{"distorted: 32x24 scaled to 64x48 (bicubic)",
                                                     "distorted: chroma 444 is scaled to 420"}));
    EXPECT_TRUE(match.warnings.empty());
    EXPECT_EQ(match.ref.conversions, std::vector<std::string>{"8 bits are made 10"});
    EXPECT_EQ(match.dis.conversions,
              (std::vector<std::string>{"32x24 scaled to 64x48 (bicubic)", "chroma 444 is scaled to 420"}));
}

TEST(CommonFormat, ScalingIsAsAskedFor)
{
    const Match none = match_formats(video(64, 48), video(32, 24), options("none", "auto"), true);
    EXPECT_EQ(none.dis.format, video(32, 24));
    EXPECT_EQ(none.dis.other_sizes, kErrors);
    const Match raw = match_formats(video(64, 48), video(32, 24), options("ref", "auto"), false);
    EXPECT_EQ(raw.dis.format, video(64, 48));
    const Match size = match_formats(video(64, 48), video(32, 24), options("48x40", "auto"), true);
    EXPECT_EQ(size.ref.format, video(48, 40));
    EXPECT_EQ(size.dis.format, video(48, 40));
    EXPECT_EQ(size.ref.other_sizes, kScaled);
}

TEST(CommonFormat, OneGraySideMakesBothGray)
{
    EXPECT_EQ(match_formats(video(64, 48, kGray), video(64, 48, k444), {}, true).dis.format, video(64, 48, kGray));
    const Match match = match_formats(video(64, 48, k444), video(64, 48, kGray), {}, true);
    EXPECT_EQ(match.ref.format, video(64, 48, kGray));
    EXPECT_EQ(match.notes, std::vector<std::string>{"reference: chroma 444 is left out"});
}

TEST(CommonFormat, ANamedFormatIsForBoth)
{
    const Match match = match_formats(video(64, 48, k420, 16), video(64, 48), options("auto", "444p10"), false);
    EXPECT_EQ(match.ref.format, video(64, 48, k444, 10));
    EXPECT_EQ(match.dis.format, video(64, 48, k444, 10));
    const Match none = match_formats(video(64, 48, k420, 16), video(64, 48), options("auto", "none"), true);
    EXPECT_EQ(none.ref.format, video(64, 48, k420, 16));
    EXPECT_EQ(none.dis.format, video(64, 48));
}

TEST(CommonFormat, TheReferencesRangeIsForBothAndIsWarnedOf)
{
    const Match match = match_formats(video(64, 48, k420, 8, true), video(64, 48), {}, true);
    EXPECT_TRUE(match.dis.format.full_range);
    EXPECT_EQ(match.warnings,
              std::vector<std::string>{"distorted: limited range is converted to the reference's full range"});
}

TEST(CommonFormat, TagsThatDifferAreWarnedOfIfBothAreKnown)
{
    VideoTags ref;
    VideoTags dis;
    ref.matrix = "bt709";
    ref.primaries = "bt709";
    dis.primaries = "bt2020";
    ref.transfer = dis.transfer = "bt709";
    ref.pixel_aspect_num = 1;
    EXPECT_EQ(tag_warnings(ref, dis),
              std::vector<std::string>{"primaries differ: bt709 and bt2020; nothing is converted"});
    dis.pixel_aspect_num = 4;
    dis.pixel_aspect_den = 3;
    EXPECT_EQ(tag_warnings(ref, dis).back(), "aspect ratios of pixels differ: 1:1 and 4:3; they are ignored");
}

TEST(CommonFormat, OptionsAreRead)
{
    EXPECT_EQ(tool::parse_scale("1920x1080")->height_px, 1080U);
    for (const char *text : {"", "1920", "x", "0x4", "4x0", "32769x4", "4x4x4", "-4x4", "reference"})
        EXPECT_FALSE(tool::parse_scale(text)) << text;
    EXPECT_EQ(tool::parse_common_format("mono12")->depth, 12U);
    EXPECT_EQ(tool::parse_common_format("422")->depth, 8U);
    for (const char *text : {"", "411", "420p9", "42010", "monop10", "420p", "420p8"})
        EXPECT_FALSE(tool::parse_common_format(text)) << text;
    EXPECT_EQ(tool::parse_container_format("media"), tool::ContainerFormat::media);
    EXPECT_FALSE(tool::parse_container_format("mp4"));
}

} // namespace
} // namespace vmaf::test
