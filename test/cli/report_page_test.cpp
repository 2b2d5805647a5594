#include <cmath>
#include <limits>
#include <regex>

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "library/lists.h"
#include "report/html_report.h"
#include "report/html_text.h"
#include "report/lag_plot.h"
#include "report/scene_cuts.h"
#include "report/worst_frames.h"
#include "scores/statistics.h"

/// The HTML report (spec cli 10.7): contents of its single file.
namespace vmaf::tool {
namespace {

constexpr double kNoScore = std::numeric_limits<double>::quiet_NaN();
constexpr const char *kNasty = "a/<script>alert(\"1\")</script>'&{{data}}.y4m";

ReportVideo video(const std::string &path)
{
    ReportVideo result;
    result.path = path;
    result.format = {64, 48, VMAF_PIX_FMT_YUV420P, 8};
    return result;
}

ReportEncode encode(const std::string &path, double quality)
{
    ReportEncode result;
    result.video = video(path);
    result.scored = result.video.format;
    for (unsigned frame = 0; frame < 100; ++frame)
        result.scores.frames.push_back(2 * frame);
    result.scores.metrics = {{"psnr_y", {}}, {"vmaf", {}}};
    for (unsigned i = 0; i < 100; ++i) {
        result.scores.metrics[0].scores.push_back(30 + 0.123456789 * i);
        result.scores.metrics[1].scores.push_back(quality + (i % 7));
    }
    result.scores.metrics[0].scores[3] = kNoScore;
    result.scores.aggregates = {{"apsnr_y", 34.5}, {"apsnr_cb", kNoScore}};
    return result;
}

ReportData report_data()
{
    ReportData data;
    data.version = "3.2.0";
    data.device = "CPU";
    data.date = "2026-01-02 03:04 UTC";
    data.wall_seconds = 1.5;
    data.reference = video("folder/ref.y4m");
    data.models = {{"vmaf", "vmaf_v0.6.1"}};
    data.main_metric = "vmaf";
    data.encodes = {encode("folder/dis.y4m", 80)};
    return data;
}

ReportData ladder_data()
{
    ReportData data = report_data();
    data.encodes = {encode("low.mp4", 60), encode("high.mp4", 90), encode("middle.mp4", 80)};
    return data;
}

std::string data_text(const std::string &html)
{
    const std::string begin = "<script type=\"application/json\" id=\"vmaf-data\">";
    const std::size_t start = html.find(begin) + begin.size();
    return html.substr(start, html.find("</script>", start) - start);
}

nlohmann::json data_of(const std::string &html)
{
    return nlohmann::json::parse(data_text(html));
}

std::size_t count(const std::string &text, const std::string &part)
{
    std::size_t found = 0;
    for (std::size_t i = text.find(part); i != text.npos; i = text.find(part, i + part.size()))
        ++found;
    return found;
}

std::vector<std::string> cells_in(const std::string &row)
{
    static const std::regex kCell("<td[^>]*>([^<]*)</td>");
    std::vector<std::string> cells;
    for (std::sregex_iterator i(row.begin(), row.end(), kCell), end; i != end; ++i)
        cells.push_back((*i)[1]);
    return cells;
}

/// Cells of the table row that begins with this head.
std::vector<std::string> cells_of(const std::string &html, const std::string &head)
{
    const std::size_t begin = html.find("<th scope=\"row\">" + head + "</th>");
    EXPECT_NE(begin, html.npos) << head;
    return cells_in(html.substr(begin, html.find("</tr>", begin) - begin));
}

std::vector<std::string> cells_of_ladder(const std::string &html, const std::string &label)
{
    const std::string table = html.substr(html.find("id=\"ladder\""));
    const std::size_t begin = table.find("</i>" + label + "</th>");
    return cells_in(table.substr(begin, table.find("</tr>", begin) - begin));
}

TEST(ReportPage, AsksForNothingOutsideItself)
{
    for (const ReportData &data : {report_data(), ladder_data()}) {
        const std::string html = html_report(data);
        for (const char *pattern : {"http:", "https:", "@import", "url(", "src=\"//", "href=\"//", "{{"})
            EXPECT_EQ(html.find(pattern), html.npos) << pattern;
        EXPECT_NE(html.find("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                            "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">"),
                  html.npos);
        EXPECT_EQ(html.find("<!DOCTYPE html>"), 0U);
        EXPECT_NE(html.find("<meta charset=\"utf-8\">"), html.npos);
    }
}

TEST(ReportPage, EscapesNamesWhereverTheyAppear)
{
    for (ReportData data : {report_data(), ladder_data()}) {
        const std::size_t scripts = count(html_report(data), "<script");
        data.reference.path = kNasty;
        data.reference.conversions = {kNasty};
        for (ReportEncode &encode : data.encodes) {
            encode.video.path = kNasty + std::to_string(encode.scores.metrics[1].scores[0]);
            encode.video.bits_per_second = encode.scores.metrics[1].scores[0] * 1000;
            encode.scores.metrics[1].name = kNasty;
            encode.scores.aggregates[0].name = kNasty;
            encode.no_pictures = kNasty;
        }
        data.models = {{kNasty, kNasty}};
        data.main_metric = kNasty;
        data.warnings = {kNasty};
        data.device = kNasty;
        const std::string html = html_report(data);
        EXPECT_EQ(count(html, "<script"), scripts);
        EXPECT_EQ(html.find("alert(\"1\")"), html.npos);
        const std::string data_only = data_text(html);
        const std::string page = std::string(html).replace(html.find(data_only), data_only.size(), "");
        EXPECT_EQ(page.find("'&{{"), page.npos);
        EXPECT_EQ(data_text(html).find('<'), std::string::npos);
        EXPECT_NE(html.find("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;&#39;&amp;{{data}}.y4m"), html.npos);
        EXPECT_EQ(data_of(html).at("reference").at("path"), kNasty);
    }
}

TEST(ReportPage, ShowsWhatIsNoTextAsReplacementCharacters)
{
    ReportData data = report_data();
    data.encodes[0].video.path = "a\xff\n\x1b[31m.y4m";
    const std::string html = html_report(data);
    EXPECT_NE(html.find("<bdi>a\xef\xbf\xbd\\x0a\\x1b[31m.y4m</bdi>"), html.npos);
    EXPECT_EQ(data_of(html).at("distorted").at("path"), "a\xef\xbf\xbd\n\x1b[31m.y4m");
}

TEST(ReportPage, HoldsDataOfTheSchema)
{
    ReportData data = report_data();
    data.reference.frames_per_second = 25;
    data.warnings = {"odd"};
    const nlohmann::json json = data_of(html_report(data));
    std::vector<std::string> members;
    for (const auto &[name, value] : json.items())
        members.push_back(name);
    EXPECT_EQ(members, (std::vector<std::string>{"aggregate", "better", "complete", "distorted", "frames", "metrics",
                                                 "models", "pooled", "reason", "reference", "scene_cuts", "schema",
                                                 "scored", "version", "warnings"}));
    EXPECT_EQ(json.at("schema"), 1);
    EXPECT_EQ(json.at("version"), "3.2.0");
    EXPECT_EQ(json.at("complete"), true);
    EXPECT_TRUE(json.at("reason").is_null());
    EXPECT_EQ(json.at("reference"),
              nlohmann::json::parse(
                  R"({"path":"folder/ref.y4m","width":64,"height":48,"pixel_format":"420","bitdepth":8,"fps":25.0})"));
    EXPECT_TRUE(json.at("distorted").at("fps").is_null());
    EXPECT_EQ(json.at("scored"),
              nlohmann::json::parse(R"({"width":64,"height":48,"pixel_format":"420","bitdepth":8})"));
    EXPECT_EQ(json.at("models"), nlohmann::json::parse(R"([{"name":"vmaf","label":"vmaf_v0.6.1"}])"));
    EXPECT_EQ(json.at("warnings"), nlohmann::json::parse(R"(["odd"])"));
    EXPECT_EQ(json.at("frames").size(), 100U);
    EXPECT_EQ(json.at("frames").at(3), 6);
}

TEST(ReportPage, GivesScoresSixDigitsAndMissingOnesAsNull)
{
    const nlohmann::json json = data_of(html_report(report_data()));
    EXPECT_EQ(json.at("metrics").at("psnr_y").at(1).dump(), "30.1235");
    EXPECT_TRUE(json.at("metrics").at("psnr_y").at(3).is_null());
    EXPECT_EQ(json.at("aggregate").at("apsnr_y"), 34.5);
    EXPECT_TRUE(json.at("aggregate").at("apsnr_cb").is_null());
}

TEST(ReportPage, SumsUpAsTheOtherOutputsDo)
{
    const ReportData data = report_data();
    const std::string html = html_report(data);
    for (const ScoreColumn &column : data.encodes[0].scores.metrics) {
        const Statistics expected = statistics_of(column.scores);
        const nlohmann::json pooled = data_of(html).at("pooled").at(column.name);
        const std::vector<std::string> cells = cells_of(html, column.name);
        ASSERT_EQ(pooled.size(), std::size(kStatisticNames));
        for (const StatisticName &statistic : kStatisticNames)
            EXPECT_EQ(pooled.at(statistic.name), expected.*statistic.value);
        ASSERT_EQ(cells.size(), std::size(kTableStatistics) + 1) << "and how many are missing";
        for (std::size_t i = 0; i < std::size(kTableStatistics); ++i)
            EXPECT_NEAR(std::stod(cells[i]), kTableStatistics[i].of(expected, column.better), 0.00005);
        EXPECT_EQ(cells.back(), column.name == "psnr_y" ? "1" : "0");
    }
    EXPECT_EQ(cells_of(html, "apsnr_y")[0], "34.5000");
}

TEST(ReportPage, TellsWhatWasDecided)
{
    ReportData data = report_data();
    EXPECT_EQ(html_report(data).find("How the videos were matched"), std::string::npos);
    data.encodes[0].decisions = R"({"reference": {"path": "<r>", "size": [64, 48], "crop": null, "mirrored": false},
        "distorted": {"path": "d", "size": [32, 24], "crop": null, "mirrored": true},
        "scored": {"size": [64, 48], "depth": 8, "display": null}, "conversions": ["<scaled>"], "warnings": []})";
    const std::string html = html_report(data);
    EXPECT_NE(html.find("<summary>How the videos were matched</summary>\n<ul><li>&lt;scaled&gt;</li></ul>"), html.npos);
    const std::string record = html.substr(html.find("How the videos were matched"));
    using Cells = std::vector<std::string>;
    EXPECT_EQ(cells_of(record, "path"), (Cells{"&lt;r&gt;", "d", "–"}));
    EXPECT_EQ(cells_of(record, "size"), (Cells{"64, 48", "32, 24", "64, 48"}));
    EXPECT_EQ(cells_of(record, "mirrored"), (Cells{"–", "yes", "–"}));
    EXPECT_EQ(cells_of(record, "depth"), (Cells{"–", "–", "8"}));
    EXPECT_EQ(record.find("crop"), record.npos) << "none has one";
    data.encodes[0].decisions = "{}";
    EXPECT_EQ(html_report(data).find("How the videos were matched"), std::string::npos);
}

