#include <gtest/gtest.h>

#include "tool_test.h"
#include "two_fifos.h"

/// The report of a run: --html (spec cli 10.7).
namespace vmaf::test {
namespace {

class Html : public ToolTest {
  protected:
    nlohmann::json data_of(const std::string &name) const
    {
        const std::string html = read(name);
        const std::string begin = "<script type=\"application/json\" id=\"vmaf-data\">";
        const std::size_t start = html.find(begin);
        if (start == html.npos)
            return {};
        return nlohmann::json::parse(
            html.substr(start + begin.size(), html.find("</script>", start) - start - begin.size()), nullptr, false);
    }
    /// Runs the tool with --html, which must succeed. @return the report's data.
    nlohmann::json report(std::vector<std::string> arguments) const
    {
        arguments.insert(arguments.end(), {"--html", "report.html"});
        const ToolResult result = run(arguments);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        EXPECT_EQ(result.out, "");
        return data_of("report.html");
    }
    bool has_pictures() const { return read("report.html").find("built without zlib") == std::string::npos; }
    std::size_t pictures_in(const std::string &name) const
    {
        const std::string html = read(name), begin = "<img alt=\"";
        std::size_t pictures = 0;
        for (std::size_t i = html.find(begin); i != html.npos; i = html.find(begin, i + 1))
            ++pictures;
        return pictures;
    }
};

TEST_F(Html, HoldsTheScoresOfTheScoreFile)
{
    const ToolResult result = run(pair_of("R6.y4m", "D6.y4m",
                                          {"--feature", "psnr=enable_apsnr=true", "--precision", "max", "--json", "-o",
                                           "scores.json", "--html", "report.html"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    const nlohmann::json scores = nlohmann::json::parse(read("scores.json"));
    const nlohmann::json data = data_of("report.html");
    ASSERT_EQ(data.value("frames", nlohmann::json()), nlohmann::json::parse("[0,1,2,3,4,5]"));
    for (const auto &[name, pooled] : scores.at("pooled_metrics").items()) {
        ASSERT_TRUE(data.at("metrics").contains(name)) << name;
        for (std::size_t i = 0; i < 6; ++i) {
            const double score = scores.at("frames").at(i).at("metrics").at(name);
            EXPECT_NEAR(data.at("metrics").at(name).at(i).get<double>(), score, 5e-6 * std::abs(score)) << name;
        }
        for (const char *statistic : {"min", "max", "mean", "harmonic_mean"})
            EXPECT_NEAR(data.at("pooled").at(name).at(statistic).get<double>(), pooled.at(statistic).get<double>(),
                        1e-9)
                << name << ' ' << statistic;
    }
    EXPECT_EQ(data.at("metrics").size(), scores.at("pooled_metrics").size());
    EXPECT_EQ(data.at("aggregate"), scores.at("aggregate_metrics"));
}

TEST_F(Html, SaysWhatWasScored)
{
    const nlohmann::json data =
        report(pair_of("R.y4m", "D.y4m", {"-m", "version=vmaf_v0.6.1:name=first", "--feature", "psnr"}));
    EXPECT_EQ(data.at("complete"), true);
    EXPECT_EQ(data.at("reference").at("path"), "R.y4m");
    EXPECT_EQ(data.at("distorted").at("path"), "D.y4m");
    EXPECT_EQ(data.at("distorted").at("width"), 80);
    EXPECT_EQ(data.at("distorted").at("fps"), 25);
    EXPECT_EQ(data.at("models"), nlohmann::json::parse(R"([{"name":"first","label":"vmaf_v0.6.1"}])"));
    EXPECT_TRUE(data.at("warnings").empty());
    const std::string html = read("report.html");
    EXPECT_NE(html.find("<div class=\"name\">first</div>"), html.npos) << "a card for the model";
    const std::string cards = html.substr(0, html.find("id=\"plot\""));
    EXPECT_NE(cards.find("<th scope=\"row\">psnr_y</th>"), html.npos) << "and for what was asked for";
    EXPECT_EQ(cards.find("integer_adm2"), html.npos);
}

TEST_F(Html, OfRawVideosHasNoFrameRate)
{
    write("R.yuv", raw_video(small_shape(), 2, false));
    write("D.yuv", raw_video(small_shape(), 2, true));
    std::vector<std::string> arguments = pair_of("R.yuv", "D.yuv", raw_arguments(small_shape()));
    EXPECT_TRUE(report(arguments).at("reference").at("fps").is_null());
    EXPECT_EQ(pictures_in("report.html"), has_pictures() ? 4U : 0U);
}

TEST_F(Html, ListsWarnings)
{
    const nlohmann::json warnings = report(pair_of("R6.y4m", "D4.y4m", {"--subsample", "0"})).at("warnings");
    ASSERT_EQ(warnings.size(), 2U);
    EXPECT_EQ(warnings.at(0), "--subsample 0 scores every frame, as 1 does");
    EXPECT_EQ(warnings.at(1), "\"D4.y4m\" ended before \"R6.y4m\"");
    EXPECT_NE(read("report.html").find("&quot;D4.y4m&quot; ended before"), std::string::npos);
}

TEST_F(Html, NumbersFramesAsTheScoreFileDoes)
{
    EXPECT_EQ(report(pair_of("R6.y4m", "D6.y4m", {"--subsample", "4"})).at("frames"), nlohmann::json::parse("[0,4]"));
    EXPECT_EQ(report(pair_of("R6.y4m", "D6.y4m", {"-n", "--feature", "psnr"})).at("models"), nlohmann::json::array());
}

TEST_F(Html, WithoutAnythingToComputeIsEmpty)
{
    EXPECT_EQ(report(pair_of("R.y4m", "D.y4m", {"-n"})).at("metrics"), nlohmann::json::object());
}

TEST_F(Html, GoesToStandardOutput)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--html", "-"}));
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_EQ(result.out.find("<!DOCTYPE html>"), 0U);
    EXPECT_NE(result.err.find("vmaf_v0.6.1: "), std::string::npos) << "result lines, there being no score file";
}

TEST_F(Html, PlaceIsCheckedBeforeScoring)
{
    std::filesystem::create_directory(path("folder"));
    for (const std::string place : {"none/x.html", "folder", "R.y4m"}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"-o", "x.xml", "--html", place}));
        EXPECT_EQ(result.exit_code, 255) << place;
        EXPECT_NE(result.err.find(place), std::string::npos) << result.err;
        EXPECT_FALSE(exists("x.xml"));
    }
}

TEST_F(Html, OfSavedScoresHoldsWhatTheRunsReportDoes)
{
    const ToolResult result = run(pair_of("R6.y4m", "D6.y4m",
                                          {"--feature", "psnr=enable_apsnr=true", "--precision", "max", "--json",
                                           "--log_details", "-o", "scores.json", "--html", "own.html"}));
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const ToolResult saved = run({"--report", "scores.json", "--html", "saved.html"});
    EXPECT_EQ(saved.exit_code, 0) << saved.err;
    EXPECT_EQ(saved.err + saved.out, "");
    EXPECT_EQ(data_of("saved.html"), data_of("own.html"));
    EXPECT_EQ(run({"--report", "scores.json", "scores.json", "--html", "two.html"}).exit_code, 0);
    EXPECT_EQ(data_of("two.html").at("encodes").size(), 2U);
    EXPECT_NE(run({"--report", "none.json", "--html", "x.html"}).err.find("none.json"), std::string::npos);
    EXPECT_EQ(run({"--report", "scores.json", "--html", "scores.json"}).exit_code, 255) << "an input";
}

TEST_F(Html, CannotBeTheScoreFile)
{
    for (const auto &[scores, report] :
         {std::pair{"x", "x"}, std::pair{"x", "./x"}, std::pair{"-", "-"}, std::pair{"-", "/dev/stdout"},
          std::pair{"x", "x.partial"}, std::pair{"x.partial", "x"}, std::pair{"x.partial.html", "x.html"}}) {
        const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"-o", scores, "--html", report}));
        EXPECT_EQ(result.exit_code, 255) << report;
        EXPECT_NE(result.err.find("is the score file and cannot be the report"), std::string::npos) << result.err;
        EXPECT_FALSE(exists("x"));
    }
}

