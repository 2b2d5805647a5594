#include <algorithm>
#include <map>
#include <sstream>

#include "tool_test.h"

/// Several encodes of one reference (spec device_pictures 4).
namespace vmaf::test {
namespace {

class Ladder : public ToolTest {
  protected:
    nlohmann::json file(const std::string &name) const { return without_speed(nlohmann::json::parse(read(name))); }
};

TEST_F(Ladder, GivesEachEncodeTheScoresOfARunOfItsOwn)
{
    const std::vector<std::string> features{"--feature", "psnr", "--feature", "motion=motion_five_frame_window=true"};
    const auto with_features = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(), features.begin(), features.end());
        return arguments;
    };
    const nlohmann::json of_d = without_speed(scores(with_features(pair_of("R6.y4m", "D6.y4m"))));
    const nlohmann::json of_r = without_speed(scores(with_features(pair_of("R6.y4m", "R6.y4m"))));
    ASSERT_NE(of_d, of_r);
    for (const char *threads : {"0", "3"}) {
        const ToolResult result =
            run(with_features({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "R6.y4m", "--threads", threads}));
        ASSERT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.out, "");
        EXPECT_EQ(file("D6.vmaf.json"), of_d) << threads;
        EXPECT_EQ(file("R6.vmaf.json"), of_r) << threads;
        EXPECT_NE(result.err.find("D6.y4m: vmaf_v0.6.1: "), std::string::npos) << result.err;
        EXPECT_NE(result.err.find("R6.y4m: vmaf_v0.6.1: "), std::string::npos) << result.err;
    }
}

TEST_F(Ladder, NamesFilesAsTheOutputSays)
{
    ASSERT_EQ(run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "-o", "{name}-%d.csv"}).exit_code, 0);
    EXPECT_EQ(read("D-1.csv").substr(0, 6), "Frame,");
    EXPECT_EQ(read("R-2.csv").substr(0, 6), "Frame,");
    ASSERT_EQ(run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--xml"}).exit_code, 0);
    EXPECT_EQ(read("D.vmaf.xml").substr(0, 5), "<VMAF");
}

TEST_F(Ladder, PrintsScoresBehindThePathOfTheirEncode)
{
    std::string expected;
    for (const std::string encode : {"D.y4m", "R.y4m"}) {
        std::istringstream lines(run(pair_of("R.y4m", encode, {"--print"})).out);
        for (std::string line; std::getline(lines, line);)
            expected += encode + ": " + line + '\n';
    }
    EXPECT_NE(expected.find("R.y4m: vmaf 9"), std::string::npos) << expected;
    EXPECT_EQ(run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--print"}).out, expected);
}

TEST_F(Ladder, OfOneVideoIsAPlainRun)
{
    ASSERT_EQ(run(pair_of("R.y4m", "D.y4m", {"-o", "{name}%d.xml"})).exit_code, 0);
    EXPECT_TRUE(exists("{name}%d.xml"));
    EXPECT_FALSE(exists("D.vmaf.json"));
}

TEST_F(Ladder, RefusesWhatWouldLoseScores)
{
    std::filesystem::create_directory(path("other"));
    write("other/D.y4m", read("D.y4m"));
    const std::vector<std::string> ladder{"-r", "R.y4m", "-d", "D.y4m", "-d", "other/D.y4m"};
    for (const auto &[more, text] :
         {std::pair<std::vector<std::string>, std::string>{{"-o", "x.xml"}, "{name} or %d"},
          {{"-o", "{name}.xml"}, "would go to D.xml"},
          {{"-d", "-"}, "standard input"},
          {{"--feature", "cambi=heatmaps_path=maps"}, "the same files"},
          {{"-m", "version=vmaf_v1.0.16_3d0h:cambi.heatmaps_path=maps"}, "the same files"}}) {
        std::vector<std::string> arguments = ladder;
        arguments.insert(arguments.end(), more.begin(), more.end());
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 1);
        EXPECT_NE(result.err.find(text), std::string::npos) << text << " not in " << result.err;
    }
    ASSERT_EQ(run(ladder).exit_code, 0);
    EXPECT_TRUE(exists("D.vmaf.json"));
    EXPECT_TRUE(exists("other/D.vmaf.json"));
}

