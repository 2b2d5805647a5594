#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "comparison/clip_options.h"
#include "frames/library.h"
#include "library/lists.h"

/// Options that features get from the reference's tags (spec comparison 3).
namespace vmaf::test {
namespace {

using tool::clip_options;
using tool::ClipFacts;
using tool::ClipOptions;
using tool::ColourTags;
using tool::Range;
using Values = std::map<std::string, std::string>;

ClipFacts facts(int matrix, int primaries, int transfer, Range range = Range::limited, unsigned width_px = 1280)
{
    ClipFacts result;
    result.form = {{width_px, 720, VMAF_PIX_FMT_YUV420P, 8}, range, matrix};
    result.colour = {.matrix = matrix, .primaries = primaries, .transfer = transfer};
    result.frame_rate = 50;
    return result;
}

Values values_of(const ClipOptions &options)
{
    return {options.values.begin(), options.values.end()};
}

/// Option values that clip_options() gives to a feature that asks for colour.
Values given(const char *feature, const ClipFacts &facts, const std::vector<tool::OptionValue> &by_user = {})
{
    return values_of(clip_options(feature, by_user, facts));
}

TEST(ClipOptions, FilesThatSayNothingLeaveTheDefaults)
{
    for (const char *feature : {"ssimulacra2", "butteraugli"}) {
        const ClipOptions options = clip_options(feature, {}, facts(2, 2, 2));
        EXPECT_TRUE(options.values.empty()) << feature;
        EXPECT_TRUE(options.notes.empty() && options.doubts.empty()) << feature;
    }
    EXPECT_EQ(given("cvvdp", facts(2, 2, 2)), (Values{{"fps", "50"}}));
}

TEST(ClipOptions, EveryMatrixAndRangeHasItsNumber)
{
    struct Row {
        int matrix;
        const char *limited, *full;
    };
    for (const Row &row : {Row{1, "", "2"}, Row{5, "1", "3"}, Row{6, "1", "3"}, Row{9, "4", "5"}, Row{2, "", "2"}})
        for (const char *feature : {"ssimulacra2", "butteraugli"}) {
            EXPECT_EQ(given(feature, facts(row.matrix, 2, 2))["yuv_matrix"], row.limited) << row.matrix;
            EXPECT_EQ(given(feature, facts(row.matrix, 2, 2, Range::full))["yuv_matrix"], row.full) << row.matrix;
        }
    // cvvdp's default depends on its display, so BT.709 is passed too.
    EXPECT_EQ(given("cvvdp", facts(1, 2, 2))["yuv_matrix"], "0");
}

TEST(ClipOptions, TransfersAndPrimariesHaveTheirNames)
{
    for (const auto &[code, name] : std::map<int, std::string>{
             {1, ""}, {6, ""}, {14, ""}, {15, ""}, {13, "srgb"}, {16, "pq"}, {18, "hlg"}, {8, "linear"}})
        EXPECT_EQ(given("ssimulacra2", facts(1, 1, code))["transfer"], name) << code;
    for (const auto &[code, name] :
         std::map<int, std::string>{{1, ""}, {5, ""}, {6, ""}, {7, ""}, {9, "bt2020"}, {11, "p3"}, {12, "p3"}})
        EXPECT_EQ(given("butteraugli", facts(1, code, 1))["primaries"], name) << code;
    // HDR has BT.2020's primaries and matrix unless the file says otherwise.
    EXPECT_EQ(given("ssimulacra2", facts(2, 2, 16)),
              (Values{{"yuv_matrix", "4"}, {"transfer", "pq"}, {"primaries", "bt2020"}}));
    EXPECT_EQ(given("butteraugli", facts(9, 9, 18, Range::full)),
              (Values{{"yuv_matrix", "5"}, {"transfer", "hlg"}, {"primaries", "bt2020"}}));
}

TEST(ClipOptions, StillsAreSrgb)
{
    ClipFacts jpeg = facts(5, 2, 2, Range::full);
    jpeg.is_still = true;
    EXPECT_EQ(given("ssimulacra2", jpeg), (Values{{"yuv_matrix", "3"}, {"transfer", "srgb"}}));
}

TEST(ClipOptions, DisplaysFollowTheTransferAndTheWidth)
{
    const auto display = [](int transfer, unsigned width_px) {
        return given("cvvdp", facts(1, 1, transfer, Range::limited, width_px))["display"];
    };
    EXPECT_EQ(display(1, 1920), "standard_fhd");
    EXPECT_EQ(display(1, 1921), "") << "standard_4k is the default";
    EXPECT_EQ(display(16, 1920), "standard_hdr_pq");
    EXPECT_EQ(display(18, 3840), "standard_hdr_hlg");
    EXPECT_EQ(display(8, 3840), "standard_hdr_linear");
    // One tag is enough.
    EXPECT_EQ(given("cvvdp", facts(6, 2, 2))["display"], "standard_fhd");
    const Values values = given("cvvdp", facts(1, 1, 1), {{"display", "standard_hdr_pq"}});
    EXPECT_EQ(values, (Values{{"fps", "50"}, {"yuv_matrix", "0"}, {"transfer", "sdr"}, {"primaries", "bt709"}}))
        << "the samples are what they are on any display";
}

TEST(ClipOptions, WhatTheUserGivesWins)
{
    const std::vector<tool::OptionValue> all{{"yuv_matrix", "0"}, {"transfer", "sdr"}, {"primaries", "bt709"}};
    EXPECT_EQ(given("ssimulacra2", facts(9, 9, 16), all), Values());
    EXPECT_EQ(given("ssimulacra2", facts(9, 9, 16), {{"transfer", "hlg"}}),
              (Values{{"yuv_matrix", "4"}, {"primaries", "bt2020"}}));
}

TEST(ClipOptions, SaysWhatFollowsTheReference)
{
    EXPECT_EQ(clip_options("ssimulacra2", {}, facts(9, 9, 16)).notes,
              std::vector<std::string>{"the reference's colour: --feature "
                                       "ssimulacra2=yuv_matrix=4:transfer=pq:primaries=bt2020"});
    EXPECT_TRUE(clip_options("xpsnr", {}, facts(9, 9, 16)).notes.empty()) << "rates are not colour";
}

TEST(ClipOptions, DoubtsWhatFeaturesDoNotKnowAndNamesTheCure)
{
    const std::vector<std::string> doubts = clip_options("ssimulacra2", {}, facts(14, 10, 9)).doubts;
    ASSERT_EQ(doubts.size(), 3U);
    EXPECT_NE(doubts[0].find("ictcp"), std::string::npos) << doubts[0];
    EXPECT_NE(doubts[0].find("--feature ssimulacra2=yuv_matrix="), std::string::npos) << doubts[0];
    EXPECT_NE(doubts[1].find("transfer log100"), std::string::npos) << doubts[1];
    EXPECT_NE(doubts[2].find("primaries smpte428"), std::string::npos) << doubts[2];
}

TEST(ClipOptions, OptionsOfColourThatRenameOutputsAreLeftAlone)
{
    EXPECT_EQ(given("cambi", facts(9, 9, 16)), Values()) << "cambi_eotf";
}

ClipOptions of_encode(const char *feature, const tool::VideoFormat &encoded,
                      const std::vector<tool::OptionValue> &by_user = {})
{
    ClipFacts clip = facts(2, 2, 2); // 1280x720
    clip.form.format.depth = 10;
    clip.encode = {"dis.mkv", encoded};
    return clip_options(feature, by_user, clip);
}

TEST(ClipOptions, SizeAndDepthOfAnEncodeAreGivenWhereTheyAreNotWhatIsScored)
{
    tool::VideoFormat encoded{1280, 720, VMAF_PIX_FMT_YUV420P, 10};
    EXPECT_EQ(values_of(of_encode("cambi", encoded)), Values());
    encoded.depth = 8;
    EXPECT_EQ(values_of(of_encode("cambi", encoded)), (Values{{"enc_bitdepth", "8"}}));
    encoded.width_px = 640;
    encoded.height_px = 360;
    const ClipOptions all = of_encode("cambi", encoded);
    EXPECT_EQ(values_of(all), (Values{{"enc_width", "640"}, {"enc_height", "360"}, {"enc_bitdepth", "8"}}));
    EXPECT_EQ(all.notes, std::vector<std::string>{"cambi measures dis.mkv as it was encoded: --feature "
                                                  "cambi=enc_width=640:enc_height=360:enc_bitdepth=8"});
    EXPECT_EQ(values_of(of_encode("cambi", encoded, {{"enc_width", "600"}, {"enc_bitdepth", "10"}})),
              (Values{{"enc_height", "360"}}))
        << "the user has given the others";
    EXPECT_EQ(values_of(of_encode("psnr", encoded)), Values());
    encoded = {3840, 2160, VMAF_PIX_FMT_YUV420P, 12};
    EXPECT_EQ(values_of(of_encode("cambi", encoded)), (Values{{"enc_width", "3840"}, {"enc_height", "2160"}}));
}

TEST(ClipOptions, EncodesTooSmallForTheOptionsAreDoubted)
{
    const ClipOptions options = of_encode("cambi", {64, 36, VMAF_PIX_FMT_YUV420P, 12});
    EXPECT_TRUE(options.values.empty() && options.notes.empty());
    EXPECT_EQ(options.doubts,
              std::vector<std::string>{"cambi cannot measure dis.mkv at 64x36, as it was encoded: it measures it at "
                                       "1280x720"});
    EXPECT_TRUE(of_encode("cambi", {8000, 4500, VMAF_PIX_FMT_YUV420P, 10}).doubts.empty()) << "never enlarged";
}

TEST(ClipOptions, FrameRatesGoWhereTheyAreTaken)
{
    ClipFacts clip = facts(2, 2, 2);
    EXPECT_EQ(given("xpsnr", clip), (Values{{"fps", "50"}}));
    EXPECT_EQ(given("cvvdp_cuda", clip), (Values{{"fps", "50"}}));
    EXPECT_EQ(given("psnr", clip), Values());
    EXPECT_EQ(given("unknown", clip), Values());
    clip.frame_rate = 1000;
    const ClipOptions fast = clip_options("cvvdp", {}, clip);
    EXPECT_TRUE(fast.values.empty());
    ASSERT_EQ(fast.doubts.size(), 1U);
    EXPECT_EQ(fast.doubts[0], "cvvdp takes the video for one of 25 frames/s: the reference's frame rate is 1000, "
                              "which it does not take");
    clip.frame_rate = std::nullopt;
    EXPECT_EQ(clip_options("cvvdp", {}, clip).doubts.size(), 1U);
}

// Every feature that asks for colour accepts the options that it gets.
TEST(ClipOptions, FeaturesTakeWhatTheyAreGiven)
{
    for (const VmafFeatureInfo *info : tool::library_features())
        for (const int transfer : {1, 8, 13, 16, 18})
            for (const int primaries : {1, 9, 12})
                for (const int matrix : {1, 6, 9})
                    for (const Range range : {Range::limited, Range::full}) {
                        tool::FeatureDictionary options;
                        for (const auto &[name, value] : given(info->name, facts(matrix, primaries, transfer, range)))
                            ASSERT_EQ(options.set(name.c_str(), value.c_str()), 0);
                        VmafContext *raw = nullptr;
                        ASSERT_EQ(vmaf_init(&raw, VmafConfiguration{}), 0);
                        const tool::Context context(raw);
                        EXPECT_EQ(vmaf_use_feature(raw, info->name, options.get()), 0) << info->name;
                        options.release();
                    }
}

} // namespace
} // namespace vmaf::test