TEST_F(Html, OfAnIncompleteRunIsMarkedAndBeside)
{
    write("cut.y4m", read("D6.y4m").substr(0, read("D6.y4m").size() / 2));
    write("x.html", "older");
    const ToolResult result =
        run(pair_of("R6.y4m", "cut.y4m", {"--gpu", "none", "--json", "-o", "x.json", "--html", "x.html"}));
    EXPECT_EQ(result.exit_code, 234);
    EXPECT_NE(result.err.find("(truncated input); partial results in x.json.partial and x.partial.html\n"),
              std::string::npos)
        << result.err;
    EXPECT_EQ(read("x.html"), "older");
    const nlohmann::json data = data_of("x.partial.html");
    EXPECT_EQ(data.at("complete"), false);
    EXPECT_EQ(data.at("reason"), "truncated input");
    EXPECT_NE(read("x.partial.html").find("class=\"banner\""), std::string::npos);
    EXPECT_EQ(run(pair_of("R6.y4m", "D6.y4m", {"--html", "x.html"})).exit_code, 0);
    EXPECT_FALSE(exists("x.partial.html"));
    EXPECT_EQ(data_of("x.html").at("complete"), true);
}

TEST_F(Html, ThatCannotBeWrittenLeavesTheScoreFile)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--html", "/dev/full", "--json", "-o", "x.json"}));
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_NE(result.err.find("cannot write /dev/full (No space left on device)"), std::string::npos) << result.err;
    EXPECT_EQ(nlohmann::json::parse(read("x.json")).at("frames").size(), 3U);
}

