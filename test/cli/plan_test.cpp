#include <gtest/gtest.h>

#include <algorithm>

#include "comparison/plan.h"

/// How two videos are brought together (spec comparison 2), as decisions.
namespace vmaf::test {
namespace {

using tool::ColourTags;
using tool::Decision;
using tool::InputOptions;
using tool::OtherSizes;
using tool::Plan;
using tool::plan_comparison;
using tool::Range;
using tool::Severity;
using tool::Side;
using tool::VideoDescription;
using Kind = tool::Decision::Kind;

constexpr auto k420 = VMAF_PIX_FMT_YUV420P;
constexpr auto k444 = VMAF_PIX_FMT_YUV444P;
constexpr auto kGray = VMAF_PIX_FMT_YUV400P;

tool::VideoFormat format(unsigned width, unsigned height, VmafPixelFormat pix_fmt = k420, unsigned depth = 8)
{
    return {width, height, pix_fmt, depth};
}

VideoDescription planes(unsigned width, unsigned height, VmafPixelFormat pix_fmt = k420, unsigned depth = 8)
{
    VideoDescription video;
    video.form.format = format(width, height, pix_fmt, depth);
    return video;
}

VideoDescription media(unsigned width, unsigned height, VmafPixelFormat pix_fmt = k420, unsigned depth = 8)
{
    VideoDescription video = planes(width, height, pix_fmt, depth);
    video.tags.is_media = true;
    return video;
}

VideoDescription coloured(const ColourTags &colour)
{
    VideoDescription video = media(64, 48);
    video.tags.colour = colour;
    video.form.matrix = colour.matrix;
    return video;
}

InputOptions options(const char *scale, const char *pix_fmt)
{
    InputOptions options;
    options.scale = tool::parse_scale(scale).value();
    options.pix_fmt = tool::parse_common_format(pix_fmt).value();
    return options;
}

/// The lines that a run prints.
std::vector<std::string> said(const Plan &plan)
{
    std::vector<std::string> lines;
    for (const Decision &decision : plan.decisions)
        if (decision.severity != Severity::detail)
            lines.push_back(decision.text);
    return lines;
}

TEST(Plan, FilesOfPlanesAreLeftAlone)
{
    const Plan plan = plan_comparison(planes(64, 48), planes(32, 24, k444, 10), {});
    EXPECT_EQ(plan.ref.form.format, format(64, 48));
    EXPECT_EQ(plan.dis.form.format, format(32, 24, k444, 10));
    EXPECT_TRUE(plan.decisions.empty());
}

TEST(Plan, MediaGetTheReferencesSizeAndLayoutAndTheLargerDepth)
{
    const Plan plan = plan_comparison(media(64, 48), planes(32, 24, k444, 10), {});
    EXPECT_EQ(plan.ref.form.format, format(64, 48, k420, 10));
    EXPECT_EQ(plan.dis.form.format, format(64, 48, k420, 10));
    EXPECT_EQ(plan.ref.other_sizes, OtherSizes::are_errors);
    EXPECT_EQ(plan.dis.other_sizes, OtherSizes::are_scaled);
    EXPECT_EQ(plan.decisions,
              (std::vector<Decision>{
                  {Kind::size, Side::distorted, Severity::note, "distorted: 32x24 scaled to 64x48 (bicubic)"},
                  {Kind::depth, Side::reference, Severity::detail, "reference: 8 bits are made 10"},
                  {Kind::layout, Side::distorted, Severity::note, "distorted: chroma 444 is scaled to 420"}}));
    EXPECT_EQ(plan.ref.conversions, std::vector<std::string>{"8 bits are made 10"});
    EXPECT_EQ(plan.dis.conversions,
              (std::vector<std::string>{"32x24 scaled to 64x48 (bicubic)", "chroma 444 is scaled to 420"}));
}

TEST(Plan, ScalingIsAsAskedFor)
{
    const Plan none = plan_comparison(media(64, 48), media(32, 24), options("none", "auto"));
    EXPECT_EQ(none.dis.form.format, format(32, 24));
    EXPECT_EQ(none.dis.other_sizes, OtherSizes::are_errors);
    const Plan raw = plan_comparison(planes(64, 48), planes(32, 24), options("ref", "auto"));
    EXPECT_EQ(raw.dis.form.format, format(64, 48));
    const Plan size = plan_comparison(media(64, 48), media(32, 24), options("48x40", "auto"));
    EXPECT_EQ(size.ref.form.format, format(48, 40));
    EXPECT_EQ(size.dis.form.format, format(48, 40));
    EXPECT_EQ(size.ref.other_sizes, OtherSizes::are_scaled);
}

TEST(Plan, OneGraySideMakesBothGray)
{
    EXPECT_EQ(plan_comparison(media(64, 48, kGray), media(64, 48, k444), {}).dis.form.format, format(64, 48, kGray));
    const Plan plan = plan_comparison(media(64, 48, k444), media(64, 48, kGray), {});
    EXPECT_EQ(plan.ref.form.format, format(64, 48, kGray));
    EXPECT_EQ(said(plan), std::vector<std::string>{"reference: chroma 444 is left out"});
}

TEST(Plan, ANamedFormatIsForBoth)
{
    const Plan plan = plan_comparison(planes(64, 48, k420, 16), planes(64, 48), options("auto", "444p10"));
    EXPECT_EQ(plan.ref.form.format, format(64, 48, k444, 10));
    EXPECT_EQ(plan.dis.form.format, format(64, 48, k444, 10));
    const Plan none = plan_comparison(media(64, 48, k420, 16), media(64, 48), options("auto", "none"));
    EXPECT_EQ(none.ref.form.format, format(64, 48, k420, 16));
    EXPECT_EQ(none.dis.form.format, format(64, 48));
}

TEST(Plan, TheReferencesRangeIsForBothAndIsWarnedOf)
{
    VideoDescription ref = media(64, 48);
    ref.form.range = Range::full;
    const Plan plan = plan_comparison(ref, media(64, 48), {});
    EXPECT_EQ(plan.dis.form.range, Range::full);
    EXPECT_EQ(plan.decisions,
              (std::vector<Decision>{{Kind::range, Side::distorted, Severity::warning,
                                      "distorted: limited range is converted to the reference's full range"}}));
}

TEST(Plan, TagsThatDifferAreWarnedOfIfBothAreKnown)
{
    VideoDescription ref = coloured({1, 1, 1});
    VideoDescription dis = coloured({2, 9, 1});
    ref.tags.pixel_aspect_num = 1;
    EXPECT_EQ(plan_comparison(ref, dis, {}).decisions,
              (std::vector<Decision>{{Kind::primaries, Side::both, Severity::warning,
                                      "primaries differ: bt709 and bt2020; nothing is converted"}}));
    dis.tags.pixel_aspect_num = 4;
    dis.tags.pixel_aspect_den = 3;
    EXPECT_EQ(said(plan_comparison(ref, dis, {})).back(),
              "aspect ratios of pixels differ: 1:1 and 4:3; they are ignored");
}

// Matrices 5 and 6; primaries 6 and 7; transfers 1, 6, 14 and 15 (spec comparison 2.2). All others
// have a meaning of their own.
TEST(Plan, TagsAreEqualUnderOtherNames)
{
    const auto is_warned_of = [](const ColourTags &ref, const ColourTags &dis) {
        return !plan_comparison(coloured(ref), coloured(dis), {}).decisions.empty();
    };
    const auto are_equal = [](int a, int b, std::initializer_list<int> set) {
        return a == b || (std::ranges::count(set, a) > 0 && std::ranges::count(set, b) > 0);
    };
    for (const int a : {1, 4, 5, 6, 7, 8, 9, 10, 11, 12})
        for (const int b : {1, 4, 5, 6, 7, 8, 9, 10, 11, 12}) {
            EXPECT_EQ(is_warned_of({a, 2, 2}, {b, 2, 2}), !are_equal(a, b, {5, 6})) << a << ' ' << b;
            EXPECT_EQ(is_warned_of({2, a, 2}, {2, b, 2}), !are_equal(a, b, {6, 7})) << a << ' ' << b;
        }
    for (const int a : {1, 4, 5, 6, 7, 8, 13, 14, 15, 16, 18})
        for (const int b : {1, 4, 5, 6, 7, 8, 13, 14, 15, 16, 18})
            EXPECT_EQ(is_warned_of({2, 2, a}, {2, 2, b}), !are_equal(a, b, {1, 6, 14, 15})) << a << ' ' << b;
    for (const int unknown : {0, 2, 3, 200})
        EXPECT_FALSE(is_warned_of({2, unknown, unknown}, {1, 1, 1})) << unknown;
}

TEST(Plan, FiltersAndInterlacingAreTold)
{
    VideoDescription filtered = media(64, 48), fields = media(64, 48), plain = media(64, 48);
    filtered.tags.filters = "fps=25";
    fields.tags.is_interlaced = true;
    fields.name = "i.mp4";
    const Plan plan = plan_comparison(fields, filtered, {});
    ASSERT_EQ(plan.decisions.size(), 2U);
    EXPECT_EQ(plan.decisions[0],
              (Decision{Kind::filter, Side::distorted, Severity::note, "distorted: filtered by \"fps=25\""}));
    EXPECT_EQ(plan.dis.conversions, std::vector<std::string>{"filtered by \"fps=25\""});
    EXPECT_EQ(
        plan.decisions[1],
        (Decision{Kind::interlace, Side::reference, Severity::warning,
                  "i.mp4: interlaced video, scored as stored (--deinterlace makes a progressive frame of each)"}));
    InputOptions options;
    options.deinterlace = true;
    const Plan nothing = plan_comparison(plain, plain, options);
    ASSERT_EQ(nothing.decisions.size(), 1U);
    EXPECT_EQ(nothing.decisions[0].kind, Kind::interlace);
    EXPECT_EQ(nothing.decisions[0].severity, Severity::warning);
    EXPECT_NE(nothing.decisions[0].text.find("--filter_dist"), std::string::npos);
    filtered.tags.filters = "bwdif=mode=send_frame,crop=32:32";
    for (const Plan &done : {plan_comparison(filtered, plain, options), plan_comparison(plain, filtered, options)}) {
        ASSERT_EQ(done.decisions.size(), 1U);
        EXPECT_EQ(done.decisions[0].kind, Kind::filter);
    }
}

TEST(Plan, FilmGrainOfOneVideoIsTold)
{
    VideoDescription grainy = media(64, 48), plain = media(64, 48);
    grainy.tags.has_film_grain = true;
    grainy.name = "g.mp4";
    plain.name = "p.mp4";
    const std::string line =
        "g.mp4 has film grain that the decoder adds, p.mp4 has none (--film_grain remove leaves it out)";
    for (const Plan &plan : {plan_comparison(grainy, plain, {}), plan_comparison(plain, grainy, {})})
        EXPECT_EQ(plan.decisions, (std::vector<Decision>{{Kind::film_grain, Side::both, Severity::note, line}}));
    EXPECT_TRUE(plan_comparison(grainy, grainy, {}).decisions.empty());
    InputOptions remove;
    remove.film_grain = tool::FilmGrain::remove;
    const Plan removed = plan_comparison(plain, grainy, remove);
    EXPECT_EQ(removed.decisions, (std::vector<Decision>{{Kind::film_grain, Side::distorted, Severity::note,
                                                         "distorted: film grain is left out"}}));
    EXPECT_EQ(removed.dis.conversions, std::vector<std::string>{"film grain is left out"});
    EXPECT_TRUE(plan_comparison(plain, plain, remove).decisions.empty());
}

TEST(Plan, OptionsAreRead)
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
    EXPECT_EQ(tool::parse_film_grain("remove"), tool::FilmGrain::remove);
    EXPECT_FALSE(tool::parse_film_grain("removed"));
}

} // namespace
} // namespace vmaf::test
