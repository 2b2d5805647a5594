#include "report/saved_report.h"

#include <cmath>

#include <gtest/gtest.h>

#include "common/failure.h"
#include "report/html_report.h"

/// Reports of saved scores (spec cli 10.7).
namespace vmaf::tool {
namespace {

/// A score file in the layout of libvmaf, which ffmpeg writes too.
constexpr const char *kPlain = R"({
  "version": "3.0.0",
  "fps": 12.5,
  "frames": [
    {"frameNum": 0, "metrics": {"integer_adm2": 0.9, "integer_motion2": 0.0, "psnr_y": 40.5, "vmaf": 90.25}},
    {"frameNum": 5, "metrics": {"integer_adm2": 0.8, "psnr_y": null, "vmaf": 80.5}}
  ],
  "pooled_metrics": {"vmaf": {"min": 80.5, "max": 90.25, "mean": 85.375, "harmonic_mean": 85.1}},
  "aggregate_metrics": {"apsnr_y": 39.75}
})";

/// A file of --log_details, after an early stop.
constexpr const char *kDetailed = R"({
  "version": "3.2.0",
  "frames": [{"frameNum": 0, "metrics": {"first": 1, "cambi": 2}}],
  "aggregate_metrics": {},
  "comparison": {"reference": {"path": "other"}, "warnings": ["not this one"]},
  "details": {
    "reference": {"path": "a/ref.mp4", "width": 64, "height": 48, "pixel_format": "422", "bitdepth": 10, "fps": 25},
    "distorted": {"path": "a/low.mp4", "width": 32, "height": 24, "pixel_format": "420", "bitdepth": 8, "fps": null,
                  "codec": "av1", "bytes": 1000, "bitrate": 8000.5},
    "scored": {"width": 64, "height": 48, "pixel_format": "422", "bitdepth": 10},
    "models": [{"name": "first", "label": "vmaf_v0.6.1"}], "device": "GPU", "warnings": ["odd"]},
  "incomplete": {"reason": "decode error", "frames": 1}
})";

ReportData report(const std::vector<SavedScores> &files)
{
    return saved_report(files);
}

std::string refusal_of(const std::string &text)
{
    try {
        report({{"bad\n.json", text}});
    } catch (const Failure &failure) {
        EXPECT_EQ(failure.exit_code(), kExitBadData);
        return failure.what();
    }
    return {};
}

/// JSON has no infinite numbers. In a column with a harmonic mean and a smallest score, nulls are
/// infinite.
TEST(SavedReport, InfiniteScoresAreNulls)
{
    const ReportData data = report({{"x.json", R"({"frames": [{"frameNum": 0, "metrics": {"a": null, "b": null}},
        {"frameNum": 1, "metrics": {"a": 11.5, "b": 3}}], "pooled_metrics": {"a": {"min": 11.5, "mean": null,
        "harmonic_mean": 24}, "b": {"min": 3, "mean": null, "harmonic_mean": null}}})"}});
    EXPECT_TRUE(std::isinf(data.encodes[0].scores.metric("a")->scores[0]));
    EXPECT_TRUE(std::isnan(data.encodes[0].scores.metric("b")->scores[0]));
}

TEST(SavedReport, HoldsTheScoresOfAPlainFile)
{
    const ReportData data = report({{"x/plain.json", kPlain}});
    EXPECT_EQ(data.version, "3.0.0");
    ASSERT_EQ(data.encodes.size(), 1U);
    const ReportEncode &encode = data.encodes[0];
    EXPECT_EQ(encode.video.path, "x/plain.json");
    EXPECT_EQ(encode.scores.frames, (std::vector<unsigned>{0, 5}));
    std::vector<std::string> names;
    for (const ScoreColumn &column : encode.scores.metrics)
        names.push_back(column.name);
    EXPECT_EQ(names, (std::vector<std::string>{"psnr_y", "vmaf", "integer_adm2", "integer_motion2"}));
    EXPECT_EQ(encode.scores.metric("vmaf")->scores, (std::vector<double>{90.25, 80.5}));
    EXPECT_EQ(encode.scores.metric("psnr_y")->scores[0], 40.5);
    EXPECT_TRUE(std::isnan(encode.scores.metric("psnr_y")->scores[1]));
    EXPECT_TRUE(std::isnan(encode.scores.metric("integer_motion2")->scores[1])) << "its frame has none";
    EXPECT_EQ(encode.scores.aggregate("apsnr_y")->value, 39.75);
    EXPECT_FALSE(encode.incomplete);
    ASSERT_EQ(data.models.size(), 1U);
    EXPECT_EQ(data.models[0].name, "vmaf");
    EXPECT_EQ(data.features, std::vector<std::string>{"psnr_y"});
    EXPECT_EQ(data.main_metric, "vmaf");
    const std::string html = html_report(data);
    EXPECT_EQ(html.find("0×0"), html.npos) << "what is not known is not shown";
    EXPECT_EQ(html.find("against <bdi>"), html.npos);
    EXPECT_NE(html.find("<span>2 frames</span>"), html.npos);
    EXPECT_NE(html.find("the scores come from a file"), html.npos);
}

