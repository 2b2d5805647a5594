#include <map>
#include <sstream>
#include <utility>

#include <gtest/gtest.h>

#include "tool_test.h"

/// What the tool prints on stdout.
namespace vmaf::test {
namespace {

using NameAndValue = std::pair<std::string, std::string>;

class Print : public ToolTest {
  protected:
    ToolResult score(const std::vector<std::string> &more, const ToolSetting &setting = {}) const
    {
        std::vector<std::string> arguments{"--gpu", "none", "--print"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(pair_of("R6.y4m", "D6.y4m", arguments), setting);
    }

    std::vector<NameAndValue> printed(const std::vector<std::string> &more) const
    {
        const ToolResult result = score(more);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return lines_of(result.out);
    }

    static std::vector<NameAndValue> lines_of(const std::string &text)
    {
        std::vector<NameAndValue> lines;
        std::istringstream stream(text);
        for (std::string line; std::getline(stream, line);) {
            const std::size_t blank = line.find(' ');
            EXPECT_NE(blank, line.npos) << line;
            lines.emplace_back(line.substr(0, blank), line.substr(blank + 1));
        }
        return lines;
    }
};

/// The library's own pooling, from the score file.
TEST_F(Print, EveryColumnAndAggregateHasALine)
{
    const auto lines = printed({"-m", "vmaf_v0.6.1neg:name=neg", "-m", "vmaf_b_v0.6.3", "--feature",
                                "psnr=enable_apsnr=true", "--precision", "max", "--json", "-o", "x.json"});
    const auto file = nlohmann::json::parse(read("x.json"));
    std::map<std::string, double> values;
    for (const auto &[name, value] : lines)
        EXPECT_TRUE(values.emplace(name, std::stod(value)).second) << name;
    EXPECT_EQ(values.size(), file.at("pooled_metrics").size() + file.at("aggregate_metrics").size());
    for (const auto &[name, pooled] : file.at("pooled_metrics").items())
        EXPECT_EQ(values.at(name), pooled.at("mean").get<double>()) << name;
    for (const auto &[name, value] : file.at("aggregate_metrics").items())
        EXPECT_EQ(values.at(name), value.get<double>()) << name;
}

TEST_F(Print, ModelsComeFirstThenFeaturesThenAggregates)
{
    const auto lines =
        printed({"-m", "vmaf_b_v0.6.3", "-m", "vmaf_v0.6.1neg:name=neg", "--feature", "psnr=enable_apsnr=true"});
    ASSERT_GT(lines.size(), 10U);
    EXPECT_EQ(lines[0].first.substr(0, 4), "vmaf");
    std::size_t neg = 0;
    while (lines[neg].first != "neg")
        EXPECT_EQ(lines[neg++].first.substr(0, 4), "vmaf");
    EXPECT_EQ(lines[neg + 1].first, "integer_adm2");
    EXPECT_EQ(lines.back().first, "apsnr_cr");
}

TEST_F(Print, NumbersAreThoseOfTheResultLines)
{
    for (const std::vector<std::string> &precision :
         {std::vector<std::string>{}, {"--precision", "9"}, {"--precision", "max"}}) {
        const ToolResult result = score(precision);
        EXPECT_EQ(result.err, "vmaf_v0.6.1: " + lines_of(result.out).at(0).second + "\n");
    }
}

TEST_F(Print, FeaturesAloneAndNothing)
{
    const auto lines = printed({"-n", "--feature", "psnr"});
    ASSERT_EQ(lines.size(), 3U);
    EXPECT_EQ(lines[0].first, "psnr_y");
    EXPECT_TRUE(printed({"-n"}).empty());
}

TEST_F(Print, SpreadsNothingElseOnStdout)
{
    const ToolResult result = score({"-o", "x.xml", "--summary", "--worst", "2"});
    EXPECT_EQ(lines_of(result.out).at(0).first, "vmaf");
    EXPECT_EQ(result.out.find("mean"), std::string::npos);
    EXPECT_TRUE(exists("x.xml"));
}

TEST_F(Print, StoppedRunPrintsWhatItHasAndKeepsItsExitCode)
{
    write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() - 1));
    for (const bool full : {false, true}) {
        ToolSetting setting;
        setting.full_stdout = full;
        const ToolResult result = run(pair_of("R6.y4m", "cut.y4m", {"--gpu", "none", "--print"}), setting);
        EXPECT_EQ(result.exit_code, 234) << result.err;
        EXPECT_TRUE(full || lines_of(result.out).at(0).first == "vmaf") << result.out;
    }
}

TEST_F(Print, StdoutThatTakesNothingIsAnErrorAfterTheFile)
{
    ToolSetting full;
    full.full_stdout = true;
    const ToolResult result = score({"-o", "x.xml"}, full);
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("cannot write standard output (No space left on device)"), std::string::npos)
        << result.err;
    EXPECT_TRUE(exists("x.xml"));
}

TEST_F(Print, RefusesStdoutThatHasTheScoreFile)
{
    const ToolResult result = score({"--json", "-"});
    EXPECT_EQ(result.exit_code, 1);
    EXPECT_EQ(result.out, "");
}

TEST_F(Print, FileHasTheFormatOfItsSuffix)
{
    const ToolResult json = run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "-o", "x.json"}));
    EXPECT_EQ(json.err, "note: x.json is written as JSON, as its name says (--xml: as XML)\n");
    EXPECT_EQ(nlohmann::json::parse(read("x.json")).at("frames").size(), 3U);
    const ToolResult asked = run(pair_of("R.y4m", "D.y4m", {"--gpu", "none", "--csv", "-o", "x.json"}));
    EXPECT_EQ(asked.err, "");
    EXPECT_EQ(read("x.json").substr(0, 6), "Frame,");
}

TEST_F(Print, BackendsAreListedAsJson)
{
    for (const char *option : {"--list-backends", "--list_backends"}) {
        const ToolResult result = run({option});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        const auto backends = nlohmann::json::parse(result.out).at("backends");
        ASSERT_EQ(backends.size(), 3U);
        EXPECT_EQ(backends[0].at("name"), "cpu");
        EXPECT_EQ(backends[0].at("usable"), true);
        EXPECT_EQ(backends[1].at("name"), "cuda");
        EXPECT_NE(backends[1].at("reason"), "");
        EXPECT_EQ(backends[2].at("name"), "vulkan");
        const int of_demand = run(pair_of("R.y4m", "D.y4m", {"--backend", "cuda"})).exit_code;
        EXPECT_EQ(backends[1].at("usable"), of_demand == 0);
    }
}

} // namespace
} // namespace vmaf::test
