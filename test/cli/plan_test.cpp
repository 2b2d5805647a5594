#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "comparison/plan.h"

/// Decisions about how two videos are matched (spec comparison 2).
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

/// Lines that a run prints.
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
    EXPECT_EQ(said(plan), std::vector<std::string>{"reference: chroma 444 is left out, as the other video has none "
                                                   "(--pix_fmt 444p10 compares it with neutral chroma)"});
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

TEST(Plan, TheReferencesRangeIsForBoth)
{
    VideoDescription ref = media(64, 48);
    ref.form.range = Range::full;
    const Plan plan = plan_comparison(ref, media(64, 48), {});
    EXPECT_EQ(plan.dis.form.range, Range::full);
    EXPECT_EQ(plan.decisions,
              (std::vector<Decision>{{Kind::range, Side::distorted, Severity::note,
                                      "distorted: limited range is converted to the reference's full range"}}));
}

TEST(Plan, TagsThatDifferAreWarnedOfIfBothAreKnown)
{
    VideoDescription ref = coloured({1, 1, 1});
    VideoDescription dis = coloured({2, 9, 1});
    EXPECT_EQ(plan_comparison(ref, dis, {}).decisions,
              (std::vector<Decision>{{Kind::primaries, Side::both, Severity::warning,
                                      "primaries differ: bt709 and bt2020; nothing is converted"}}));
}

VideoDescription rgb(unsigned height)
{
    VideoDescription video = media(64, height, k444);
    video.tags.is_rgb = true;
    video.tags.stored_format = "gbrp";
    video.tags.range = Range::full;
    video.tags.colour.matrix = 0;
    video.form.matrix = 1;
    return video;
}

VideoDescription yuv(unsigned height, int matrix, Range range)
{
    VideoDescription video = media(64, height, k444);
    video.name = "yuv.mp4";
    video.form.matrix = video.tags.colour.matrix = matrix;
    video.form.range = range;
    return video;
}

const Decision &only(const Plan &plan)
{
    EXPECT_EQ(plan.decisions.size(), 1U);
    return plan.decisions.at(0);
}

TEST(Plan, RgbGetsTheOthersMatrixAndRange)
{
    for (const int matrix : {1, 4, 5, 6, 7, 9})
        for (const Range range : {Range::limited, Range::full}) {
            const Plan dis = plan_comparison(yuv(48, matrix, range), rgb(48), {});
            EXPECT_EQ(dis.dis.form, dis.ref.form);
            EXPECT_EQ(dis.dis.form.matrix, matrix);
            EXPECT_EQ(dis.dis.form.range, range);
            EXPECT_EQ(only(dis).kind, Kind::matrix);
            EXPECT_EQ(only(dis).side, Side::distorted);
            EXPECT_EQ(only(dis).severity, Severity::note);
            const Plan ref = plan_comparison(rgb(48), yuv(48, matrix, range), {});
            EXPECT_EQ(ref.ref.form, ref.dis.form);
            EXPECT_EQ(ref.ref.form.range, range);
            EXPECT_EQ(only(ref).side, Side::reference);
        }
    const Plan both = plan_comparison(rgb(48), rgb(48), {});
    EXPECT_EQ(both.ref.form.matrix, 1);
    EXPECT_EQ(both.ref.form.range, Range::limited);
    EXPECT_EQ(both.dis.form, both.ref.form);
    EXPECT_EQ(both.decisions.size(), 2U);
    EXPECT_EQ(both.decisions[0].severity, Severity::note);
}

TEST(Plan, AMatrixThatNobodySaysIsAssumedAndWarnedOf)
{
    for (const auto &[height, matrix] : {std::pair(576U, 6), std::pair(577U, 1), std::pair(2160U, 1)}) {
        const Plan plan = plan_comparison(rgb(height), yuv(height, 2, Range::full), {});
        EXPECT_EQ(plan.ref.form.matrix, matrix) << height;
        EXPECT_EQ(plan.ref.form.range, Range::full);
        EXPECT_EQ(only(plan).severity, Severity::warning);
        EXPECT_NE(only(plan).text.find("--matrix_dist"), std::string::npos);
    }
    VideoDescription jpeg = yuv(1080, 2, Range::full);
    jpeg.tags.stored_format = "yuvj420p";
    EXPECT_EQ(plan_comparison(jpeg, rgb(1080), {}).dis.form.matrix, 6);
    const Plan ycgco = plan_comparison(yuv(48, 8, Range::limited), rgb(48), {});
    EXPECT_EQ(only(ycgco).severity, Severity::warning);
    EXPECT_NE(only(ycgco).text.find("ycgco"), std::string::npos);
}