TEST(ReportPage, FoldsAwayWhatWasNotAskedFor)
{
    ReportData data = report_data();
    const std::string html = html_report(data);
    const std::size_t fold = html.find("<details><summary>Features inside the models");
    EXPECT_LT(html.find("<th scope=\"row\">vmaf</th>"), fold);
    EXPECT_LT(html.find("<th scope=\"row\">apsnr_y</th>"), fold);
    EXPECT_GT(html.find("<th scope=\"row\">psnr_y</th>"), fold);
    data.features = {"psnr_y"};
    EXPECT_EQ(html_report(data).find("Features inside the models"), std::string::npos);
    data.features.clear();
    data.models.clear();
    EXPECT_EQ(html_report(data).find("Features inside the models"), std::string::npos) << "there is nothing else";
}

/// 20, 40, 60, 80 and 100 are bad, poor, fair, good and excellent.
TEST(ReportPage, SaysInWordsWhatAScoreMeans)
{
    const auto words = [](double score, const char *model) {
        ReportData data = report_data();
        data.models[0].label = model;
        data.encodes[0].scores.metrics[1].scores.assign(100, score);
        const std::string html = html_report(data);
        EXPECT_EQ(html.find("The Journey Continues") != html.npos, std::string_view(model) != "other");
        static const std::regex kWords("mean</small></div><div class=\"label\">([^<]*)<");
        std::smatch found;
        return std::regex_search(html, found, kWords) ? found[1].str() : "";
    };
    for (const auto &[score, expected] :
         {std::pair{3., "worse than bad"}, std::pair{20., "bad"}, std::pair{39.9, "between bad and poor"},
          std::pair{60., "fair"}, std::pair{70., "between fair and good"},
          std::pair{99.9, "between good and excellent"}, std::pair{100., "excellent"}})
        EXPECT_EQ(words(score, "vmaf_v0.6.1"), expected);
    EXPECT_EQ(words(70, "other"), "");
}

