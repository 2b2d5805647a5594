#include <gtest/gtest.h>

#include "tool_test.h"

/// Which frames, models and features are scored (spec cli 3.4, 4).
namespace vmaf::test {
namespace {

using Selection = ToolTest;

TEST_F(Selection, ShorterVideoEndsTheRun)
{
    const ToolResult result = run(pair_of("R6.y4m", "D4.y4m", {"--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_NE(result.err.find("\n\"D4.y4m\" ended before \"R6.y4m\".\n"), std::string::npos) << result.err;
    EXPECT_EQ(frame_numbers(nlohmann::json::parse(read("x.json"))).size(), 4U);
    const ToolResult swapped = run(pair_of("R4.y4m", "D6.y4m"));
    EXPECT_NE(swapped.err.find("\"R4.y4m\" ended before \"D6.y4m\"."), std::string::npos) << swapped.err;
    EXPECT_EQ(run(pair_of("R6.y4m", "D6.y4m")).err.find("ended before"), std::string::npos);
}

/// A video that starts at a later frame of another one.
std::string tail_of(unsigned skip, unsigned frames, bool distorted)
{
    std::string bytes = y4m_header(small_shape(), "420");
    for (unsigned frame = skip; frame < skip + frames; ++frame)
        bytes += "FRAME\n" + frame_bytes(small_shape(), make_frame(small_shape(), frame, distorted));
    return bytes;
}

TEST_F(Selection, SkippedFramesAreNotCounted)
{
    write("r.y4m", tail_of(2, 4, false));
    const auto expected = scores(pair_of("r.y4m", "D6.y4m"));
    const auto skipped = scores(pair_of("R6.y4m", "D6.y4m", {"--frame_skip_ref", "2"}));
    EXPECT_EQ(frame_numbers(skipped), (std::vector<unsigned>{0, 1, 2, 3}));
    EXPECT_EQ(skipped.at("frames"), expected.at("frames"));
}

TEST_F(Selection, OffsetDropsFramesOfTheVideoThatIsLate)
{
    const auto expected = scores(pair_of("R6.y4m", "D6.y4m", {"--frame_skip_dist", "2"}));
    for (const char *late : {"2", "0.08s"}) {
        const auto shifted = scores(pair_of("R6.y4m", "D6.y4m", {"--offset", late}));
        EXPECT_EQ(shifted.at("frames"), expected.at("frames"));
        EXPECT_EQ(shifted.at("comparison").at("time").at("offset"), 2);
    }
    const auto early = scores(pair_of("R6.y4m", "D6.y4m", {"--offset", "-2", "--frame_skip_ref", "1"}));
    EXPECT_EQ(early.at("frames"), scores(pair_of("R6.y4m", "D6.y4m", {"--frame_skip_ref", "3"})).at("frames"));
}

TEST_F(Selection, OffsetHoldsForEachEncode)
{
    const ToolResult ladder = run({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "D4.y4m", "--offset", "-1"});
    EXPECT_EQ(ladder.exit_code, 0) << ladder.err;
    for (const char *name : {"D6", "D4"})
        EXPECT_EQ(nlohmann::json::parse(read(std::string(name) + ".vmaf.json")).at("frames"),
                  scores(pair_of("R6.y4m", std::string(name) + ".y4m", {"--frame_skip_ref", "1"})).at("frames"));
}

TEST_F(Selection, OffsetInSecondsNeedsAFrameRate)
{
    const VideoShape shape = small_shape();
    write("r.yuv", raw_video(shape, 3, false));
    write("d.yuv", raw_video(shape, 3, true));
    std::vector<std::string> arguments = pair_of("r.yuv", "d.yuv", raw_arguments(shape));
    arguments.insert(arguments.end(), {"--offset", "1s"});
    const ToolResult result = run(arguments);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("--offset 1s: the videos say no frame rate, so give the offset in frames"),
              std::string::npos)
        << result.err;
}

TEST_F(Selection, FrameCountLimitsPairsAfterSkipping)
{
    write("r.y4m", tail_of(2, 2, false));
    write("d.y4m", tail_of(2, 2, true));
    const auto expected = scores(pair_of("r.y4m", "d.y4m"));
    const auto limited =
        scores(pair_of("R6.y4m", "D6.y4m", {"--frame_skip_ref", "2", "--frame_skip_dist", "2", "--frame_cnt", "2"}));
    EXPECT_EQ(limited.at("frames"), expected.at("frames"));
}

TEST_F(Selection, SubsampleListsMultiples)
{
    const auto sparse = scores(pair_of("R6.y4m", "D6.y4m", {"--subsample", "4"}));
    EXPECT_EQ(frame_numbers(sparse), (std::vector<unsigned>{0, 4}));
    const auto all = scores(pair_of("R6.y4m", "D6.y4m"));
    EXPECT_EQ(sparse["frames"][1]["metrics"]["vmaf"], all["frames"][4]["metrics"]["vmaf"]);
}

TEST_F(Selection, NoPredictionAloneComputesNothing)
{
    const auto nothing = scores(pair_of("R.y4m", "D.y4m", {"-n"}));
    EXPECT_TRUE(nothing.at("frames").empty());
    EXPECT_TRUE(nothing.at("pooled_metrics").empty());
}

TEST_F(Selection, NoPredictionWithModelKeepsItsFeatures)
{
    const auto features = scores(pair_of("R.y4m", "D.y4m", {"-n", "-m", "vmaf_v0.6.1"}));
    const auto &metrics = features["frames"][0]["metrics"];
    EXPECT_TRUE(metrics.contains("integer_adm2"));
    EXPECT_FALSE(metrics.contains("vmaf"));
}

TEST_F(Selection, NamedModelsHaveTheirColumns)
{
    const auto two = scores(
        pair_of("R.y4m", "D.y4m", {"-m", "version=vmaf_v0.6.1:name=m1", "-m", "version=vmaf_v0.6.1neg:name=m2"}));
    const auto &metrics = two["frames"][0]["metrics"];
    EXPECT_TRUE(metrics.contains("m1") && metrics.contains("m2"));
}

TEST_F(Selection, OverloadsMakeTheNegModel)
{
    const auto neg = scores(pair_of("R.y4m", "D.y4m", {"-m", "version=vmaf_v0.6.1neg"}));
    const auto overloaded = scores(pair_of(
        "R.y4m", "D.y4m", {"-m", "version=vmaf_v0.6.1:vif.vif_enhn_gain_limit=1.0:adm.adm_enhn_gain_limit=1.0"}));
    for (unsigned frame = 0; frame < 3; ++frame) {
        const auto &metrics = overloaded["frames"][frame]["metrics"];
        EXPECT_TRUE(metrics.contains("integer_adm2_egl_1"));
        EXPECT_EQ(metrics.at("vmaf"), neg["frames"][frame]["metrics"].at("vmaf"));
    }
}

TEST_F(Selection, ScoresDoNotDependOnThreads)
{
    const auto alone = scores(pair_of("R6.y4m", "D6.y4m", {"--threads", "0"}));
    for (const char *threads : {"1", "3"})
        EXPECT_EQ(scores(pair_of("R6.y4m", "D6.y4m", {"--threads", threads})).at("frames"), alone.at("frames"));
}

} // namespace
} // namespace vmaf::test