TEST(Plan, YuvGetsTheReferencesMatrix)
{
    const Plan plan = plan_comparison(yuv(48, 1, Range::limited), yuv(48, 5, Range::limited), {});
    EXPECT_EQ(plan.ref.form.matrix, 1);
    EXPECT_EQ(plan.dis.form.matrix, 1);
    EXPECT_EQ(plan.decisions,
              (std::vector<Decision>{{Kind::matrix, Side::distorted, Severity::note,
                                      "distorted: matrix bt470bg is converted to the reference's bt709"}}));
    // If one of them does not say it, or has no colour, nothing is converted.
    EXPECT_TRUE(plan_comparison(yuv(48, 1, Range::limited), yuv(48, 2, Range::limited), {}).decisions.empty());
    VideoDescription gray = yuv(48, 9, Range::limited);
    gray.form.format.pix_fmt = kGray;
    EXPECT_EQ(plan_comparison(yuv(48, 1, Range::limited), gray, {}).dis.form.matrix, 9);
    const Plan odd = plan_comparison(yuv(48, 1, Range::limited), yuv(48, 8, Range::limited), {});
    EXPECT_EQ(odd.dis.form.matrix, 8);
    EXPECT_EQ(only(odd).severity, Severity::warning);
}

TEST(Plan, AlphaIsWarnedOfOrComposed)
{
    VideoDescription opaque = media(64, 48), clear = media(64, 48);
    opaque.name = "opaque.png";
    clear.name = "clear.png";
    clear.tags.has_alpha = true;
    EXPECT_TRUE(plan_comparison(opaque, opaque, {}).decisions.empty());
    EXPECT_EQ(only(plan_comparison(clear, clear, {})).side, Side::both);
    const Plan one = plan_comparison(opaque, clear, {});
    EXPECT_EQ(only(one).kind, Kind::alpha);
    EXPECT_EQ(only(one).severity, Severity::warning);
    EXPECT_EQ(only(one).side, Side::distorted);
    EXPECT_EQ(only(one).text.find("clear.png has transparency"), 0U);
    EXPECT_EQ(only(plan_comparison(clear, opaque, {})).side, Side::reference);
    InputOptions composed;
    composed.background = tool::parse_background("ff8000");
    ASSERT_TRUE(composed.background);
    EXPECT_EQ(composed.background->red, 1);
    EXPECT_EQ(composed.background->green, 128.0F / 255);
    EXPECT_EQ(composed.background->blue, 0);
    EXPECT_EQ(only(plan_comparison(opaque, clear, composed)).severity, Severity::note);
    EXPECT_EQ(plan_comparison(clear, clear, composed).decisions.size(), 2U);
}

// Equal ones: matrices 5 and 6; primaries 6 and 7; transfers 1, 6, 14 and 15 (spec comparison 2.2).
// All others have a meaning of their own.
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
    EXPECT_EQ(tool::parse_range("full").value(), Range::full);
    EXPECT_EQ(tool::parse_range("auto").value(), std::nullopt);
    EXPECT_EQ(tool::parse_matrix("auto").value(), std::nullopt);
    EXPECT_FALSE(tool::parse_range("pc"));
    for (const auto &[text, code] : {std::pair("bt601", 6), {"bt709", 1}, {"bt2020", 9}, {"bt470bg", 5}})
        EXPECT_EQ(tool::parse_matrix(text).value(), code) << text;
    EXPECT_FALSE(tool::parse_matrix("bt7"));
    for (const char *text : {"", "fff", "#ffffff", "fffffg", "-fffff", "0xffff", "ffffff0"})
        EXPECT_FALSE(tool::parse_background(text)) << text;
    EXPECT_EQ(tool::parse_container_format("media"), tool::ContainerFormat::media);
    EXPECT_FALSE(tool::parse_container_format("mp4"));
    EXPECT_EQ(tool::parse_film_grain("remove"), tool::FilmGrain::remove);
    EXPECT_FALSE(tool::parse_film_grain("removed"));
}

VideoDescription with_rate(double fps, bool varies = false, const char *name = "d.mp4")
{
    VideoDescription video = media(64, 48);
    video.name = name;
    video.frame_rate = fps;
    video.tags.has_variable_rate = varies;
    return video;
}

TEST(Plan, DifferentRatesAreErrorsThatSayHowToConvertOneVideo)
{
    const Plan plan = plan_comparison(with_rate(25, false, "r.mp4"), with_rate(48), {});
    ASSERT_EQ(plan.decisions.size(), 1U);
    EXPECT_EQ(plan.decisions[0].kind, Kind::frame_rate);
    EXPECT_EQ(plan.decisions[0].severity, Severity::error);
    EXPECT_EQ(plan.decisions[0].text, "frame rates differ: 25 and 48; convert one first: ffmpeg -i d.mp4 -vf fps=25 "
                                      "-c:v ffv1 d_25fps.mkv; to compare frame by frame all the same: "
                                      "--allow_fps_mismatch");
    InputOptions allowed;
    allowed.allow_fps_mismatch = true;
    const Plan warned = plan_comparison(with_rate(25), with_rate(48), allowed);
    ASSERT_EQ(warned.decisions.size(), 1U);
    EXPECT_EQ(warned.decisions[0].severity, Severity::warning);
    VideoDescription y4m = planes(64, 48);
    y4m.frame_rate = 25;
    EXPECT_EQ(plan_comparison(y4m, with_rate(48), {}).decisions.at(0).severity, Severity::warning);
    // Rates that differ by rounding, and still images.
    EXPECT_TRUE(plan_comparison(with_rate(24000 / 1001.), with_rate(23.976), {}).decisions.empty());
    EXPECT_TRUE(plan_comparison(media(64, 48), with_rate(48), {}).decisions.empty());
}

