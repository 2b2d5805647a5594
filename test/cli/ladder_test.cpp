#include <algorithm>

#include "tool_test.h"

/// Several encodes of one reference (spec device_pictures 4).
namespace vmaf::test {
namespace {

nlohmann::json without_speed(nlohmann::json scores)
{
    scores.erase("fps");
    return scores;
}

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
          {{"--print"}, "--print is for one"},
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

TEST_F(Ladder, EndsWithTheShortestVideo)
{
    const ToolResult result = run({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "D4.y4m"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    EXPECT_NE(result.err.find("\"D4.y4m\" ended before \"R6.y4m\""), std::string::npos) << result.err;
    EXPECT_EQ(frame_numbers(file("D6.vmaf.json")).size(), 4U);
    EXPECT_EQ(frame_numbers(file("D4.vmaf.json")).size(), 4U);
    const ToolResult short_reference = run({"-r", "R4.y4m", "-d", "D4.y4m", "-d", "D6.y4m"});
    EXPECT_NE(short_reference.err.find("\"R4.y4m\" ended before \"D6.y4m\""), std::string::npos) << short_reference.err;
}

TEST_F(Ladder, KeepsWhatThereIsOfEachWhenOneIsCut)
{
    const std::string whole = read("D6.y4m");
    write("T.y4m", whole.substr(0, whole.size() - 100));
    const ToolResult result = run({"-r", "R6.y4m", "-d", "D6.y4m", "-d", "T.y4m"});
    EXPECT_EQ(result.exit_code, 234) << result.err;
    EXPECT_NE(result.err.find("partial results in D6.vmaf.json.partial and T.vmaf.json.partial"), std::string::npos)
        << result.err;
    for (const char *name : {"D6.vmaf.json.partial", "T.vmaf.json.partial"})
        EXPECT_EQ(file(name).at("incomplete").at("frames"), 5) << name;
    EXPECT_FALSE(exists("D6.vmaf.json"));
}

TEST_F(Ladder, TheReferenceHasOneForm)
{
    VideoShape deep = small_shape();
    deep.depth = 10;
    write("deep.y4m", y4m_video(deep, 3, true));
    const ToolResult result = run({"-r", "R.y4m", "-d", "D.y4m", "-d", "deep.y4m", "--aom_ctc", "v6.0"});
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("deep.y4m needs the reference in another form than D.y4m"), std::string::npos)
        << result.err;
    EXPECT_FALSE(exists("D.vmaf.json"));
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
