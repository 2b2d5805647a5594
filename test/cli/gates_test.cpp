#include <cstdio>

#include <gtest/gtest.h>

#include "tool_test.h"

/// --fail_under and its exit code (spec cli 10.5).
namespace vmaf::test {
namespace {

class Gates : public ToolTest {
  protected:
    ToolResult score(const std::vector<std::string> &more) const
    {
        std::vector<std::string> arguments{"--gpu", "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(pair_of("R6.y4m", "D6.y4m", arguments));
    }

    void expect(const std::vector<std::string> &more, int exit_code, const std::vector<std::string> &parts = {}) const
    {
        std::string shown;
        for (const std::string &argument : more)
            shown += argument + ' ';
        const ToolResult result = score(more);
        EXPECT_EQ(result.exit_code, exit_code) << shown << result.err;
        for (const std::string &part : parts)
            EXPECT_NE(result.err.find(part), std::string::npos) << shown << result.err;
    }

    /// A pooled score of the pair with all its digits, from a score file.
    std::string pooled(const std::string &metric, const std::string &statistic) const
    {
        EXPECT_EQ(score({"--feature", "psnr", "--precision", "max", "--json", "-o", "pooled.json"}).exit_code, 0);
        const double value =
            nlohmann::json::parse(read("pooled.json")).at("pooled_metrics").at(metric).at(statistic).get<double>();
        char text[64];
        std::snprintf(text, sizeof text, "%.17g", value);
        return text;
    }
};

TEST_F(Gates, AreMetAtTheirValueAndAbove)
{
    expect({"--fail_under", pooled("vmaf", "mean")}, 0);
    expect({"--fail_under", "-5"}, 0);
    expect({"--fail_under", "vmaf=1e-3", "--fail_under", "vmaf@min=0.5", "--fail_under", "vmaf@max=1"}, 0);
    expect({"--feature", "psnr", "--fail_under", "psnr_y@harmonic_mean=" + pooled("psnr_y", "harmonic_mean")}, 0);
}

TEST_F(Gates, BelowAreThreeWithALineEach)
{
    expect({"--fail_under", "101"}, 3, {"--fail_under: mean of vmaf is ", ", below 101"});
    expect({"--fail_under", "0", "--fail_under", "vmaf@p1=101.5"}, 3,
           {"--fail_under: p1 of vmaf is ", ", below 101.5"});
    expect({"--fail_under", "101", "--fail_under", "vmaf@median=102"}, 3, {"mean of vmaf", "median of vmaf"});
    for (const char *statistic : {"mean", "harmonic_mean", "min", "p1", "p5", "median", "max"})
        expect({"--fail_under", std::string("vmaf@") + statistic + "=101"}, 3, {statistic});
}

TEST_F(Gates, WithoutAMetricAreAboutTheFirstModel)
{
    expect({"-m", "version=vmaf_v0.6.1:name=first", "-m", "version=vmaf_v0.6.1neg:name=second", "--fail_under", "101"},
           3, {"mean of first is"});
}

TEST_F(Gates, AreJudgedAfterEverythingIsWritten)
{
    expect({"--fail_under", "101", "--summary", "--json", "-o", "x.json"}, 3, {"harmonic"});
    EXPECT_EQ(nlohmann::json::parse(read("x.json")).at("frames").size(), 6U);
    EXPECT_FALSE(exists("x.json.partial"));
}

TEST_F(Gates, TakeAnyColumnAndAggregate)
{
    expect(
        {"-n", "--feature", "psnr=enable_apsnr=true", "--fail_under", "psnr_cb=101", "--fail_under", "apsnr_y@min=1"},
        3, {"mean of psnr_cb is"});
    expect({"--feature", "psnr=enable_apsnr=true", "--fail_under", "apsnr_y=1000"}, 3, {"apsnr_y"});
    expect({"--fail_under", "integer_adm2=2"}, 3, {"integer_adm2"}); // one of the model's own
    expect({"-m", "vmaf_b_v0.6.3", "--fail_under", "vmaf_bagging=101"}, 3, {"vmaf_bagging"});
    expect({"-m", "version=vmaf_v0.6.1:name=a=b@c", "--fail_under", "a=b@c@min=101"}, 3, {"min of a=b@c is"});
}

TEST_F(Gates, OfAMetricWithoutAValueAreNotMet)
{
    const ToolResult result = run(
        pair_of("R6.y4m", "R6.y4m", {"--gpu", "none", "-n", "--feature", "psnr_hvs", "--fail_under", "psnr_hvs=1"}));
    EXPECT_EQ(result.exit_code, 3) << "infinite for equal pictures: " << result.err;
    EXPECT_NE(result.err.find("mean of psnr_hvs has no value"), std::string::npos) << result.err;
}

TEST_F(Gates, OfAnUnknownMetricAre255BeforeTheFirstFrame)
{
    for (const char *metric : {"psnr_y", "vmfa", "vmaf_bagging", "adm2", "vmaf_v0.6.1"}) {
        expect({"--fail_under", std::string(metric) + "=1", "--json", "-o", "x.json"}, 255, {metric});
        EXPECT_FALSE(exists("x.json")) << metric;
    }
    expect({"-n", "--feature", "psnr", "--fail_under", "vmaf=1"}, 255, {"vmaf"});
}

TEST_F(Gates, OfAMetricThatOnlyScoresDenyAre255Afterwards)
{
    expect({"--fail_under", "integer_adm2_egl_7=1", "--json", "-o", "x.json"}, 255, {"integer_adm2_egl_7"});
    EXPECT_TRUE(exists("x.json"));
}

TEST_F(Gates, ThatMakeNoSenseAreUsageErrors)
{
    for (const char *bad : {"", "high", "93x", "vmaf=", "vmaf", "=93", "@p1=93", "vmaf@p2=93", "vmaf@stddev=1",
                            "vmaf@=1", "vmaf=nan", "inf"})
        expect({"--fail_under", bad}, 1, {"--fail_under", "try 'vmaf --help'"});
    expect({"--fail_under"}, 1);
    expect({"-n", "--fail_under", "93"}, 1, {"first model"});
    expect({"-n", "-m", "version=vmaf_v0.6.1", "--fail_under", "93"}, 1, {"first model"});
}

TEST_F(Gates, LeaveAnErrorItsOwnCode)
{
    write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() / 2));
    const ToolResult cut =
        run(pair_of("R6.y4m", "cut.y4m", {"--gpu", "none", "--fail_under", "101", "--json", "-o", "x.json"}));
    EXPECT_EQ(cut.exit_code, 234) << cut.err;
    EXPECT_TRUE(exists("x.json.partial"));
    EXPECT_EQ(cut.err.find("below"), std::string::npos) << cut.err;
    expect({"--fail_under", "101", "-o", "/dev/full"}, 255, {"cannot write /dev/full"});
}

TEST_F(Gates, AreJudgedOnTheCommonFramesOfUnequalVideos)
{
    const ToolResult result = run(pair_of("R6.y4m", "D4.y4m", {"--gpu", "none", "--fail_under", "101"}));
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_NE(result.err.find("ended before"), std::string::npos) << result.err;
}

} // namespace
} // namespace vmaf::test