TEST(Plan, TheVideoOfVariableRateIsNamedAndConverted)
{
    const auto text = [](const VideoDescription &ref, const VideoDescription &dis) {
        return plan_comparison(ref, dis, {}).decisions.at(0).text;
    };
    EXPECT_NE(text(with_rate(24000 / 1001., false, "r.mp4"), with_rate(21.5, true, "it's.mov"))
                  .find("23.976 and 21.5 (variable frame rate); convert one first: ffmpeg -i 'it'\\''s.mov' -vf "
                        "fps=24000/1001 -c:v ffv1 'it'\\''s_23.976fps.mkv'"),
              std::string::npos);
    // Frames are dropped, never added.
    EXPECT_NE(
        text(with_rate(60000 / 1001., false, "a/r.x"), with_rate(30000 / 1001.)).find("-i a/r.x -vf fps=30000/1001 "),
        std::string::npos);
    EXPECT_NE(text(with_rate(12.5), with_rate(60000 / 1001., true, "b")).find("-i b -vf fps=12.5 "), std::string::npos);
}

TEST(Plan, TellsHowPicturesAreTurned)
{
    const auto lines = [](const tool::Orientation &ref, const tool::Orientation &dis) {
        VideoDescription a = media(64, 48), b = media(64, 48);
        a.tags.orientation = ref;
        b.tags.orientation = dis;
        return said(plan_comparison(a, b, {}));
    };
    EXPECT_EQ(lines({false, 1}, {}), std::vector<std::string>{"reference: rotated by 90 degrees clockwise, as its file "
                                                              "says (--no_autorotate scores it as stored)"});
    EXPECT_EQ(lines({}, {true, 0}),
              std::vector<std::string>{"distorted: mirrored, as its file says (--no_autorotate scores it as stored)"});
    EXPECT_NE(lines({true, 3}, {}).at(0).find("mirrored and rotated by 270 degrees"), std::string::npos);
    EXPECT_EQ(lines({false, 2}, {false, 2}).size(), 2U);
}

TEST(Plan, SaysThatAPlaylistIsLive)
{
    VideoDescription live = with_rate(25, false, "l.m3u8");
    live.tags.is_live = true;
    EXPECT_EQ(
        said(plan_comparison(live, with_rate(25), {})),
        std::vector<std::string>{"l.m3u8: live playlist without an end, read as it stands from its first segment"});
}

VideoDescription with_pixels(unsigned width, unsigned height, int num, int den)
{
    VideoDescription video = media(width, height);
    video.tags.pixel_aspect_num = num;
    video.tags.pixel_aspect_den = den;
    return video;
}

TEST(Plan, DisplaySizesDecideWhatPixelsOfOtherShapesMean)
{
    const auto decision = [](const VideoDescription &ref, const VideoDescription &dis) -> std::optional<Decision> {
        for (const Decision &each : plan_comparison(ref, dis, {}).decisions)
            if (each.kind == Kind::pixel_aspect)
                return each;
        return std::nullopt;
    };
    EXPECT_FALSE(decision(with_pixels(720, 576, 16, 15), with_pixels(720, 576, 32, 30)));
    EXPECT_FALSE(decision(with_pixels(720, 576, 16, 15), with_pixels(720, 576, 0, 1)));
    // Equal shapes: stretched pixels are scaled to the reference's.
    const auto same = decision(with_pixels(1920, 1080, 1, 1), with_pixels(1440, 1080, 4, 3));
    ASSERT_TRUE(same);
    EXPECT_EQ(same->severity, Severity::note);
    EXPECT_EQ(same->text,
              "distorted: pixels of 1:1 and 4:3 are shown as 1920x1080 and 1920x1080, one shape: it is scaled to "
              "the reference's");
    EXPECT_EQ(
        plan_comparison(with_pixels(1920, 1080, 1, 1), with_pixels(1440, 1080, 4, 3), {}).dis.form.format.width_px,
        1920U);
    const auto two = decision(with_pixels(720, 576, 16, 15), with_pixels(720, 576, 64, 45));
    ASSERT_TRUE(two);
    EXPECT_EQ(two->severity, Severity::warning);
    EXPECT_NE(two->text.find("768x576 and 1024x576, two shapes"), std::string::npos) << two->text;
    EXPECT_NE(two->text.find("--filter_dist setsar=16/15"), std::string::npos) << two->text;
    // The pixels of a turned picture are turned, too. Its shape is that of the shown picture.
    VideoDescription turned = with_pixels(1080, 1440, 3, 4);
    VideoDescription phone = with_pixels(1080, 1440, 4, 3);
    phone.tags.orientation.quarter_turns = 1;
    EXPECT_FALSE(decision(turned, phone));
}

} // namespace
} // namespace vmaf::test
