#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tool_test.h"

/// --sample: rows and means of sampled frames (spec comparison 10). frame_sample_test.cpp tests the
/// choice of frames and the interval.
namespace vmaf::test {
namespace {

class Sample : public ToolTest {
  protected:
    Sample()
    {
        write("r.y4m", y4m_video(small_shape(), 60, false));
        write("d.y4m", y4m_video(small_shape(), 60, true));
    }

    /// Expects the rows of a run of all frames.
    static void expect_rows_of(nlohmann::json all, nlohmann::json sample)
    {
        for (auto &row : sample.at("frames")) {
            auto &expected = all.at("frames").at(row.at("frameNum").get<unsigned>());
            for (auto *each : {&row, &expected}) // depends on the frames so far
                each->at("metrics").erase("cvvdp_run");
            EXPECT_EQ(row, expected);
        }
    }
};

TEST_F(Sample, FramesHaveTheScoresOfTheWholeClip)
{
    const std::vector<std::string> features{"--feature", "psnr", "--feature", "xpsnr", "--feature", "cvvdp"};
    std::vector<std::string> arguments = pair_of("r.y4m", "d.y4m", features);
    const nlohmann::json all = scores(arguments);
    arguments.insert(arguments.end(), {"--sample", "40%"});
    const nlohmann::json sample = scores(arguments);
    EXPECT_EQ(sample.at("frames").size(), 24U);
    expect_rows_of(all, sample);
    const nlohmann::json &record = sample.at("sample");
    EXPECT_EQ(record.at("frames"), 24);
    EXPECT_EQ(record.at("of"), 60);
    EXPECT_EQ(record.at("strata"), 12);
    double sum = 0;
    for (const auto &row : sample.at("frames"))
        sum += row.at("metrics").at("psnr_y").get<double>();
    const double mean = sample.at("pooled_metrics").at("psnr_y").at("mean");
    EXPECT_NEAR(mean, sum / 24, 1e-5);
    const nlohmann::json &interval = record.at("interval_95").at("psnr_y");
    EXPECT_FALSE(record.at("interval_95").contains("cvvdp_run")) << "its values are not those of single frames";
    EXPECT_LT(interval.at(0), mean);
    EXPECT_GT(interval.at(1), mean);
    EXPECT_LE(interval.at(0), all.at("pooled_metrics").at("psnr_y").at("mean"));
    EXPECT_GE(interval.at(1), all.at("pooled_metrics").at("psnr_y").at("mean"));
}

TEST_F(Sample, ReadsNoOtherFrameWithoutNeighbours)
{
    const nlohmann::json sample = scores(pair_of("r.y4m", "d.y4m", {"-n", "--feature", "vif", "--sample", "40%"}));
    EXPECT_EQ(sample.at("sample").at("read"), 24);
}

TEST_F(Sample, AutoReadsUntilTheIntervalIsNarrow)
{
    write("r.y4m", y4m_video(small_shape(), 300, false));
    write("d.y4m", y4m_video(small_shape(), 300, true));
    const std::vector<std::string> plain = pair_of("r.y4m", "d.y4m", {"-n", "--feature", "float_psnr"});
    const nlohmann::json all = scores(plain);
    const auto automatic = [&](double error) {
        std::vector<std::string> arguments = plain;
        arguments.insert(arguments.end(), {"--sample", "auto:" + std::to_string(error)});
        return scores(arguments);
    };
    const nlohmann::json first = automatic(1000);
    EXPECT_EQ(first.at("frames").size(), 60U);
    const nlohmann::json &wide = first.at("sample").at("interval_95").at("float_psnr");
    const double half_width = (wide.at(1).get<double>() - wide.at(0).get<double>()) / 2;
    const nlohmann::json second = automatic(half_width * 0.7);
    EXPECT_GT(second.at("frames").size(), 60U);
    EXPECT_LT(second.at("frames").size(), 300U);
    const nlohmann::json &narrow = second.at("sample").at("interval_95").at("float_psnr");
    EXPECT_LE(narrow.at(1).get<double>() - narrow.at(0).get<double>(), 2 * 0.7 * half_width);
    expect_rows_of(all, second);
    EXPECT_EQ(automatic(1e-6).at("frames").size(), 300U);
}

TEST_F(Sample, LadderHasASampleOfEachEncode)
{
    write("short.y4m", y4m_video(small_shape(), 50, true));
    const ToolResult ladder = run({"-r", "r.y4m", "-d", "d.y4m", "-d", "short.y4m", "--sample", "50%"});
    ASSERT_EQ(ladder.exit_code, 0) << ladder.err;
    EXPECT_NE(ladder.err.find("\"short.y4m\" ended before \"r.y4m\"."), std::string::npos) << ladder.err;
    for (const char *name : {"d", "short"})
        EXPECT_EQ(nlohmann::json::parse(read(std::string(name) + ".vmaf.json")).at("frames"),
                  scores(pair_of("r.y4m", std::string(name) + ".y4m", {"--sample", "50%"})).at("frames"));
}

TEST_F(Sample, FollowsOffsetsAndSkips)
{
    for (const std::vector<std::string> &more : {std::vector<std::string>{"--offset", "2"},
                                                 {"--offset", "-3"},
                                                 {"--frame_skip_ref", "1"},
                                                 {"--frame_cnt", "45"}}) {
        std::vector<std::string> arguments = pair_of("r.y4m", "d.y4m", more);
        const nlohmann::json all = scores(arguments);
        arguments.insert(arguments.end(), {"--sample", "50%"});
        const nlohmann::json sample = scores(arguments);
        expect_rows_of(all, sample);
        EXPECT_EQ(sample.at("sample").at("of"), all.at("frames").size());
    }
}

TEST_F(Sample, EveryKindOfFileHasTheFramesNumbers)
{
    const nlohmann::json json = scores(pair_of("r.y4m", "d.y4m", {"--sample", "50%"}));
    const unsigned last = frame_numbers(json).back();
    for (const auto &[name, row] : {std::pair{"x.xml", "<frame frameNum=\"" + std::to_string(last) + "\" "},
                                    std::pair{"x.csv", "\n" + std::to_string(last) + ","},
                                    std::pair{"x.sub", "frame: " + std::to_string(last) + "|"}}) {
        EXPECT_EQ(run(pair_of("r.y4m", "d.y4m", {"--sample", "50%", "-o", name})).exit_code, 0);
        EXPECT_NE(read(name).find(row), std::string::npos) << read(name);
        EXPECT_EQ(read(name).find("ref_frame"), std::string::npos);
    }
}

TEST_F(Sample, SummaryAndLinesSayHowSureTheMeanIs)
{
    const ToolResult result = run(pair_of("r.y4m", "d.y4m", {"--sample", "50%", "--summary"}));
    EXPECT_NE(result.err.find("30 of 60 frames scored; the mean of all is in ["), std::string::npos) << result.err;
    EXPECT_NE((result.out + result.err).find("95 % from"), std::string::npos) << result.out;
}

TEST_F(Sample, RefusesWhatCannotBeSampled)
{
    const auto says = [&](const std::vector<std::string> &arguments) {
        const ToolResult result = run(arguments);
        EXPECT_NE(result.exit_code, 0);
        return result.err;
    };
    EXPECT_NE(says(pair_of("r.y4m", "d.y4m", {"--sample", "10"})).find("a share of the frames"), std::string::npos);
    EXPECT_NE(says(pair_of("r.y4m", "d.y4m", {"--sample", "10%", "--subsample", "2"})).find("--subsample"),
              std::string::npos);
    EXPECT_NE(says({"-r", "r.y4m", "-d", "d.y4m", "-d", "d.y4m", "--sample", "auto:1", "-o", "%d.json"})
                  .find("one distorted video"),
              std::string::npos);
    EXPECT_NE(says(pair_of("R6.y4m", "D6.y4m", {"--sample", "50%"})).find("needs 40 frames"), std::string::npos);
}

} // namespace
} // namespace vmaf::test
