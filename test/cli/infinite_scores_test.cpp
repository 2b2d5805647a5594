#include <cmath>

#include <gtest/gtest.h>

#include "tool_test.h"

/// Scores of equal pictures, which are infinite (spec cli 10.2, 10.5).
namespace vmaf::test {
namespace {

constexpr unsigned kFrames = 25, kChanged = 7;

class InfiniteScores : public ToolTest {
  protected:
    InfiniteScores()
    {
        const std::string reference = y4m_video(small_shape(), kFrames, false);
        write("r.y4m", reference);
        write("one.y4m", with_changed_luma(reference));
    }

    /// The luma of frame kChanged is 9 higher wherever possible, so its squared error is known.
    std::string with_changed_luma(std::string video)
    {
        const std::size_t luma = std::size_t{small_shape().width} * small_shape().height;
        std::size_t at = video.find('\n') + 1;
        for (unsigned frame = 0; frame < kChanged; ++frame)
            at = video.find("FRAME", at + 5 + luma);
        at = video.find('\n', at) + 1;
        for (std::size_t i = at; i < at + luma; ++i)
            if (static_cast<unsigned char>(video[i]) <= 246) {
                video[i] = static_cast<char>(video[i] + 9);
                squared_error_ += 81;
            }
        return video;
    }

    ToolResult score(const std::vector<std::string> &more, const std::string &dis = "one.y4m") const
    {
        std::vector<std::string> arguments{"--gpu", "none", "-n"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(pair_of("r.y4m", dis, arguments));
    }

    /// "NAME VALUE" from --print.
    static std::string value_of(const std::string &text, const std::string &name)
    {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with(name + " "))
                return line.substr(name.size() + 1);
        return {};
    }

    double squared_error_ = 0;
};

bool says(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(InfiniteScores, CountInMeansAndMediansOfEveryFeatureThatHasThem)
{
    const std::vector<std::pair<std::string, std::string>> columns{
        {"xpsnr", "xpsnr_y"},
        {"psnr_hvs", "psnr_hvs_y"},
        {"ciede", "ciede2000"},
        {"float_ssim=enable_db=true:clip_db=false", "float_ssim"},
    };
    for (const auto &[feature, column] : columns) {
        const ToolResult result = score({"--feature", feature, "--print", "--summary"});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(value_of(result.out, column), "inf") << feature << result.out;
        EXPECT_TRUE(says(result.err, "note: " + column + " is infinite in 24 of 25 frames, and so is its mean"))
            << result.err;
        EXPECT_FALSE(says(result.err, "  nan\n")) << "nothing is missing: " << result.err;
    }
}

TEST_F(InfiniteScores, StandBesideTheClipsOwnValue)
{
    const ToolResult result = score({"--feature", "xpsnr", "--print"});
    const std::string aggregate = value_of(result.out, "axpsnr_y");
    EXPECT_TRUE(std::isfinite(std::stod(aggregate))) << result.out;
    EXPECT_TRUE(says(result.err, "axpsnr_y, of the whole clip, is " + aggregate.substr(0, aggregate.size() - 2)))
        << aggregate << result.err;
}

/// PSNR's value of the whole clip, computed from the error that was put in: 8 bits, 4:2:0.
TEST_F(InfiniteScores, LeaveFiniteValuesAsTheyAre)
{
    const ToolResult result = score({"--feature", "psnr=enable_apsnr=true", "--print"});
    const double mean_squared = squared_error_ / (25.0 * small_shape().width * small_shape().height);
    EXPECT_NEAR(std::stod(value_of(result.out, "apsnr_y")), 10 * std::log10(255.0 * 255.0 / mean_squared), 1e-4);
    EXPECT_FALSE(says(result.err, "infinite")) << result.err;
}

TEST_F(InfiniteScores, MeetGates)
{
    for (const char *gate : {"xpsnr_y=1000", "xpsnr_y@median=1000", "xpsnr_y@max=1000", "axpsnr_y=10"})
        EXPECT_EQ(score({"--feature", "xpsnr", "--fail_under", gate}).exit_code, 0) << gate;
    const ToolResult low = score({"--feature", "xpsnr", "--fail_under", "xpsnr_y@min=1000"});
    EXPECT_EQ(low.exit_code, 3) << low.err;
    EXPECT_EQ(score({"--feature", "xpsnr", "--fail_under", "xpsnr_y@p1=1000"}).exit_code, 3)
        << "one of 25 frames is more than 1 % of them";
    const ToolResult equal = score({"--feature", "psnr_hvs", "--fail_under", "psnr_hvs@min=1000"}, "r.y4m");
    EXPECT_EQ(equal.exit_code, 0) << "lossless: " << equal.err;
    const ToolResult over = score({"--feature", "xpsnr", "--fail_over", "xpsnr_y=1000"});
    EXPECT_EQ(over.exit_code, 3) << over.err;
    EXPECT_TRUE(says(over.err, "--fail_over: mean of xpsnr_y is inf, above 1000\n")) << over.err;
}

TEST_F(InfiniteScores, AreNotTheWorstFrames)
{
    const ToolResult result = score({"--feature", "xpsnr", "--worst", "1"});
    EXPECT_TRUE(says(result.err, "\n7            0:00:00.280  ")) << result.err;
}

TEST_F(InfiniteScores, LeaveScoreFilesInTheirLayout)
{
    const ToolResult result = score({"--feature", "xpsnr", "--json", "--log_details", "-o", "x.json"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const auto file = nlohmann::json::parse(read("x.json"));
    EXPECT_TRUE(file.at("pooled_metrics").at("xpsnr_y").at("mean").is_null());
    EXPECT_TRUE(file.at("frames").at(0).at("metrics").at("xpsnr_y").is_null());
    EXPECT_TRUE(file.at("frames").at(kChanged).at("metrics").at("xpsnr_y").is_number());
    EXPECT_EQ(file.at("details").at("pooled").at("xpsnr_y").at("mean"), "Infinity");
}

} // namespace
} // namespace vmaf::test