TEST(ReportPage, SaysWhatModelsAreForAndHowFeaturesAreRead)
{
    ReportData data = report_data();
    data.models[0].label = "vmaf_4k_v0.6.1";
    EXPECT_EQ(html_report(data).find("100 is identical"), std::string::npos);
    ScoreColumns &scores = data.encodes[0].scores;
    scores.metrics.push_back({"ssimulacra2", scores.metrics[0].scores});
    scores.aggregates.push_back({"cvvdp", 9.5});
    const std::string html = html_report(data);
    for (const std::string &part :
         {"<b>" + data.models[0].name + "</b>: " + find_model_info("vmaf_4k_v0.6.1")->help,
          std::string("<b>ssimulacra2</b>: 100 is identical"), std::string("<b>cvvdp</b>: 10 is identical")})
        EXPECT_NE(html.find(part), std::string::npos) << part;
}

TEST(ReportPage, CountsMissingScoresOnlyWhereThereAreSome)
{
    ReportData data = report_data();
    data.encodes[0].scores.metrics[0].scores[3] = 1;
    EXPECT_EQ(cells_of(html_report(data), "vmaf").size(), std::size(kTableStatistics));
}

TEST(ReportPage, SaysInABannerThatItIsIncomplete)
{
    ReportData data = report_data();
    EXPECT_EQ(html_report(data).find("class=\"banner\""), std::string::npos);
    data.encodes[0].incomplete = Incomplete{StopReason::truncated_input, 100};
    const std::string html = html_report(data);
    EXPECT_NE(html.find("class=\"banner\""), html.npos);
    EXPECT_NE(html.find("Incomplete: truncated input.</strong> Scoring stopped after 100 frames"), html.npos);
    EXPECT_EQ(data_of(html).at("complete"), false);
    EXPECT_EQ(data_of(html).at("reason"), "truncated input");
}

