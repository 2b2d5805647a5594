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

    /// A pooled score of the pair with all its digits, read from a score file.
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
    for (const char *statistic : {"mean", "harmonic_mean", "min", "p1", "p5", "median", "p95", "p99", "max"})
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
    expect({"--fail_under", "integer_adm2=2"}, 3, {"integer_adm2"}); // inside the model
    expect({"-m", "vmaf_b_v0.6.3", "--fail_under", "vmaf_bagging=101"}, 3, {"vmaf_bagging"});
    expect({"-m", "version=vmaf_v0.6.1:name=a=b@c", "--fail_under", "a=b@c@min=101"}, 3, {"min of a=b@c is"});
}

TEST_F(Gates, OfAMetricWithoutAValueAreNotMet)
{
    // Planes smaller than 8x8 have no score (spec psnr_hvs 4). Here these are the chroma planes.
    write("tiny.y4m", y4m_video({8, 8, "420", 8}, 2, false));
    for (const auto &[gate, wanted] : {std::pair{"--fail_under", "1 or more"}, std::pair{"--fail_over", "1 or less"}}) {
        const ToolResult result = run(
            pair_of("tiny.y4m", "tiny.y4m", {"--gpu", "none", "-n", "--feature", "psnr_hvs", gate, "psnr_hvs_cb=1"}));
        EXPECT_EQ(result.exit_code, 3) << result.err;
        EXPECT_NE(result.err.find(std::string("mean of psnr_hvs_cb has no value; it should be ") + wanted),
                  std::string::npos)
            << result.err;
    }
}

TEST_F(Gates, OfLowerIsBetterFailAbove)
{
    const std::vector<std::string> features{"-n", "--feature", "butteraugli"};
    const auto expect_gate = [&](const std::string &gate, int exit_code, const std::string &part = "") {
        std::vector<std::string> more = features;
        more.insert(more.end(), {"--fail_over", gate});
        expect(more, exit_code, {part});
    };
    const auto file =
        scores(pair_of("R6.y4m", "D6.y4m", {"--gpu", "none", "-n", "--feature", "butteraugli", "--precision", "max"}));
    const auto &pooled = file.at("pooled_metrics").at("butteraugli_3norm");
    const auto text = [](double value) { return nlohmann::json(value).dump(); };
    const double mean = pooled.at("mean");
    const double most = pooled.at("max");
    ASSERT_LT(mean, most);
    expect_gate("butteraugli_3norm=" + text(mean), 0);
    expect_gate("butteraugli_3norm=" + text(mean * (1 - 1e-9)), 3, "--fail_over: mean of butteraugli_3norm is ");
    expect_gate("butteraugli_3norm@max=" + text(most), 0);
    expect_gate("butteraugli_3norm@p99=" + text(mean), 3, "--fail_over: p99 of butteraugli_3norm is ");
    expect_gate("butteraugli_max=-1", 3, ", above -1");
    expect({"-n", "--feature", "psnr=enable_mse=true", "--fail_over", "mse_y=0"}, 3, {"mean of mse_y is "});
    expect_gate("=1", 1, "--fail_over");
    expect_gate("nothing=1", 255, "--fail_over: nothing of the name");
    expect({"-n", "--fail_over", "93"}, 1, {"--fail_over 93 applies to the first model"});
}

TEST_F(Gates, ThatPassBadVideosAreDoubted)
{
    const auto doubt = [&](const std::vector<std::string> &gate, const std::string &text) {
        std::vector<std::string> more{"--feature", "butteraugli", "--feature", "motion"};
        more.insert(more.end(), gate.begin(), gate.end());
        const ToolResult result = score(more);
        EXPECT_EQ(result.err.find("warning: ") != std::string::npos, !text.empty()) << gate[1] << result.err;
        EXPECT_NE(result.err.find(text), std::string::npos) << result.err;
        more.push_back("--strict");
        EXPECT_EQ(score(more).exit_code == 255, !text.empty()) << gate[1];
    };
    doubt({"--fail_under", "butteraugli_max@p1=-5"},
          "warning: --fail_under butteraugli_max@p1=-5: lower values of butteraugli_max are better: --fail_over "
          "butteraugli_max@p99=-5\n");
    doubt({"--fail_over", "101"}, "warning: --fail_over 101: higher values of vmaf are better: --fail_under 101\n");
    doubt({"--fail_over", "butteraugli_max@p5=1000"},
          "warning: --fail_over butteraugli_max@p5=1000: p5 of butteraugli_max is of its best frames: --fail_over "
          "butteraugli_max@p95=1000\n");
    doubt({"--fail_under", "vmaf@p99=0"},
          "warning: --fail_under vmaf@p99=0: p99 of vmaf is of its best frames: --fail_under vmaf@p1=0\n");
    doubt({"--fail_under", "integer_motion2=0"}, "");
    doubt({"--fail_over", "integer_motion2=1000"}, "");
    doubt({"--fail_over", "butteraugli_max@p99=1000"}, "");
    doubt({"--fail_under", "vmaf@p1=0"}, "");
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
