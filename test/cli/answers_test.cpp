#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "tool_test.h"

/// What a run reports besides its score file: the precision of numbers, statistics, worst frames
/// (spec cli 10.2).
namespace vmaf::test {
namespace {

class Answers : public ToolTest {
  protected:
    ToolResult score(const std::vector<std::string> &more, const ToolSetting &setting = {}) const
    {
        std::vector<std::string> arguments{"--gpu", "none"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        return run(pair_of("R6.y4m", "D6.y4m", arguments), setting);
    }

    /// stderr of a run that must succeed.
    std::string said(const std::vector<std::string> &more, const ToolSetting &setting = {}) const
    {
        const ToolResult result = score(more, setting);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.out, "");
        return result.err;
    }

    /// Cells of the first line that begins with that word.
    static std::vector<std::string> cells(const std::string &text, const std::string &first)
    {
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
            std::istringstream words(line);
            std::vector<std::string> found{std::istream_iterator<std::string>(words), {}};
            if (!found.empty() && found[0] == first)
                return found;
        }
        return {};
    }
};

/// A ramp whose bands become wider with each frame.
std::string video_with_bands()
{
    const VideoShape shape;
    std::string video = y4m_header(shape, y4m_tag(shape));
    for (unsigned frame = 0; frame < 4; ++frame) {
        Planes planes = make_frame(shape, frame, false);
        for (std::size_t i = 0; i < planes[0].size(); ++i)
            planes[0][i] = static_cast<std::uint16_t>(60 + i % shape.width / (8 * (frame + 1)));
        video += "FRAME\n" + frame_bytes(shape, planes);
    }
    return video;
}

bool says(const std::string &text, const std::string &part)
{
    return text.find(part) != std::string::npos;
}

TEST_F(Answers, SummaryHasTheScoreFilesNumbers)
{
    const std::string err = said({"--feature", "psnr", "--summary", "--json", "-o", "x.json"});
    const auto pooled = nlohmann::json::parse(read("x.json")).at("pooled_metrics");
    for (const char *name : {"vmaf", "psnr_y", "psnr_cb", "psnr_cr"}) {
        const auto row = cells(err, name);
        ASSERT_EQ(row.size(), 9U) << err;
        EXPECT_NEAR(std::stod(row[1]), pooled.at(name).at("mean").get<double>(), 0.00006) << name;
        EXPECT_NEAR(std::stod(row[2]), pooled.at(name).at("harmonic_mean").get<double>(), 0.00006) << name;
        EXPECT_NEAR(std::stod(row[3]), pooled.at(name).at("min").get<double>(), 0.00006) << name;
        EXPECT_NEAR(std::stod(row[7]), pooled.at(name).at("max").get<double>(), 0.00006) << name;
    }
    EXPECT_TRUE(cells(err, "integer_adm2").empty()) << err;
    EXPECT_TRUE(says(err, "\n6 frames in ")) << err;
    EXPECT_FALSE(says(err, "vmaf_v0.6.1:")) << "no result line with -o: " << err;
}

TEST_F(Answers, FullSummaryHasEveryColumnOfTheFile)
{
    const std::string err = said({"--summary=full", "--feature", "psnr=enable_apsnr=true", "--json", "-o", "x.json"});
    const auto file = nlohmann::json::parse(read("x.json"));
    for (const auto &[name, value] : file.at("pooled_metrics").items())
        EXPECT_EQ(cells(err, name).size(), 9U) << name << '\n' << err;
    for (const auto &[name, value] : file.at("aggregate_metrics").items())
        EXPECT_EQ(cells(err, name).size(), 9U) << name << '\n' << err;
}

TEST_F(Answers, SummaryFollowsTheResultLines)
{
    const std::string err = said({"--summary"});
    EXPECT_LT(err.find("vmaf_v0.6.1: "), err.find("mean  harmonic")) << err;
}

TEST_F(Answers, OfARunThatScoresNothingAreItsFramesAlone)
{
    const std::string err = said({"-n", "--summary", "--worst", "3"});
    EXPECT_TRUE(err.starts_with("6 frames in ")) << err;
    EXPECT_FALSE(says(err, "worst")) << err;
}

TEST_F(Answers, SummaryIsAutomaticOnATerminalOnly)
{
    EXPECT_FALSE(says(said({}), "harmonic"));
    if (!has_pseudo_terminals())
        GTEST_SKIP() << "this system gives out no pseudo terminal (/dev/pts)";
    ToolSetting terminal;
    terminal.terminal = true;
    EXPECT_TRUE(says(said({}, terminal), "harmonic"));
    EXPECT_TRUE(says(said({"-o", "x.xml"}, terminal), "harmonic"));
    EXPECT_FALSE(says(said({"-q"}, terminal), "harmonic"));
    EXPECT_FALSE(says(said({"--no_summary"}, terminal), "harmonic"));
    EXPECT_FALSE(says(said({"--summary", "--no_summary"}, terminal), "harmonic")) << "the last one wins";
    EXPECT_TRUE(says(said({"-q", "--summary"}, terminal), "harmonic"));
}

TEST_F(Answers, WorstFramesAreThoseOfTheFirstModel)
{
    const auto file = scores(pair_of("R6.y4m", "D6.y4m", {"--gpu", "none", "--subsample", "2"}));
    const std::string err = said({"--subsample", "2", "--worst", "2", "--feature", "psnr"});
    unsigned worst = 0;
    double least = INFINITY;
    for (const auto &frame : file.at("frames"))
        if (frame.at("metrics").at("vmaf") < least) {
            least = frame.at("metrics").at("vmaf");
            worst = frame.at("frameNum");
        }
    const std::size_t table = err.find("worst frame");
    ASSERT_NE(table, std::string::npos) << err;
    EXPECT_EQ(cells(err, "worst").back(), "vmaf");
    const auto row = cells(err.substr(table), std::to_string(worst));
    ASSERT_EQ(row.size(), 3U) << err;
    EXPECT_EQ(row[1], "0:00:00." + std::to_string(1000 + 40 * worst).substr(1)) << "at 25 frames a second";
    EXPECT_NEAR(std::stod(row[2]), least, 0.00006);
    const std::string lines = err.substr(table);
    EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 3) << lines;
}