TEST(ReportPage, ListsWorstFramesWithoutAScript)
{
    const std::string html = html_report(report_data());
    const std::size_t list = html.find("id=\"worst-list\"");
    const std::string items = html.substr(list, html.find("</ol>", list) - list);
    // Every seventh row has the lowest score. Rows are two frames apart, and at least 25 frames
    // must lie between.
    EXPECT_EQ(count(items, "<li>"), 8U);
    EXPECT_NE(items.find("data-frame=\"0\""), items.npos);
    EXPECT_NE(items.find("data-frame=\"28\""), items.npos);
    EXPECT_EQ(items.find("data-frame=\"14\""), items.npos);
}

/// Scores 80 to 86, of which the highest are the worst.
ReportData data_of_banding()
{
    ReportData data = report_data();
    data.models.clear();
    data.encodes[0].scores.metrics[1].name = data.main_metric = "cambi";
    data.encodes[0].scores.metrics[1].better = VMAF_DIRECTION_LOWER;
    data.features = {"cambi"};
    return data;
}

TEST(ReportPage, ShowsTheHighestScoresAsTheWorstWhereLowerIsBetter)
{
    ReportData data = data_of_banding();
    data.encodes[0].pictures = {{12, {}, "ref", "dis", "whole", "difference"}};
    const std::string html = html_report(data);
    const std::size_t list = html.find("id=\"worst-list\"");
    const std::string items = html.substr(list, html.find("</ol>", list) - list);
    // Rows 6, 13, 20... have 86. They are 14 frames apart, and at least 25 frames must lie between.
    EXPECT_NE(items.find("data-frame=\"12\""), items.npos) << items;
    EXPECT_NE(items.find("data-frame=\"40\""), items.npos) << items;
    EXPECT_EQ(items.find("data-frame=\"0\""), items.npos) << items;
    EXPECT_EQ(items.find(">80.0000<"), items.npos) << items;
    EXPECT_NE(html.find("Pictures: the highest of cambi"), html.npos);
    EXPECT_NE(html.find("<span id=\"worst-order\">highest</span> of <span id=\"worst-metric\">cambi"), html.npos);
    EXPECT_NE(html.find("show the lowest</button>"), html.npos);
    EXPECT_NE(html.find("<dt>worst</dt><dd><button type=\"button\" class=\"go\" data-frame=\"12\">"), html.npos);
    // 14 of 100 rows have 86, and 15 have 80.
    EXPECT_EQ(cells_of(html, "cambi"), (std::vector<std::string>{"82.95", "86.00", "86.00"}))
        << "the card's: mean, worst 5 %, worst";
    EXPECT_EQ(data_of(html).at("better").at("cambi"), "lower");
    EXPECT_EQ(data_of(html).at("better").at("psnr_y"), "higher");
    EXPECT_EQ(data_of(html).at("pooled").at("cambi").at("p95"), 86);
    EXPECT_EQ(data_of(html).at("pooled").at("cambi").at("p5"), 80);
}

TEST(ReportPage, SaysOfNoScoreThatIsBetterWhatNobodyKnows)
{
    ReportData data = data_of_banding();
    data.encodes[0].scores.metrics[1].better = VMAF_DIRECTION_NONE;
    EXPECT_FALSE(data_of(html_report(data)).at("better").contains("cambi"));
}

