#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "common/failure.h"
#include "comparison/display_size.h"
#include "comparison/plan.h"
#include "model_choice.h"

/// Pictures on a display, and the models for it (spec comparison 5).
namespace vmaf::test {
namespace {

using tool::choose_model;
using tool::ClipFacts;
using tool::Display;
using tool::ModelChoice;
using tool::Severity;

struct Size {
    unsigned width_px, height_px;

    bool operator==(const Size &) const = default;
};

std::ostream &operator<<(std::ostream &stream, const Size &size)
{
    return stream << size.width_px << 'x' << size.height_px;
}

tool::VideoFormat format(const Size &size, unsigned depth = 8)
{
    return {size.width_px, size.height_px, VMAF_PIX_FMT_YUV420P, depth};
}

Size fitted(const Size &from, const tool::PixelAspect &pixels, Display display)
{
    const tool::VideoFormat to = tool::fitted(format(from), pixels, display);
    return {to.width_px, to.height_px};
}

TEST(DisplaySize, PicturesJustFitInEvenSizes)
{
    struct Row {
        Size from;
        tool::PixelAspect pixels;
        Size on_1080p, on_4k;
    };
    for (const Row &row : {
             Row{{854, 480}, {0, 1}, {1920, 1080}, {3840, 2158}}, // rounded from 1079.16 and 2158.31 lines
             Row{{854, 480}, {1280, 1281}, {1920, 1080}, {3840, 2160}},
             Row{{1280, 720}, {1, 1}, {1920, 1080}, {3840, 2160}},
             Row{{1920, 1080}, {1, 1}, {1920, 1080}, {3840, 2160}},
             Row{{1080, 1920}, {1, 1}, {1080, 1920}, {2160, 3840}},
             Row{{640, 480}, {1, 1}, {1440, 1080}, {2880, 2160}},
             Row{{720, 576}, {16, 15}, {1440, 1080}, {2880, 2160}},
             Row{{720, 576}, {64, 45}, {1920, 1080}, {3840, 2160}},
             Row{{1440, 1080}, {4, 3}, {1920, 1080}, {3840, 2160}},
             Row{{2048, 858}, {1, 1}, {1920, 804}, {3840, 1608}}, // rounded from 804.375 and 1608.75 lines
             Row{{3840, 2160}, {1, 1}, {1920, 1080}, {3840, 2160}},
             Row{{500, 500}, {1, 1}, {1080, 1080}, {2160, 2160}},
             Row{{720, 720}, {1, 2}, {960, 1920}, {1920, 3840}},
             Row{{4000, 1}, {1, 1}, {1920, 2}, {3840, 2}},
         }) {
        for (const Display display : {Display::hd, Display::phone})
            EXPECT_EQ(fitted(row.from, row.pixels, display), row.on_1080p) << row.from;
        for (const Display display : {Display::uhd, Display::uhd_tv})
            EXPECT_EQ(fitted(row.from, row.pixels, display), row.on_4k) << row.from;
    }
}

tool::VideoDescription video(const Size &size, unsigned depth, const char *name)
{
    tool::VideoDescription result;
    result.name = name;
    result.form.format = format(size, depth);
    return result;
}

tool::InputOptions shown_on(Display display)
{
    tool::InputOptions options;
    options.display = display;
    return options;
}

TEST(DisplayPlan, BothVideosAreScaledToTheReferencesShape)
{
    tool::VideoDescription ref = video({720, 480}, 8, "ref.y4m");
    ref.tags.pixel_aspect_num = 8;
    ref.tags.pixel_aspect_den = 9;
    const tool::Plan plan = plan_comparison(ref, video({320, 240}, 8, "dis.y4m"), shown_on(Display::hd));
    EXPECT_EQ(plan.ref.form.format, format({1440, 1080}));
    EXPECT_EQ(plan.dis.form.format, format({1440, 1080}));
    ASSERT_EQ(plan.decisions.size(), 3U);
    EXPECT_EQ(plan.decisions[0].text, "display 1080p: pictures are 1440x1080");
    EXPECT_EQ(plan.decisions[0].severity, Severity::detail);
    EXPECT_EQ(plan.decisions[1].text, "reference: 720x480 scaled to 1440x1080 (bicubic)");
    EXPECT_EQ(plan.decisions[2].text, "distorted: 320x240 scaled to 1440x1080 (bicubic)");
}

TEST(DisplayPlan, AnotherScaleIsAnError)
{
    for (const char *scale : {"none", "ref", "1280x720"}) {
        tool::InputOptions options = shown_on(Display::phone);
        options.scale = tool::parse_scale(scale).value();
        const tool::Plan plan = plan_comparison(video({64, 48}, 8, "a"), video({64, 48}, 8, "b"), options);
        ASSERT_EQ(plan.decisions.size(), 1U);
        EXPECT_EQ(plan.decisions[0].severity, Severity::error);
        EXPECT_EQ(plan.decisions[0].text,
                  "--display phone scales both videos, and --scale says otherwise: leave one of them out");
    }
}

struct Depths {
    unsigned ref, dis;