TEST(SavedReport, TellsWhatDetailsSay)
{
    const ReportData data = report({{"x.json", kDetailed}});
    EXPECT_EQ(data.reference.path, "a/ref.mp4");
    EXPECT_EQ(data.reference.frames_per_second, 25);
    EXPECT_EQ(data.reference.format, (VideoFormat{64, 48, VMAF_PIX_FMT_YUV422P, 10}));
    EXPECT_EQ(data.device, "GPU");
    EXPECT_EQ(data.warnings, std::vector<std::string>{"odd"});
    const ReportEncode &encode = data.encodes[0];
    EXPECT_EQ(encode.video.path, "a/low.mp4");
    EXPECT_EQ(encode.video.format, (VideoFormat{32, 24, VMAF_PIX_FMT_YUV420P, 8}));
    EXPECT_EQ(encode.video.codec, "av1");
    EXPECT_EQ(encode.video.encoded_bytes, 1000U);
    EXPECT_EQ(encode.video.bits_per_second, 8000.5);
    EXPECT_FALSE(encode.video.frames_per_second);
    EXPECT_EQ(encode.scored.width_px, 64U);
    ASSERT_EQ(data.models.size(), 1U);
    EXPECT_EQ(data.models[0].label, "vmaf_v0.6.1");
    EXPECT_EQ(data.features, std::vector<std::string>{"cambi"});
    EXPECT_EQ(encode.scores.metric("cambi")->better, VMAF_DIRECTION_LOWER);
    ASSERT_TRUE(encode.incomplete);
    EXPECT_EQ(encode.incomplete->reason, StopReason::decode_error);
}

TEST(SavedReport, HasTheFramesAsTheyWereStored)
{
    const auto coded_in = [](const std::string &coded) {
        return report({{"x.json", R"({"frames": [], "details": {"coded_frames": )" + coded + "}}"}})
            .encodes.front()
            .coded;
    };
    EXPECT_EQ(coded_in(R"({"bytes": [900, 10], "types": "KB"})"), (std::vector<CodedFrame>{{900, 'K'}, {10, 'B'}}));
    EXPECT_TRUE(coded_in(R"({"bytes": [900, 10], "types": "K"})").empty()) << "lists of unequal length";
    EXPECT_TRUE(coded_in("{}").empty());
    EXPECT_NE(refusal_of(R"({"frames": [], "details": {"coded_frames": {"bytes": "many", "types": "K"}}})"), "");
}

TEST(SavedReport, OfSeveralFilesIsALadder)
{
    std::string other = kDetailed;
    other.replace(other.find("a/low"), 5, "a/top");
    other.replace(other.find("a/ref"), 5, "b/ref");
    const ReportData data = report({{"1.json", kDetailed}, {"2.json", other}, {"3.json", kPlain}});
    ASSERT_EQ(data.encodes.size(), 3U);
    EXPECT_EQ(data.reference.path, "a/ref.mp4");
    ASSERT_EQ(data.warnings.size(), 2U);
    EXPECT_EQ(data.warnings[1], "2.json was scored against b/ref.mp4, another reference");
    EXPECT_EQ(data.encodes[0].video.path, "1.json") << "the last one names no video";
    EXPECT_EQ(report({{"1.json", kDetailed}, {"2.json", other}}).encodes[1].video.path, "a/top.mp4");
    EXPECT_EQ(report({{"1.json", kDetailed}, {"2.json", kDetailed}}).encodes[1].video.path, "2.json");
    EXPECT_NE(html_report(data).find("3 encodes of ref.mp4"), std::string::npos);
}

TEST(SavedReport, TellsWhatTheRecordOfDecisionsSays)
{
    const ReportData data = report({{"x.json", R"({"version": "3.2.0", "frames": [{"frameNum": 0, "metrics": {}}],
        "comparison": {"reference": {"path": "r", "size": [64, 48], "pixel_format": "420", "depth": 8},
                       "distorted": {"path": "d", "size": [32, 24], "pixel_format": "420", "depth": 8},
                       "scored": {"size": [64, 48], "pixel_format": "420", "depth": 8},
                       "conversions": ["scaled"], "warnings": ["odd"]}})"}});
    EXPECT_EQ(data.encodes[0].video.path, "d");
    EXPECT_EQ(data.encodes[0].video.format, (VideoFormat{32, 24, VMAF_PIX_FMT_YUV420P, 8}));
    EXPECT_EQ(data.encodes[0].video.conversions, std::vector<std::string>{"scaled"});
    EXPECT_EQ(data.warnings, std::vector<std::string>{"odd"});
}

TEST(SavedReport, RefusesWhatHoldsNoScores)
{
    for (const char *text : {"", "<VMAF/>", "[]", "3", "{}", R"({"frames": 3})", R"({"frames": [{}]})",
                             R"({"frames": [{"frameNum": 0}]})", R"({"frames": [{"frameNum": 0, "metrics": 3}], "x": )",
                             R"({"frames": [], "details": 3})", R"({"frames": [], "details": {"device": 3}})"})
        EXPECT_EQ(refusal_of(text).find("bad\\x0a.json holds no scores as --json"), 0U) << text << refusal_of(text);
    for (const char *text :
         {R"({"frames": [{"frameNum": 1, "metrics": {}}, {"frameNum": 1, "metrics": {}}]})",
          R"({"frames": [{"frameNum": -1, "metrics": {}}]})", R"({"frames": [{"frameNum": "x", "metrics": {}}]})"})
        EXPECT_EQ(refusal_of(text).find("bad\\x0a.json cannot be reported: "), 0U) << text << refusal_of(text);
    constexpr std::size_t kDeep = 200'000;
    EXPECT_EQ(refusal_of(R"({"frames": [], "comparison": )" + std::string(kDeep, '[') + std::string(kDeep, ']') + "}"),
              "bad\\x0a.json cannot be reported: it is nested deeper than 64");
}

} // namespace
} // namespace vmaf::tool