TEST(ReportPage, CountsInfiniteScores)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    ReportData data = report_data();
    data.models.clear();
    data.features = {"xpsnr_y"};
    data.main_metric = "xpsnr_y";
    ScoreColumns &scores = data.encodes[0].scores;
    scores.metrics[1] = {"xpsnr_y", std::vector<double>(100, kInfinity)};
    scores.metrics[1].scores[40] = 11.5;
    scores.aggregates[0] = {"axpsnr_y", 39.5};
    const std::string html = html_report(data);
    EXPECT_EQ(cells_of(html, "xpsnr_y"), (std::vector<std::string>{"∞", "∞", "11.50"}))
        << "the card's: mean, worst 5 %, worst";
    EXPECT_NE(
        html.find("<p class=\"note\">xpsnr_y is infinite in 99 of 100 frames, and so is its mean; axpsnr_y, of the "
                  "whole clip, is 39.5000</p>"),
        html.npos);
    const nlohmann::json json = data_of(html);
    EXPECT_EQ(json.at("metrics").at("xpsnr_y").at(0), "Infinity");
    EXPECT_EQ(json.at("metrics").at("xpsnr_y").at(40), 11.5);
    EXPECT_EQ(json.at("pooled").at("xpsnr_y").at("mean"), "Infinity");
    EXPECT_TRUE(json.at("pooled").at("xpsnr_y").at("stddev").is_null());
    EXPECT_EQ(json.at("pooled").at("xpsnr_y").at("min"), 11.5);
    const std::size_t list = html.find("id=\"worst-list\"");
    EXPECT_EQ(html.find("data-frame=\"80\"", list), html.find("data-frame=", list)) << "row 40";
}

TEST(ReportPage, ShowsPicturesWithTheirScores)
{
    ReportData data = report_data();
    data.encodes[0].scored.width_px = 1920;
    data.encodes[0].scored.height_px = 1080;
    data.encodes[0].pictures = {{28, {480, 270, 640, 360}, "ref", "dis", "whole", "difference"}};
    const std::string html = html_report(data);
    EXPECT_EQ(count(html, "<img alt=\""), 4U);
    EXPECT_NE(html.find("src=\"data:image/png;base64,cmVm\""), html.npos);
    EXPECT_NE(html.find("<b>80.00</b>"), html.npos);
    EXPECT_NE(html.find("reference, 640×360 at 480, 270<"), html.npos);
    EXPECT_EQ(count(html, "<i style=\"left:25.00%;top:25.00%;width:33.33%;height:33.33%\">"), 2U);
    data.encodes[0].pictures[0].crop = {0, 0, 1920, 1080};
    EXPECT_EQ(html_report(data).find("<i style"), std::string::npos) << "all of the frame";
}

TEST(ReportPage, WritesARunWithoutScores)
{
    ReportData data = report_data();
    data.encodes[0].scores = {};
    data.models.clear();
    const std::string html = html_report(data);
    EXPECT_EQ(data_of(html).at("metrics"), nlohmann::json::object());
    EXPECT_EQ(html.find("id=\"worst\""), html.npos);
}

TEST(ReportLadder, HoldsEncodesSideBySide)
{
    const nlohmann::json json = data_of(html_report(ladder_data()));
    for (const char *member : {"distorted", "frames", "metrics", "aggregate", "pooled"})
        EXPECT_FALSE(json.contains(member)) << member;
    ASSERT_EQ(json.at("encodes").size(), 3U);
    const nlohmann::json &first = json.at("encodes").at(0);
    EXPECT_EQ(first.at("label"), "low.mp4");
    EXPECT_EQ(first.at("distorted").at("path"), "low.mp4");
    EXPECT_FALSE(first.at("distorted").contains("bitrate"));
    for (const char *member : {"frames", "metrics", "aggregate", "pooled", "complete", "reason"})
        EXPECT_TRUE(first.contains(member)) << member;
}

TEST(ReportLadder, TellsEqualNamesApartByTheirFolders)
{
    ReportData data = ladder_data();
    data.encodes[0].video.path = "a/x.mp4";
    data.encodes[1].video.path = "b/x.mp4";
    const nlohmann::json json = data_of(html_report(data));
    EXPECT_EQ(json.at("encodes").at(0).at("label"), "a/x.mp4");
    EXPECT_EQ(json.at("encodes").at(1).at("label"), "b/x.mp4");
    EXPECT_EQ(json.at("encodes").at(2).at("label"), "middle.mp4");
}

TEST(ReportLadder, IsIncompleteIfOneEncodeIs)
{
    ReportData data = ladder_data();
    data.encodes[1].incomplete = Incomplete{StopReason::decode_error, 7};
    const std::string html = html_report(data);
    const nlohmann::json json = data_of(html);
    EXPECT_EQ(json.at("complete"), false);
    EXPECT_EQ(json.at("encodes").at(0).at("complete"), true);
    EXPECT_EQ(json.at("encodes").at(1).at("reason"), "decode error");
    EXPECT_NE(html.find("high.mp4: Incomplete"), html.npos);
}