    bool operator==(const Depths &) const = default;
};

/// Depths at which two videos are compared if SDR is scored at 10 bits.
Depths delivered(const Depths &depths, const char *pix_fmt = "auto", int transfer = 2, bool is_media = false)
{
    tool::VideoDescription ref = video({64, 48}, depths.ref, "ref");
    tool::VideoDescription dis = video({64, 48}, depths.dis, "dis");
    ref.tags.colour.transfer = transfer;
    ref.tags.is_media = is_media;
    tool::InputOptions options;
    options.sdr_depth = 10;
    options.pix_fmt = tool::parse_common_format(pix_fmt).value();
    const tool::Plan plan = plan_comparison(ref, dis, options);
    return {plan.ref.form.format.depth, plan.dis.form.format.depth};
}

TEST(DisplayPlan, SdrHasTenBits)
{
    constexpr Depths kTen{10, 10};
    for (const bool is_media : {false, true})
        for (const Depths &depths : {Depths{8, 8}, {8, 10}, {10, 10}, {12, 8}})
            EXPECT_EQ(delivered(depths, "auto", 2, is_media), kTen) << depths.ref;
    EXPECT_EQ(delivered({8, 8}, "auto", 16, true), (Depths{8, 8})) << "HDR";
    EXPECT_EQ(delivered({8, 8}, "420p12"), (Depths{12, 12})) << "as the user says";
    EXPECT_EQ(delivered({8, 8}, "none"), (Depths{8, 8})) << "as the user says";
    const std::vector<std::string> models{"vmaf_v0.6.1", "v1"};
    EXPECT_EQ(tool::sdr_depth_for(models), 10U);
    EXPECT_EQ(tool::sdr_depth_for({models.data(), 1}), 0U);
}

ClipFacts clip(const Size &size, double rate, Display display = Display::none)
{
    ClipFacts facts;
    facts.form.format = format(size, 10);
    facts.frame_rate = rate;
    facts.encode = {"dis.mp4", facts.form.format};
    facts.display = display;
    return facts;
}

TEST(ModelChoice, DisplayAndRateDecide)
{
    struct Row {
        Display display;
        const char *v1, *high_rate, *v0;
        bool is_transformed;
    };
    for (const Row &row : {
             Row{Display::hd, "vmaf_v1.0.16_3d0h", "vmaf_v1.0.16_hfr_3d0h", "vmaf_v0.6.1", false},
             Row{Display::phone, "vmaf_v1.0.16_5d0h", "vmaf_v1.0.16_hfr_5d0h", "vmaf_v0.6.1", true},
             Row{Display::uhd, "vmaf_v1.0.16_1d5h_2160", "vmaf_v1.0.16_hfr_1d5h_2160", "vmaf_4k_v0.6.1", false},
             Row{Display::uhd_tv, "vmaf_v1.0.16_3d0h_2160", "vmaf_v1.0.16_hfr_3d0h_2160", nullptr, false},
         }) {
        EXPECT_EQ(choose_model({"v1"}, clip({64, 48}, 40, row.display)).version, row.v1);
        EXPECT_EQ(choose_model({"v1"}, clip({64, 48}, 40.01, row.display)).version, row.high_rate);
        for (const char *version : {"v0", "auto"}) {
            if (row.v0 == nullptr) {
                EXPECT_THROW(choose_model({version}, clip({64, 48}, 25, row.display)), tool::Failure);
                continue;
            }
            const ModelChoice v0 = choose_model({version}, clip({64, 48}, 60, row.display));
            EXPECT_EQ(v0.version, row.v0);
            EXPECT_EQ(v0.is_transformed, row.is_transformed);
        }
    }
}

TEST(ModelChoice, LinesDecideWithoutADisplay)
{
    for (const Size &size : {Size{1920, 1080}, {1920, 1088}, {1088, 1920}, {4096, 1088}}) {
        EXPECT_EQ(choose_model({"v1"}, clip(size, 25)).version, "vmaf_v1.0.16_3d0h") << size;
        EXPECT_EQ(choose_model({"v0"}, clip(size, 25)).version, "vmaf_v0.6.1") << size;
    }
    for (const Size &size : {Size{1920, 1090}, {3840, 2160}, {2160, 3840}, {1440, 1440}}) {
        EXPECT_EQ(choose_model({"v1"}, clip(size, 60)).version, "vmaf_v1.0.16_hfr_1d5h_2160") << size;
        EXPECT_EQ(choose_model({"v0"}, clip(size, 60)).version, "vmaf_4k_v0.6.1") << size;
    }
    EXPECT_EQ(choose_model({"auto"}, clip({1920, 1440}, 60)).version, "vmaf_v0.6.1") << "as ever";
}

TEST(ModelChoice, TheEncodesRateCountsWhereTheReferenceHasNone)
{
    ClipFacts facts = clip({1920, 1080}, 0);
    facts.frame_rate = std::nullopt;
    const ModelChoice unknown = choose_model({"v1"}, facts);
    EXPECT_EQ(unknown.notes,
              std::vector<std::string>{"dis.mp4: -m v1 is vmaf_v1.0.16_3d0h (display 1080p, frame rate not known: up "
                                       "to 40)"});
    facts.encode->frame_rate = 50;
    EXPECT_EQ(choose_model({"v1"}, facts).version, "vmaf_v1.0.16_hfr_3d0h");
}

std::string joined(const std::vector<tool::FeatureOverload> &overloads)
{
    std::string text;
    for (const auto &[extractor, option, value] : overloads)
        text += extractor + '.' + option + '=' + value + ' ';
    return text;
}

TEST(ModelChoice, V1KnowsHowTheEncodeWasMade)
{
    ClipFacts facts = clip({1920, 1080}, 25, Display::hd);
    EXPECT_EQ(joined(choose_model({"v1"}, facts).overloads), "");
    facts.encode->format = format({640, 360});
    const ModelChoice scaled = choose_model({"v1"}, facts);
    EXPECT_EQ(joined(scaled.overloads), "cambi.enc_width=640 cambi.enc_height=360 cambi.enc_bitdepth=8 ");
    EXPECT_EQ(scaled.notes.front(), "dis.mp4: -m v1 is vmaf_v1.0.16_3d0h:cambi.enc_width=640:cambi.enc_height=360:"
                                    "cambi.enc_bitdepth=8 (display 1080p, up to 40 frames/s)");
    EXPECT_EQ(joined(choose_model({"v1", false, {{"cambi", "enc_bitdepth", "10"}}}, facts).overloads),
              "cambi.enc_width=640 cambi.enc_height=360 ")
        << "the user's option wins";
    EXPECT_EQ(joined(choose_model({"v0"}, facts).overloads), "");
    EXPECT_EQ(joined(choose_model({"vmaf_v1.0.16_3d0h"}, facts).overloads), "") << "as it is named";
}

/// Whether a note suggests that display.
bool is_offered(const char *version, const Size &size, const char *display, bool any_is_media = true)
{
    ClipFacts facts = clip(size, 25);
    facts.any_is_media = any_is_media;
    const ModelChoice choice = choose_model({version}, facts);
    EXPECT_TRUE(choice.doubts.empty()) << choice.doubts.front();
    for (const std::string &note : choice.notes)
        if (note.find(std::string("--display ") + display) != note.npos)
            return true;
    return false;
}

TEST(ModelChoice, VideosFarFromTheDisplayAreOfferedIt)
{
    for (const char *version : {"v1", "v0", "vmaf_v0.6.1", "auto", "vmaf_v1.0.16_3d0h"}) {
        EXPECT_TRUE(is_offered(version, {1344, 755}, "1080p")) << version;
        EXPECT_TRUE(is_offered(version, {755, 1344}, "1080p")) << version;
        EXPECT_FALSE(is_offered(version, {1344, 756}, "1080p")) << version;
    }
    EXPECT_TRUE(is_offered("vmaf_v0.6.1", {2560, 1440}, "1080p"));
    EXPECT_FALSE(is_offered("vmaf_v0.6.1", {2496, 1404}, "1080p"));
    EXPECT_TRUE(is_offered("v1", {2560, 1440}, "4k"));
    EXPECT_FALSE(is_offered("v1", {2688, 1512}, "4k"));
    EXPECT_TRUE(is_offered("vmaf_v1.0.16_5d0h", {640, 360}, "phone"));
    EXPECT_FALSE(is_offered("model.json", {640, 360}, ""));
    EXPECT_FALSE(is_offered("vmaf_v0.6.1", {640, 360}, "", false)) << "plain files with a model that is named";
    EXPECT_TRUE(is_offered("v1", {640, 360}, "1080p", false));
}

TEST(ModelChoice, ModelsOfAnotherDisplayAreDoubted)
{
    const auto doubts = [](const tool::ModelRequest &request, const Size &size, Display display) {
        return choose_model(request, clip(size, 25, display)).doubts;
    };
    EXPECT_EQ(doubts({"vmaf_v0.6.1"}, {3840, 2160}, Display::none),
              std::vector<std::string>{"model vmaf_v0.6.1 is made for 1080p and the videos have 2160 lines: -m auto "
                                       "takes the model for the height; --display 1080p scales both videos to what it "
                                       "is made for"});
    EXPECT_EQ(doubts({"vmaf_v0.6.1"}, {3840, 2160}, Display::uhd),
              std::vector<std::string>{"model vmaf_v0.6.1 is made for display 1080p, not 4k: -m v0 or v1 takes the "
                                       "model for the display"});
    EXPECT_EQ(doubts({"vmaf_4k_v0.6.1"}, {3840, 2160}, Display::uhd_tv),
              std::vector<std::string>{"model vmaf_4k_v0.6.1 is made for display 4k, not 4k_tv: -m v1 takes the model "
                                       "for the display"});
    EXPECT_EQ(doubts({"vmaf_v0.6.1"}, {1920, 1080}, Display::phone).size(), 1U);
    EXPECT_TRUE(doubts({"vmaf_v0.6.1", true}, {1920, 1080}, Display::phone).empty());
    EXPECT_TRUE(doubts({"vmaf_v0.6.1"}, {1080, 1920}, Display::hd).empty());
    EXPECT_TRUE(doubts({"vmaf_v1.0.16_hfr_5d0h"}, {1080, 1920}, Display::phone).empty());
}

} // namespace
} // namespace vmaf::test
