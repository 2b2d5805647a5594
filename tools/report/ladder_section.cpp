#include "report/ladder_section.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "common/format.h"
#include "comparison/pairing.h"
#include "report/html_text.h"
#include "report/rate_plot.h"

namespace vmaf::tool {
namespace {

constexpr std::array kModelStatistics{kTableMean, kTableHarmonicMean, kTableWorst5, kTableWorst};
constexpr std::array kFeatureStatistics{kTableMean, kTableWorst5};

/// Scores with some of their statistics.
struct ScoreGroup {
    const std::string &metric;
    std::span<const TableStatistic> statistics;
};

std::string lag_text_of(const ReportLag &lag)
{
    std::string text = step_text(lag.runs.front().lag);
    if (!lag.dropped.empty() || !lag.repeated.empty())
        text += formatted("; {} dropped, {} repeated", lag.dropped.size(), lag.repeated.size());
    return text;
}

/// A column of the table about files.
struct FileColumn {
    const char *heading;
    std::string (*text)(const ReportEncode &encode); ///< empty: unknown
};

constexpr FileColumn kFileColumns[] = {
    {"size",
     [](const ReportEncode &encode) {
         const VideoFormat &format = encode.video.format;
         return format.width_px > 0 ? formatted("{}×{}", format.width_px, format.height_px) : std::string();
     }},
    {"codec", [](const ReportEncode &encode) { return encode.video.codec; }},
    {"lag", [](const ReportEncode &encode) { return encode.lag ? lag_text_of(*encode.lag) : std::string(); }},
    {"file size",
     [](const ReportEncode &encode) {
         return encode.video.encoded_bytes ? bytes_text(*encode.video.encoded_bytes) : std::string();
     }},
    {"bitrate",
     [](const ReportEncode &encode) {
         return encode.video.bits_per_second ? bitrate_text(*encode.video.bits_per_second) : std::string();
     }},
};

/// Columns for which at least one encode has a value.
std::vector<FileColumn> file_columns(const Encodes &encodes)
{
    std::vector<FileColumn> columns;
    for (const FileColumn &column : kFileColumns)
        if (std::ranges::any_of(encodes, [&](const SummedEncode &each) { return !column.text(*each.encode).empty(); }))
            columns.push_back(column);
    return columns;
}

std::string row_of(const SummedEncode &encode, std::size_t number, std::span<const FileColumn> columns,
                   std::span<const ScoreGroup> groups)
{
    std::string row = formatted("<tr><th scope=\"row\" title=\"{}\">{}{}</th>", escaped(encode.encode->video.path),
                                swatch(number), escaped(encode.label));
    for (const FileColumn &column : columns) {
        const std::string text = column.text(*encode.encode);
        row += formatted("<td>{}</td>", text.empty() ? "–" : escaped(text));
    }
    for (const auto &[metric, statistics] : groups) {
        const auto summed = column_named(encode, metric);
        for (const TableStatistic &statistic : statistics)
            row += formatted("<td>{}</td>", summed ? score_text(summed->of(statistic)) : "–");
    }
    return row + "</tr>\n";
}

/// A legend with a colour for each encode.
std::string legend(const Encodes &encodes)
{
    std::string text;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        text += formatted("<span>{}{}</span>", swatch(i), escaped(encodes[i].label));
    return text;
}

std::vector<RatePoint> points_of(const Encodes &encodes, const std::string &metric)
{
    std::vector<RatePoint> points;
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        const auto rate = encodes[i].encode->video.bits_per_second;
        const auto summed = column_named(encodes[i], metric);
        if (rate && *rate > 0 && summed && std::isfinite(summed->statistics.mean))
            points.push_back({i, encodes[i].label, *rate, summed->statistics.mean});
    }
    return points;
}

/// Elements that the page's script fills (ladder.js).
constexpr std::string_view kLivePlot = R"(<div class="live" id="rate-live">
<p class="tools choices"><label>Score <select id="rate-metric"></select></label>
<label>Statistic <select id="rate-statistic"></select></label>
<label>Groups <select id="rate-groups"></select></label>
<label><input type="checkbox" id="rate-hull" checked> hull</label></p>
<div class="figures"><figure><figcaption id="rate-caption"></figcaption><div id="rate-plot"></div>
<p class="tools" id="rate-legend"></p></figure>
<div><h3>Hull</h3><p class="note">The encodes with the best score for their bitrate.</p><ol id="rate-hull-list"></ol>
<div id="rate-differences"></div></div></div></div>
)";

} // namespace

std::string ladder_table(const Encodes &encodes, std::span<const std::string> models,
                         std::span<const std::string> features)
{
    std::vector<ScoreGroup> groups;
    for (const std::string &metric : models)
        groups.push_back({metric, kModelStatistics});
    for (const std::string &metric : features)
        groups.push_back({metric, kFeatureStatistics});
    const std::vector<FileColumn> columns = file_columns(encodes);
    std::string first, second;
    for (const FileColumn &column : columns)
        first += formatted("<th rowspan=\"2\" scope=\"col\">{}</th>", column.heading);
    for (const auto &[metric, statistics] : groups) {
        first += formatted("<th colspan=\"{}\" scope=\"colgroup\">{}</th>", statistics.size(), escaped(metric));
        for (const TableStatistic &statistic : statistics)
            second += formatted("<th scope=\"col\">{}</th>", statistic.heading);
    }
    std::string rows;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        rows += row_of(encodes[i], i, columns, groups);
    return formatted("<section class=\"panel\" id=\"ladder\"><div class=\"head\"><h2>{} encodes</h2></div><div "
                     "class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"encodes\">"
                     "<table><thead><tr><th rowspan=\"2\" scope=\"col\">encode</th>{}</tr><tr>{}</tr>"
                     "</thead><tbody>\n{}</tbody></table></div></section>\n",
                     encodes.size(), first, second, rows);
}

std::string rate_section(const Encodes &encodes, std::span<const std::string> metrics)
{
    std::string figures;
    for (const std::string &metric : metrics)
        if (const std::vector<RatePoint> points = points_of(encodes, metric); points.size() > 1)
            figures += formatted("<figure><figcaption>{}: mean over bitrate</figcaption>{}</figure>\n", escaped(metric),
                                 rate_plot(metric + ", mean over bitrate", points));
    if (figures.empty())
        return {};
    return formatted("<section class=\"panel\" id=\"rate\"><div class=\"head\"><h2>Rate and quality</h2></div>\n"
                     "<div class=\"unscripted\"><p class=\"tools\">{}</p><div class=\"figures\">\n{}</div></div>\n"
                     "{}</section>\n",
                     legend(encodes), figures, kLivePlot);
}

} // namespace vmaf::tool