TEST(ReportLadder, PlotsQualityOverBitrateWhereBitratesAreKnown)
{
    ReportData data = ladder_data();
    data.encodes[0].video.bits_per_second = 5e5;
    EXPECT_EQ(html_report(data).find("class=\"rate\""), std::string::npos) << "one point is no curve";
    data.encodes[1].video.bits_per_second = 4e6;
    data.encodes[2].video.bits_per_second = 2e6;
    data.encodes[2].video.encoded_bytes = 123456789;
    const std::string html = html_report(data);
    EXPECT_EQ(count(html, "class=\"rate\""), 1U) << "one model";
    EXPECT_NE(html.find("500 kbit/s"), html.npos);
    EXPECT_NE(html.find("123.5 MB"), html.npos);

    static const std::regex kPoint(R"re(<circle class="f(\d)" cx="([\d.]+)" cy="([\d.]+)")re");
    std::vector<std::array<double, 3>> points;
    for (std::sregex_iterator i(html.begin(), html.end(), kPoint), end; i != end; ++i)
        points.push_back({std::stod((*i)[1]), std::stod((*i)[2]), std::stod((*i)[3])});
    ASSERT_EQ(points.size(), 3U);
    EXPECT_EQ(points[0][0], 0);
    EXPECT_EQ(points[1][0], 2);
    EXPECT_EQ(points[2][0], 1);
    EXPECT_LT(points[0][1], points[1][1]);
    EXPECT_LT(points[1][1], points[2][1]);
    EXPECT_GT(points[0][2], points[1][2]) << "y grows downwards";
    EXPECT_GT(points[1][2], points[2][2]);
    // 0.5, 2 and 4 Mbit/s on a logarithmic scale: two octaves, then one.
    EXPECT_NEAR((points[1][1] - points[0][1]) / (points[2][1] - points[1][1]), 2, 0.01);
}

/// 4 frames early. 20 is not shown, 30 and 31 show 34 again, and nothing fits 40 and 41.
Pairing edited()
{
    Pairing pairing{.method = "frames", .lag = -4, .dropped = {20}, .repeated = {30, 31}};
    for (unsigned dis = 0; dis < 50; ++dis)
        if (dis != 40 && dis != 41)
            pairing.pairs.push_back({dis, dis + (dis < 16 ? 4 : dis < 30 ? 5 : dis == 30 ? 4 : 3)});
    return pairing;
}

TEST(ReportLadder, ListsFilesAndAllScoresThatWereAskedFor)
{
    ReportData data = ladder_data();
    data.features = {"psnr_y"};
    std::string html = html_report(data);
    EXPECT_EQ(cells_of_ladder(html, "high.mp4"),
              (std::vector<std::string>{"64×48", "92.95", "92.91", "90.00", "90.00", "36.17", "30.73"}));
    EXPECT_NE(html.find("<th colspan=\"2\" scope=\"colgroup\">psnr_y</th>"), html.npos);
    for (const char *heading : {">codec<", ">lag<", ">bitrate<"})
        EXPECT_EQ(html.find(heading), html.npos) << heading << " where none is known";
    data.encodes[1].video.codec = "hevc";
    data.encodes[1].lag = report_lag(edited(), 48);
    html = html_report(data);
    EXPECT_EQ(cells_of_ladder(html, "high.mp4")[1], "hevc");
    EXPECT_EQ(cells_of_ladder(html, "high.mp4")[2], "4 frames early; 1 dropped, 2 repeated");
    EXPECT_EQ(cells_of_ladder(html, "low.mp4")[1], "–");
    EXPECT_EQ(data_of(html).at("encodes").at(1).at("distorted").at("codec"), "hevc");
    EXPECT_FALSE(data_of(html).at("encodes").at(0).at("distorted").contains("codec"));
}

TEST(ReportLag, IsOfFramesInARow)
{
    const auto lag = report_lag(edited(), 48);
    ASSERT_TRUE(lag);
    std::vector<std::array<int, 3>> runs;
    for (const LagRun &run : lag->runs)
        runs.push_back({static_cast<int>(run.first), static_cast<int>(run.last), run.lag});
    EXPECT_EQ(runs,
              (std::vector<std::array<int, 3>>{{0, 15, -4}, {16, 29, -5}, {30, 30, -4}, {31, 39, -3}, {42, 49, -3}}));
    EXPECT_EQ(lag->dropped, std::vector<unsigned>{20});
    EXPECT_TRUE(lag->is_applied);
    const auto late = report_lag({.method = "offset", .lag = 3}, 10);
    ASSERT_TRUE(late);
    ASSERT_EQ(late->runs.size(), 1U);
    EXPECT_EQ(late->runs[0].first, 3U);
    EXPECT_EQ(late->runs[0].last, 12U);
    EXPECT_FALSE(report_lag({.method = "offset", .lag = 0}, 10));
    EXPECT_FALSE(report_lag({.method = "offset", .lag = std::nullopt}, 10));
    EXPECT_FALSE(report_lag({}, 10));
}