TEST_F(Html, IsWrittenWhereTheScoreFileCannotBe)
{
    const ToolResult result = run(pair_of("R.y4m", "D.y4m", {"--html", "x.html", "-o", "/dev/full"}));
    EXPECT_EQ(result.exit_code, 255);
    EXPECT_EQ(data_of("x.html").at("frames").size(), 3U);
}

TEST_F(Html, EscapesAHostileName)
{
    const std::string name = "<script>\"'&.y4m";
    write(name, read("D.y4m"));
    EXPECT_EQ(report(pair_of("R.y4m", name)).at("distorted").at("path"), name);
    EXPECT_EQ(read("report.html").find("<script>\"'&"), std::string::npos);
}

TEST_F(Html, ShowsTheWorstFramesOnceMoreRead)
{
    write("R30.y4m", y4m_video(small_shape(), 30, false));
    write("D30.y4m", y4m_video(small_shape(), 30, true));
    report(pair_of("R30.y4m", "D30.y4m", {"--frame_skip_ref", "2", "--frame_skip_dist", "2"}));
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(pictures_in("report.html"), 8U) << "of two frames that are a second apart";
    EXPECT_EQ(read("report.html").find("There are no pictures"), std::string::npos);
}

/// The picture shows the frame that was scored. All other frames are identical, so this one alone
/// has a difference.
TEST_F(Html, PicturesAreOfTheFramesThatWereScored)
{
    const VideoShape shape = small_shape();
    std::string ref = y4m_header(shape, y4m_tag(shape)), dis = ref;
    for (unsigned frame = 0; frame < 8; ++frame) {
        ref += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, false));
        dis += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, frame == 5));
    }
    write("ref.y4m", ref);
    write("dis.y4m", dis);
    report(
        pair_of("ref.y4m", "dis.y4m", {"-n", "--feature", "psnr", "--frame_skip_ref", "1", "--frame_skip_dist", "1"}));
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    const std::string html = read("report.html");
    const auto source = [&html](const std::string &what) {
        const std::size_t begin = html.find("<img alt=\"" + what + "\" src=\"");
        return begin == html.npos
                   ? ""
                   : html.substr(begin + what.size() + 17, html.find("\">", begin) - begin - what.size() - 17);
    };
    EXPECT_NE(source("reference, frame 4"), "");
    EXPECT_NE(source("reference, frame 4"), source("distorted, frame 4"));
}

/// Only frame 2 differs.
TEST_F(Html, MapsOfFeaturesLieOverPictures)
{
    const VideoShape shape = small_shape();
    std::string ref = y4m_header(shape, y4m_tag(shape)), dis = ref;
    for (unsigned frame = 0; frame < 4; ++frame) {
        ref += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, false));
        dis += "FRAME\n" + frame_bytes(shape, make_frame(shape, frame, frame == 2));
    }
    write("ref.y4m", ref);
    write("dis.y4m", dis);
    const auto maps_with = [&](const std::vector<std::string> &more) {
        std::vector<std::string> arguments{"-n", "--feature", "psnr,float_moment", "--feature", "vif"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        report(pair_of("ref.y4m", "dis.y4m", arguments));
        const std::string html = read("report.html");
        std::vector<std::string> names;
        const std::string begin = "<img class=\"map\" data-map=\"";
        for (std::size_t i = html.find(begin); i != html.npos; i = html.find(begin, i + 1))
            names.push_back(html.substr(i + begin.size(), html.find('"', i + begin.size()) - i - begin.size()));
        return names;
    };
    const std::vector<std::string> found = maps_with({});
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(found, (std::vector<std::string>{"psnr", "vif"})) << "of the one worst frame";
    const std::string html = read("report.html");
    EXPECT_NE(html.find("alt=\"map of psnr, frame 2\""), html.npos);
    EXPECT_NE(html.find("<option>vif</option>"), html.npos);
    EXPECT_EQ(maps_with({"--pictures", "0"}), std::vector<std::string>());

    report(pair_of("ref.y4m", "dis.y4m"));
    EXPECT_EQ(read("report.html").find("class=\"map\""), std::string::npos) << "a model's features were not asked for";
}