TEST_F(Answers, WorstFramesAreTheHighestWhereLowerIsBetter)
{
    write("bands.y4m", video_with_bands());
    for (const auto &[feature, column, distorted] :
         {std::array<std::string, 3>{"cambi", "cambi", "bands.y4m"}, {"butteraugli", "butteraugli_3norm", "D6.y4m"}}) {
        const std::vector<std::string> pair = pair_of(distorted == "D6.y4m" ? "R6.y4m" : distorted, distorted,
                                                      {"--gpu", "none", "-n", "--feature", feature});
        const auto file = scores(pair);
        std::vector<std::pair<double, unsigned>> ranked;
        for (const auto &frame : file.at("frames"))
            ranked.emplace_back(-frame.at("metrics").at(column).get<double>(), frame.at("frameNum"));
        std::sort(ranked.begin(), ranked.end());
        ASSERT_LT(ranked.front().first, ranked.back().first) << feature;
        std::vector<std::string> arguments = pair;
        arguments.insert(arguments.end(), {"--worst", "3", "--summary"});
        const ToolResult result = run(arguments);
        ASSERT_NE(result.err.find("worst frame "), std::string::npos) << result.err;
        std::istringstream table(result.err.substr(result.err.find("worst frame ")));
        std::string line;
        std::getline(table, line);
        for (unsigned i = 0; i < 3; ++i) {
            std::getline(table, line);
            EXPECT_EQ(std::stoul(line), ranked[i].second) << feature << '\n' << result.err;
        }
        const auto row = cells(result.err, column);
        ASSERT_EQ(row.size(), 9U) << result.err;
        const double last = static_cast<double>(ranked.size() - 1) * 0.01;
        EXPECT_NEAR(std::stod(row[4]), -((1 - last) * ranked[0].first + last * ranked[1].first), 0.0001) << "worst 1 %";
    }
}