TEST(ReportLag, IsACurveAndTheSameAsText)
{
    ReportData data = report_data();
    EXPECT_EQ(html_report(data).find("id=\"lag\""), std::string::npos);
    data.encodes[0].video.path = kNasty;
    data.encodes[0].lag = report_lag(edited(), 48);
    const std::string html = html_report(data);
    EXPECT_EQ(count(html, "class=\"rate lag\""), 1U);
    EXPECT_EQ(count(html, "<script>alert"), 0U);
    for (const char *text :
         {" is 4 frames early at its start; 1 frame dropped, 2 frames repeated. Each frame was compared with the "
          "reference frame that it shows.",
          "dropped from the reference</th><td>20<", "repeated</th><td>30, 31<",
          "<th scope=\"row\">16 to 29</th><td>5 frames early</td>", "<th scope=\"row\">30</th><td>4 frames early</td>",
          "<title>dropped before frame 16: 4 frames early, then 5 frames early</title>",
          "<title>frame 30 repeats: 5 frames early, then 4 frames early</title>"})
        EXPECT_NE(html.find(text), html.npos) << text;
    EXPECT_EQ(count(html, "<circle class=\"f1\""), 1U);
    EXPECT_EQ(count(html, "<circle class=\"f0\""), 2U);

    // Frames 0 to 49 from left to right, lags -6 to -2 upwards. There is a gap where nothing fits.
    static const std::regex kPath(R"re(class="path" d="M([\d.]+) ([\d.]+)H([\d.]+)V([\d.]+)H[\d.]+V([\d.]+)H)re");
    std::smatch path;
    ASSERT_TRUE(std::regex_search(html, path, kPath));
    const auto at = [&](std::size_t i) { return std::stod(path[i]); };
    const double width = (at(3) - at(1)) / 16, height = at(4) - at(2);
    EXPECT_GT(height, 0) << "earlier is lower";
    EXPECT_NEAR(at(5), at(2), 0.11);
    EXPECT_NEAR(at(1) + 50 * width, 626, 1);
    const auto start = static_cast<std::size_t>(path.position());
    EXPECT_EQ(count(html.substr(start, html.find("/>", start) - start), "M"), 2U);
}

TEST(ReportLag, IsAmongTheData)
{
    ReportData data = report_data();
    EXPECT_FALSE(data_of(html_report(data)).contains("lag"));
    data.encodes[0].lag = report_lag(edited(), 48);
    const nlohmann::json expected = {{"applied", true},
                                     {"runs", {{0, 15, -4}, {16, 29, -5}, {30, 30, -4}, {31, 39, -3}, {42, 49, -3}}},
                                     {"dropped", {20}},
                                     {"repeated", {30, 31}}};
    EXPECT_EQ(data_of(html_report(data)).at("lag"), expected);
    ReportData ladder = ladder_data();
    ladder.encodes[1].lag = data.encodes[0].lag;
    const nlohmann::json json = data_of(html_report(ladder));
    EXPECT_EQ(json.at("encodes").at(1).at("lag"), expected);
    EXPECT_FALSE(json.at("encodes").at(0).contains("lag"));
}