/// In a ladder, score files are written beside the encodes. Each equals the score file of a run of
/// its own.
class LadderOfMany : public Ladder {
  protected:
    /// The score file without the rate.
    std::string scores_file(const std::string &name) const
    {
        const std::string text = read(name);
        const std::size_t rate = text.find("\"fps\":");
        return text.substr(0, rate) + text.substr(std::min(text.find('\n', rate), text.size()));
    }

    /// @param encodes names without ".y4m". @param options options besides -r, -d and --json.
    void expect_alike(const std::string &reference, const std::vector<std::string> &encodes,
                      const std::vector<std::string> &options, int exit_code = 0)
    {
        std::map<std::string, std::string> alone;
        for (const std::string &name : encodes) {
            std::vector<std::string> arguments =
                pair_of(reference, name + ".y4m", {"--json", "-o", name + ".vmaf.json"});
            arguments.insert(arguments.end(), options.begin(), options.end());
            run(arguments);
            alone[name] = take(name);
        }
        EXPECT_FALSE(std::ranges::all_of(alone, [](const auto &one) { return one.second.empty(); }));
        std::vector<std::string> ladder{"-r", reference, "--json"};
        for (const std::string &name : encodes)
            ladder.insert(ladder.end(), {"-d", name + ".y4m"});
        ladder.insert(ladder.end(), options.begin(), options.end());
        const ToolResult result = run(ladder);
        EXPECT_EQ(result.exit_code, exit_code) << result.err;
        for (const std::string &name : encodes)
            EXPECT_TRUE(take(name) == alone[name]) << name << ": " << result.err;
    }

  private:
    /// The whole or partial file, which is then removed. Empty if there is none.
    std::string take(const std::string &name)
    {
        for (const std::string &file : {name + ".vmaf.json", name + ".vmaf.json.partial"})
            if (exists(file)) {
                const std::string text = file + "\n" + scores_file(file);
                std::filesystem::remove(path(file));
                return text;
            }
        return {};
    }
};

const std::vector<std::string> kLooksBack{"--feature", "motion=motion_five_frame_window=true", "--feature",
                                          "psnr,psnr_hvs", "--log_details"};

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string> &more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

TEST_F(LadderOfMany, GoesToTheEndOfEachEncode)
{
    write("D8.y4m", y4m_video(small_shape(), 8, true));
    for (const char *threads : {"0", "3"})
        for (const std::vector<std::string> &encodes :
             {std::vector<std::string>{"D4", "D6", "D"}, {"D6", "D4"}, {"D8", "D4", "D6"}, {"D", "D8"}}) {
            SCOPED_TRACE(encodes.front() + " first, threads " + threads);
            expect_alike("R6.y4m", encodes, kLooksBack + std::vector<std::string>{"--threads", threads});
        }
    expect_alike("R6.y4m", {"D4", "D6"}, kLooksBack + std::vector<std::string>{"--frame_cnt", "5"});
    expect_alike("R6.y4m", {"D4", "D6"},
                 kLooksBack + std::vector<std::string>{"--frame_skip_ref", "1", "--subsample", "2"});
    expect_alike("R6.y4m", {"D4", "D6"}, {"--feature", "psnr", "--worst", "2", "--html", "report.html"});
}

TEST_F(LadderOfMany, TellsEachEnd)
{
    const ToolResult result = run({"-r", "R4.y4m", "-d", "D6.y4m", "-d", "D.y4m", "-d", "D4.y4m"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("\"R4.y4m\" ended before \"D6.y4m\""), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\"D.y4m\" ended before \"R4.y4m\""), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("\"D4.y4m\""), std::string::npos) << result.err;
}

TEST_F(LadderOfMany, LosesNoEncodeWithAnother)
{
    const std::string whole = read("D6.y4m");
    write("T.y4m", whole.substr(0, whole.size() - 100));
    for (const std::vector<std::string> &encodes : {std::vector<std::string>{"D6", "T", "D4"}, {"T", "D6"}})
        expect_alike("R6.y4m", encodes, kLooksBack, 234);
    // All encodes have the same reference.
    write("broken.y4m", read("R6.y4m").substr(0, whole.size() - 100));
    expect_alike("broken.y4m", {"D6", "D4"}, kLooksBack, 234);
    const ToolResult result = run({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "T.y4m"});
    EXPECT_NE(
        result.err.find("T.y4m: stopped after 5 frames (truncated input); partial results in T.vmaf.json.partial"),
        std::string::npos)
        << result.err;
}