TEST_F(Answers, OfALongRunHaveEveryFrame)
{
    // Identical black videos: the PSNR of 8 bits has its limit here.
    const ToolResult result = run(pair_of(
        "/dev/zero", "/dev/zero",
        {"-w",    "16",   "-h", "16",        "-p",   "420",       "-b",      "8",    "--frame_cnt",  "5000",
         "--gpu", "none", "-n", "--feature", "psnr", "--summary", "--worst", "4999", "--fail_under", "psnr_y@min=60"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(says(result.err, "5000 frames in "));
    EXPECT_EQ(cells(result.err, "psnr_y"),
              (std::vector<std::string>{"psnr_y", "60.0000", "60.0000", "60.0000", "60.0000", "60.0000", "60.0000",
                                        "60.0000", "0.0000"}));
    EXPECT_TRUE(says(result.err, "\n4998 "));
}

TEST_F(Answers, WorstFramesOfRawVideoHaveNoTime)
{
    write("r.yuv", raw_video(small_shape(), 2, false));
    write("d.yuv", raw_video(small_shape(), 2, true));
    std::vector<std::string> arguments = pair_of("r.yuv", "d.yuv", raw_arguments(small_shape()));
    arguments.insert(arguments.end(), {"--gpu", "none", "--worst", "1"});
    const ToolResult result = run(arguments);
    const std::string table = result.err.substr(result.err.find("worst frame"));
    EXPECT_NE(table.find("  -  "), std::string::npos) << result.err;
}

TEST_F(Answers, WorstFramesWithoutAModelAreThoseOfTheFirstFeature)
{
    const std::string err = said({"-n", "-m", "version=vmaf_v0.6.1", "--worst", "1", "--feature", "psnr"});
    EXPECT_EQ(cells(err, "worst").back(), "psnr_y") << err;
}

TEST_F(Answers, PrecisionIsThatOfFileAndResultLines)
{
    const double exact =
        nlohmann::json::parse((score({"--precision", "max", "--json", "-o", "x.json"}), read("x.json")))
            .at("pooled_metrics")
            .at("vmaf")
            .at("mean");
    char text[64];
    for (const auto &[argument, digits] : {std::pair{"1", 1}, {"5", 5}, {"17", 17}, {"max", 17}, {"full", 17}}) {
        std::snprintf(text, sizeof text, "%.*g", digits, exact);
        EXPECT_EQ(said({"--precision", argument}), std::string("vmaf_v0.6.1: ") + text + "\n") << argument;
        said({"--precision", argument, "--xml", "-o", "x.xml"});
        EXPECT_TRUE(says(read("x.xml"), std::string("mean=\"") + text + "\"")) << argument << read("x.xml");
    }
}

TEST_F(Answers, LegacyPrecisionIsTheDefault)
{
    said({"--csv", "-o", "default.csv"});
    said({"--csv", "-o", "legacy.csv", "--precision", "3", "--precision", "legacy"});
    EXPECT_EQ(read("default.csv"), read("legacy.csv"));
    EXPECT_EQ(said({}), said({"--precision", "legacy"}));
}

TEST_F(Answers, PrecisionHoldsForCollections)
{
    const std::string err = said({"-m", "vmaf_b_v0.6.3", "--precision", "3"});
    const std::string line = err.substr(err.find('\n') + 1);
    EXPECT_LE(line.size(), std::string("vmaf_b_v0.6.3: 99.9, ci.p95: [99.9, 99.9], stddev: 0.0123\n").size()) << err;
    EXPECT_TRUE(says(line, "ci.p95: [")) << err;
}

TEST_F(Answers, BadArgumentsAreUsageErrors)
{
    for (const std::vector<std::string> &bad : {std::vector<std::string>{"--precision", "0"},
                                                {"--precision", "18"},
                                                {"--precision", "-1"},
                                                {"--precision", "3x"},
                                                {"--precision", ""},
                                                {"--precision"},
                                                {"--summary=brief"},
                                                {"--summary="},
                                                {"--summary", "full"},
                                                {"--no_summary=1"},
                                                {"--worst", "some"},
                                                {"--worst"}}) {
        const ToolResult result = score(bad);
        EXPECT_EQ(result.exit_code, 1) << bad[0] << ' ' << bad.back() << result.err;
        EXPECT_TRUE(says(result.err, "try 'vmaf --help'")) << result.err;
    }
}

TEST_F(Answers, OfAPartialRunAreAboutTheFramesThereAre)
{
    write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() / 2));
    const ToolResult result =
        run(pair_of("R6.y4m", "cut.y4m", {"--gpu", "none", "--summary", "--worst", "9", "--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 234) << result.err;
    const auto frames = nlohmann::json::parse(read("x.json.partial")).at("frames").size();
    EXPECT_GT(frames, 0U);
    EXPECT_TRUE(says(result.err, "\n" + std::to_string(frames) + " frames in ")) << result.err;
    EXPECT_EQ(cells(result.err, "vmaf").size(), 9U) << result.err;
}

} // namespace
} // namespace vmaf::test