TEST(ReportLag, OfManyChangesStaysSmall)
{
    Pairing pairing{.method = "frames", .lag = -1};
    for (unsigned dis = 0; dis < 200'000; ++dis)
        pairing.pairs.push_back({dis, dis + 1 + dis / 3 % 2});
    ReportData data = report_data();
    const std::size_t without = html_report(data).size();
    data.encodes[0].lag = report_lag(pairing, 200'000);
    EXPECT_EQ(data.encodes[0].lag->runs.size(), 66'667U);
    constexpr std::size_t kDataOfRun = 20;
    EXPECT_LT(html_report(data).size(), without + 300'000 + kDataOfRun * 66'667);
    EXPECT_NE(html_report(data).find("and 66467 more"), std::string::npos);
}

std::vector<unsigned> cuts_of(const std::vector<double> &differences, const std::vector<unsigned> &frames = {})
{
    ScoreColumns scores;
    scores.metrics = {{"VMAF_integer_feature_motion_sad_score", differences}};
    scores.frames = frames;
    for (unsigned i = 0; frames.empty() && i < differences.size(); ++i)
        scores.frames.push_back(i);
    return scene_cuts(scores);
}

TEST(SceneCuts, AreFramesThatDifferFarMoreThanTheirNeighbours)
{
    using Cuts = std::vector<unsigned>;
    EXPECT_EQ(cuts_of({0, 1, 2, 30, 1, 2, 25, 3}), (Cuts{3, 6}));
    EXPECT_EQ(cuts_of({0, 20, 21, 30, 20, 22}), Cuts()) << "fast motion";
    EXPECT_EQ(cuts_of({0, 0, 3.9, 0, 0}), Cuts()) << "noise";
    EXPECT_EQ(cuts_of({0, 1, 30, 30, 1}), Cuts()) << "a flash";
    EXPECT_EQ(cuts_of({0, 1, 2, 30, 1}, {0, 2, 4, 6, 8}), Cuts()) << "frames in between are not known";
    EXPECT_EQ(cuts_of({0, 1, kNoScore, 30, 1}), Cuts({3})) << "a frame without a score says nothing against it";
    EXPECT_EQ(cuts_of({}), Cuts());
    EXPECT_EQ(scene_cuts(encode("x", 80).scores), Cuts()) << "motion was not measured";
}

TEST(ReportText, FillsInEachMarkOnce)
{
    EXPECT_EQ(filled("a{{x}}b{{y}}c{{none}}", {{"x", "{{y}}"}, {"y", "2"}}), "a{{y}}b2c");
    EXPECT_EQ(filled("{{x", {}), "");
}

/// RFC 4648, section 10.
TEST(ReportText, WritesBase64)
{
    const std::pair<const char *, const char *> cases[] = {{"", ""},
                                                           {"f", "Zg=="},
                                                           {"fo", "Zm8="},
                                                           {"foo", "Zm9v"},
                                                           {"foob", "Zm9vYg=="},
                                                           {"fooba", "Zm9vYmE="},
                                                           {"foobar", "Zm9vYmFy"}};
    for (const auto &[bytes, text] : cases) {
        EXPECT_EQ(base64(bytes), text);
        EXPECT_EQ(base64_bytes(std::string(bytes).size()), std::string(text).size());
    }
    EXPECT_EQ(base64("\xfb\xff\xbf"), "+/+/");
}

using Rows = std::vector<std::size_t>;

TEST(SpacedWorst, AreTheLowestAtLeastAGapApart)
{
    const std::vector<unsigned> frames{0, 1, 2, 3, 4, 5, 6, 7};
    const ScoreColumn scores{"vmaf", {5, 1, 0, 2, 9, 3, 3, 0}};
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 1), (Rows{2, 7, 1, 3, 5, 6, 0, 4}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 2), (Rows{2, 7, 5, 0}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 3), (Rows{2, 7}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 1, 1), (Rows{2}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 3, 0), (Rows{2, 7, 1}));
}

TEST(SpacedWorst, AreTheHighestWhereLowerIsBetter)
{
    const std::vector<unsigned> frames{0, 1, 2, 3, 4, 5, 6, 7};
    const ScoreColumn scores{"cambi", {5, 1, 0, 2, 9, 3, 3, 0}, VMAF_DIRECTION_LOWER};
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 1), (Rows{4, 0, 5, 6, 3, 1, 2, 7}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 3), (Rows{4, 0, 7}));
}

TEST(SpacedWorst, CountFrameNumbersAndNotRows)
{
    const std::vector<unsigned> frames{0, 10, 20, 30};
    const ScoreColumn scores{"vmaf", {1, 0, 2, 3}};
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 10), (Rows{1, 0, 2, 3}));
    EXPECT_EQ(spaced_worst_frames(scores, frames, 20, 11), (Rows{1, 3}));
}

TEST(SpacedWorst, LeaveOutWhatIsNoScoreAndCountInfiniteOnes)
{
    constexpr double kInfinity = std::numeric_limits<double>::infinity();
    const std::vector<unsigned> frames{0, 1, 2, 3};
    EXPECT_EQ(spaced_worst_frames({"xpsnr_y", {kNoScore, 1, -kInfinity, kInfinity}}, frames, 20, 1), (Rows{2, 1, 3}));
    EXPECT_EQ(spaced_worst_frames({"none", {}}, {}, 20, 1), Rows{});
}

TEST(SpacedWorst, GapIsASecond)
{
    EXPECT_EQ(worst_frame_gap(std::nullopt), 25U);
    EXPECT_EQ(worst_frame_gap(50), 50U);
    EXPECT_EQ(worst_frame_gap(23.976), 24U);
    EXPECT_EQ(worst_frame_gap(0), 25U);
    EXPECT_EQ(worst_frame_gap(kNoScore), 25U);
}

} // namespace
} // namespace vmaf::tool
