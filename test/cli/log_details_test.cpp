#include <gtest/gtest.h>

#include "tool_test.h"

/// What score files contain besides scores with --log_details (spec cli 10.2).
namespace vmaf::test {
namespace {

class LogDetails : public ToolTest {
  protected:
    ToolResult write_scores(const std::string &output, const std::vector<std::string> &more = {}) const
    {
        std::vector<std::string> arguments{"--gpu", "none", "--feature", "psnr", "-o", output};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(pair_of("R6.y4m", "a--b---.y4m", arguments));
    }

    void SetUp() override { write("a--b---.y4m", read("D6.y4m")); }
};

/// The text between two others.
std::string between(const std::string &text, const std::string &before, const std::string &after)
{
    const std::size_t begin = text.find(before);
    const std::size_t end = text.find(after, begin);
    EXPECT_NE(begin, text.npos) << before;
    EXPECT_NE(end, text.npos) << after;
    return begin == text.npos || end == text.npos ? ""
                                                  : text.substr(begin + before.size(), end - begin - before.size());
}

TEST_F(LogDetails, NameVideosModelsAndPercentiles)
{
    ASSERT_EQ(write_scores("x.json", {"--log_details", "-m", "vmaf_v0.6.1:name=mine"}).exit_code, 0);
    const auto file = nlohmann::json::parse(read("x.json"));
    const auto &details = file.at("details");
    EXPECT_EQ(details.at("reference"), nlohmann::json::parse(R"({"path": "R6.y4m", "width": 80, "height": 64,
        "pixel_format": "420", "bitdepth": 8, "fps": 25.0})"));
    EXPECT_EQ(details.at("distorted").at("path"), "a--b---.y4m");
    EXPECT_EQ(details.at("models"), nlohmann::json::parse(R"([{"name": "mine", "label": "vmaf_v0.6.1"}])"));
    EXPECT_EQ(details.at("warnings"), nlohmann::json::array());
    EXPECT_EQ(details.at("device").get<std::string>().substr(0, 3), "CPU");
    for (const auto &[name, pooled] : file.at("pooled_metrics").items()) {
        const auto &all = details.at("pooled").at(name);
        for (const char *statistic : {"min", "max", "mean"})
            EXPECT_NEAR(all.at(statistic).get<double>(), pooled.at(statistic).get<double>(), 0.5000001e-6) << name;
        EXPECT_LE(all.at("min"), all.at("p1")) << name;
        EXPECT_LE(all.at("p1"), all.at("p5")) << name;
        EXPECT_LE(all.at("p5"), all.at("median")) << name;
        EXPECT_LE(all.at("median"), all.at("max")) << name;
    }
}

TEST_F(LogDetails, AreACommentInXml)
{
    ASSERT_EQ(write_scores("x.xml", {"--log_details"}).exit_code, 0);
    ASSERT_EQ(write_scores("x.json", {"--log_details"}).exit_code, 0);
    const std::string comment = between(read("x.xml"), "  <!-- details: ", " -->\n</VMAF>\n");
    EXPECT_EQ(comment.find("--"), comment.npos) << comment;
    EXPECT_EQ(nlohmann::json::parse(comment), nlohmann::json::parse(read("x.json")).at("details"));
}

TEST_F(LogDetails, ChangeNothingElse)
{
    for (const char *name : {"x.xml", "x.json"}) {
        ASSERT_EQ(write_scores(name, {"--log_details"}).exit_code, 0);
        std::string text = read(name);
        const bool is_json = name == std::string("x.json");
        const std::size_t begin = text.find(is_json ? ",\n  \"details\": " : "  <!-- details: ");
        const std::size_t end = is_json ? text.rfind("\n}") : text.find("</VMAF>");
        ASSERT_NE(begin, text.npos);
        text.erase(begin, end - begin);
        ASSERT_EQ(write_scores(name).exit_code, 0);
        const auto without_speed = [](std::string file) {
            const std::size_t fps = file.find("fps");
            return file.erase(fps, file.find('\n', fps) - fps);
        };
        EXPECT_EQ(without_speed(text), without_speed(read(name)));
    }
}

TEST_F(LogDetails, TellOfWarnings)
{
    std::string bytes = read("D6.y4m");
    bytes.replace(bytes.find("F25:1"), 5, "F50:1");
    write("a--b---.y4m", bytes);
    ASSERT_EQ(write_scores("x.json", {"--log_details", "--feature", "ciede=bogus=1"}).exit_code, 0);
    const auto warnings = nlohmann::json::parse(read("x.json")).at("details").at("warnings");
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings[0].get<std::string>().substr(0, 33), "frame rates differ: 25 and 50; fr");
    EXPECT_EQ(warnings[1], "ciede has no option bogus: ignored");
}

TEST_F(LogDetails, StandBesideTheMarkOfAnIncompleteRun)
{
    write("a--b---.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() - 1));
    EXPECT_EQ(write_scores("x.json", {"--log_details"}).exit_code, 234);
    const auto file = nlohmann::json::parse(read("x.json.partial"));
    EXPECT_EQ(file.at("incomplete").at("frames"), 5);
    EXPECT_EQ(file.at("details").at("reference").at("path"), "R6.y4m");
    EXPECT_GT(read("x.json.partial").find("\"incomplete\""), read("x.json.partial").find("\"details\""));
    EXPECT_EQ(write_scores("x.xml", {"--log_details"}).exit_code, 234);
    EXPECT_NE(read("x.xml.partial").find("<!-- incomplete: "), std::string::npos);
    between(read("x.xml.partial"), "<!-- details: ", " -->\n");
}

TEST_F(LogDetails, NeedAFileThatHasRoom)
{
    for (const char *name : {"x.csv", "x.sub"}) {
        const ToolResult result = write_scores(name, {"--log_details"});
        EXPECT_EQ(result.exit_code, 1);
        EXPECT_NE(result.err.find("--log_details needs a score file"), std::string::npos) << result.err;
    }
    EXPECT_EQ(run(pair_of("R.y4m", "D.y4m", {"--log_details"})).exit_code, 1);
}

} // namespace
} // namespace vmaf::test