TEST_F(LadderOfMany, MakesAnErrorOfTheEndOfOneAlone)
{
    expect_alike("R6.y4m", {"D6", "D4"}, kLooksBack + std::vector<std::string>{"--strict"}, 234);
}

TEST_F(LadderOfMany, LeavesOutWhatHasNoFrame)
{
    for (const std::vector<std::string> &encodes : {std::vector<std::string>{"D4", "D6"}, {"D6", "D4"}})
        expect_alike("R6.y4m", encodes, kLooksBack + std::vector<std::string>{"--frame_skip_dist", "4"}, 234);
    const ToolResult result = run({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "D4.y4m", "--frame_skip_dist", "4", "--html",
                                   "report.html", "--summary"});
    EXPECT_NE(result.err.find("D4.y4m: there is no frame pair to score"), std::string::npos) << result.err;
    EXPECT_TRUE(exists("report.html"));
}

/// For files that are not media files, only this preset makes depths equal.
TEST_F(LadderOfMany, HasAFormOfTheReferenceForEachDepth)
{
    VideoShape shape{224, 176, "420", 8};
    write("R8.y4m", y4m_video(shape, 3, false));
    write("D8.y4m", y4m_video(shape, 3, true));
    shape.depth = 10;
    write("D10.y4m", y4m_video(shape, 2, true));
    write("R10.y4m", y4m_video(shape, 3, false));
    shape.depth = 12;
    write("D12.y4m", y4m_video(shape, 3, true));
    for (const char *reference : {"R8.y4m", "R10.y4m"})
        for (const std::vector<std::string> &encodes :
             {std::vector<std::string>{"D8", "D10", "D12"}, {"D12", "D10", "D8"}, {"D10", "D8"}})
            expect_alike(reference, encodes, {"--aom_ctc", "v6.0", "--log_details"});
}

TEST_F(Ladder, GatesAreEachEncodes)
{
    const std::vector<std::string> ladder{"-r", "R.y4m", "-d", "R.y4m", "-d", "D.y4m"};
    std::vector<std::string> strict = ladder;
    strict.insert(strict.end(), {"--fail_under", "99"});
    const ToolResult result = run(strict);
    EXPECT_EQ(result.exit_code, 3) << result.err;
    EXPECT_NE(result.err.find("D.y4m: --fail_under"), std::string::npos) << result.err;
    EXPECT_EQ(result.err.find("R.y4m: --fail_under"), std::string::npos) << result.err;
    strict.back() = "0";
    EXPECT_EQ(run(strict).exit_code, 0);
}

TEST_F(Ladder, OneTableAndOneReportTellAllEncodes)
{
    const ToolResult result =
        run({"-r", "R.y4m", "-d", "D.y4m", "-d", "R.y4m", "--summary", "--worst", "1", "--html", "report.html"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("\nD.y4m  vmaf"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\nR.y4m  vmaf"), std::string::npos) << result.err;
    EXPECT_NE(result.err.find("\nD.y4m:\nworst frame"), std::string::npos) << result.err;
    const std::string html = read("report.html");
    const std::string begin = "<script type=\"application/json\" id=\"vmaf-data\">";
    const std::size_t start = html.find(begin) + begin.size();
    const nlohmann::json data = nlohmann::json::parse(html.substr(start, html.find("</script>", start) - start));
    ASSERT_EQ(data.at("encodes").size(), 2U);
    EXPECT_EQ(data.at("encodes")[1].at("distorted").at("path"), "R.y4m");
}

TEST_F(Ladder, NoInputIsWrittenOver)
{
    write("D.vmaf.json", "a video's bytes, say");
    const ToolResult result = run({"-r", "D.vmaf.json", "-d", "D.y4m", "-d", "R.y4m"});
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_EQ(read("D.vmaf.json"), "a video's bytes, say");
}

} // namespace
} // namespace vmaf::test