TEST_F(Html, OfFifosSaysWhyItHasNoPictures)
{
    TwoFifos fifos(directory());
    ToolProcess tool(directory(), pair_of("ref", "dis", {"--gpu", "none", "--html", "x.html"}));
    fifos.begin(3);
    fifos.close();
    EXPECT_EQ(tool.wait().exit_code, 0);
    EXPECT_EQ(data_of("x.html").at("frames").size(), 3U);
    EXPECT_EQ(pictures_in("x.html"), 0U);
    const std::string html = read("x.html");
    EXPECT_NE(html.find("ref is no regular file and can be read only once"), html.find("built without zlib"));
}

/// Noise, which no picture format can compress. There is one frame a second, so each may be one of
/// the worst.
class HtmlOfNoise : public Html {
  protected:
    void SetUp() override
    {
        Html::SetUp();
        std::uint32_t state = 1;
        const auto noise = [&state] { return static_cast<char>((state = state * 1664525 + 1013904223) >> 24); };
        for (const char *name : {"ref.y4m", "dis.y4m"}) {
            std::string video = "YUV4MPEG2 W640 H360 F1:1 Ip C444\n";
            for (unsigned frame = 0; frame < 3; ++frame) {
                video += "FRAME\n";
                for (unsigned i = 0; i < 3 * 640 * 360; ++i)
                    video += noise();
            }
            write(name, video);
        }
    }
    std::size_t picture_bytes() const
    {
        const std::string html = read("report.html");
        std::size_t bytes = 0;
        for (std::size_t i = html.find("base64,"); i != html.npos; i = html.find("base64,", i + 1))
            bytes += html.find('"', i) - i - 7;
        return bytes;
    }
};

TEST_F(HtmlOfNoise, KeepsPicturesWithinTheirLimit)
{
    report(pair_of("ref.y4m", "dis.y4m", {"-n", "--feature", "psnr"}));
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    EXPECT_LE(picture_bytes(), 4'000'000U);
    EXPECT_GT(picture_bytes(), 2'000'000U);
    EXPECT_EQ(pictures_in("report.html"), 4U) << "of one frame of three";
}

TEST_F(HtmlOfNoise, ShowsAsManyPicturesAsAreAskedFor)
{
    report(pair_of("ref.y4m", "dis.y4m", {"-n", "--feature", "psnr", "--pictures", "2"}));
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(pictures_in("report.html"), 8U);
    EXPECT_GT(picture_bytes(), 4'000'000U);
    report(pair_of("ref.y4m", "dis.y4m", {"-n", "--feature", "psnr", "--pictures", "0"}));
    EXPECT_EQ(pictures_in("report.html"), 0U);
    EXPECT_EQ(read("report.html").find("There are no pictures"), std::string::npos);
}

TEST_F(HtmlOfNoise, SaysWhyNoneFits)
{
    std::vector<std::string> arguments = {"-r", "ref.y4m", "-n", "--feature", "psnr", "-o", "%d.json"};
    for (int i = 0; i < 12; ++i) {
        const std::string name = "d" + std::to_string(i) + ".y4m";
        std::filesystem::copy(path("dis.y4m"), path(name));
        arguments.insert(arguments.end(), {"-d", name});
    }
    report(arguments);
    if (!has_pictures())
        GTEST_SKIP() << "built without zlib";
    EXPECT_EQ(pictures_in("report.html"), 0U);
    EXPECT_NE(read("report.html").find("they take more than 0.3 MB. --pictures N shows N of them."), std::string::npos);
}

} // namespace
} // namespace vmaf::test
