#include "report/html_report.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "common/format.h"
#include "report/cards.h"
#include "report/decisions.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/ladder_section.h"
#include "report/lag_plot.h"
#include "report/meanings.h"
#include "report/rate_plot.h"
#include "report/report_json.h"
#include "report/worst_frames.h"
#include "report/worst_section.h"
#include "report_page.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

std::string layout_text(VmafPixelFormat pix_fmt)
{
    const std::string_view digits = pixel_format_text(pix_fmt);
    return pix_fmt == VMAF_PIX_FMT_UNKNOWN ? std::string(digits)
                                           : formatted("{}:{}:{}", digits[0], digits[1], digits[2]);
}

/// "–" of a format that is not known.
std::string format_text(const VideoFormat &format)
{
    if (format.width_px == 0)
        return "–";
    return formatted("{}×{}, {}, {} bit", format.width_px, format.height_px, layout_text(format.pix_fmt), format.depth);
}

/// Files' names without their folders where that tells them apart.
std::vector<std::string> labels_of(const std::vector<ReportEncode> &encodes)
{
    std::multiset<std::string> names;
    for (const ReportEncode &encode : encodes)
        names.insert(base_name(encode.video.path));
    std::vector<std::string> labels;
    for (const ReportEncode &encode : encodes) {
        const std::string name = base_name(encode.video.path);
        labels.push_back(names.count(name) == 1 ? name : encode.video.path);
    }
    return labels;
}

Encodes summed(const ReportData &data)
{
    Encodes result;
    const std::vector<std::string> labels = labels_of(data.encodes);
    for (std::size_t i = 0; i < data.encodes.size(); ++i) {
        SummedEncode encode{&data.encodes[i], labels[i], {}};
        for (const ScoreColumn &column : data.encodes[i].scores.metrics)
            encode.pooled.push_back(statistics_of(column.scores));
        result.push_back(std::move(encode));
    }
    return result;
}

bool is_model(const ReportData &data, std::string_view metric)
{
    return std::ranges::find(data.models, metric, &ReportModel::name) != data.models.end();
}

/// Formats in which encodes were scored, each once.
std::string scored_formats(const ReportData &data)
{
    std::vector<std::string> formats;
    for (const ReportEncode &encode : data.encodes)
        if (const std::string text = format_text(encode.scored);
            encode.scored.width_px > 0 && std::ranges::find(formats, text) == formats.end())
            formats.push_back(text);
    std::string all;
    for (const std::string &text : formats)
        all += formatted("{}{}", all.empty() ? "" : ", ", text);
    return all;
}

std::string facts(const ReportData &data)
{
    std::size_t frames = 0;
    for (const ReportEncode &encode : data.encodes)
        frames += encode.scores.frames.size();
    std::string text;
    const auto add = [&text](const std::string &fact) {
        if (!fact.empty())
            text += formatted("<span>{}</span> ", escaped(fact));
    };
    add(data.date);
    add(data.wall_seconds > 0 ? formatted("{} scored in {:.2f} s", counted(frames, "frame"), data.wall_seconds)
                              : counted(frames, "frame"));
    add(scored_formats(data));
    add(data.device);
    add(formatted("vmaf {}", data.version));
    return text;
}

std::string banner(const ReportData &data, const Encodes &encodes)
{
    std::string text;
    for (const SummedEncode &encode : encodes) {
        const auto &incomplete = encode.encode->incomplete;
        if (!incomplete)
            continue;
        const std::string which = data.encodes.size() > 1 ? escaped(encode.label) + ": " : "";
        text += formatted(
            "<div class=\"banner\" role=\"alert\"><strong>{}Incomplete: {}.</strong> Scoring stopped after {}. "
            "Everything below covers only what was scored.</div>\n",
            which, reason_text(incomplete->reason), counted(incomplete->frames, "frame"));
    }
    return text;
}

std::string warnings(const std::vector<std::string> &lines)
{
    if (lines.empty())
        return {};
    std::string items;
    for (const std::string &line : lines)
        items += formatted("<li>{}</li>", escaped(line));
    return formatted("<section class=\"warnings\"><strong>{}</strong><ul>{}</ul></section>\n",
                     lines.size() == 1 ? "A warning" : "Warnings", items);
}

/// Note for an infinite mean.
std::string infinite_scores(const Encodes &encodes)
{
    std::string text;
    for (const SummedEncode &encode : encodes)
        for (const std::string &note : notes_of_infinite_scores(encode.encode->scores))
            text += formatted("<p class=\"note\">{}{}</p>\n", encodes.size() > 1 ? escaped(encode.label) + ": " : "",
                              escaped(note));
    return text;
}

std::string overview(const ReportData &data, const Encodes &encodes)
{
    if (encodes.size() == 1)
        return cards(data, encodes.front()) + infinite_scores(encodes);
    std::vector<std::string> metrics;
    for (const ReportModel &model : data.models)
        if (column_named(encodes.front(), model.name))
            metrics.push_back(model.name);
    if (const ScoreColumn *column = main_column(data, encodes.front().encode->scores); metrics.empty() && column)
        metrics.push_back(column->name);
    const auto is_shown = [&](const std::string &metric) {
        return std::ranges::find(metrics, metric) != metrics.end();
    };
    std::vector<std::string> features;
    std::ranges::remove_copy_if(data.features, std::back_inserter(features), is_shown);
    return ladder_table(encodes, metrics, features) + infinite_scores(encodes) + rate_section(encodes, metrics);
}

bool misses_scores(const SummedEncode &encode)
{
    return std::ranges::any_of(encode.pooled, [](const Statistics &of) { return of.missing > 0; });
}

std::string summary_row(const ReportData &data, const SummedColumn &summed, bool with_missing)
{
    const std::string &name = summed.column.name;
    std::string row =
        formatted("<tr{}><th scope=\"row\">{}</th>", is_model(data, name) ? " class=\"model\"" : "", escaped(name));
    for (const TableStatistic &statistic : kTableStatistics)
        row += formatted("<td>{}</td>", number_text(summed.of(statistic), 4));
    if (with_missing)
        row += formatted("<td>{}</td>", summed.statistics.missing);
    return row + "</tr>\n";
}

bool was_asked_for(const ReportData &data, std::string_view metric)
{
    return is_model(data, metric) || std::ranges::find(data.features, metric) != data.features.end();
}

/// @param name tells it from others.
std::string table_of_statistics(const std::string &name, const std::string &rows, bool with_missing)
{
    std::string heads = "<th scope=\"col\">metric</th>";
    for (const TableStatistic &statistic : kTableStatistics)
        heads += formatted("<th scope=\"col\">{}</th>", statistic.heading);
    if (with_missing)
        heads += "<th scope=\"col\">nan</th>";
    return formatted("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"><table "
                     "class=\"summary\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
                     escaped(name), heads, rows);
}

/// spec cli 10.2: every column, then the values of the whole clip. Models come first; what was not
/// asked for is folded away.
std::string summary_table(const ReportData &data, const SummedEncode &encode)
{
    const bool with_missing = misses_scores(encode);
    std::string models, others, ingredients;
    for (std::size_t i = 0; i < encode.pooled.size(); ++i) {
        const SummedColumn summed = summed_column(encode, i);
        const std::string &name = summed.column.name;
        std::string &rows = is_model(data, name) ? models : was_asked_for(data, name) ? others : ingredients;
        rows += summary_row(data, summed, with_missing);
    }
    if (models.empty() && others.empty())
        others = std::exchange(ingredients, {});
    for (const AggregateScore &aggregate : encode.encode->scores.aggregates)
        others +=
            formatted("<tr class=\"aggregate\"><th scope=\"row\">{}</th><td>{}</td><td colspan=\"{}\">of the whole "
                      "clip</td></tr>\n",
                      escaped(aggregate.name), number_text(aggregate.value, 4),
                      std::size(kTableStatistics) - 1 + (with_missing ? 1 : 0));
    std::string text = table_of_statistics("statistics of " + encode.label, models + others, with_missing);
    if (!ingredients.empty())
        text +=
            formatted("<details><summary>Features inside the models</summary>\n{}</details>\n",
                      table_of_statistics("features inside the models, " + encode.label, ingredients, with_missing));
    return text;
}

std::string summary(const ReportData &data, const Encodes &encodes)
{
    const auto table = [&](const SummedEncode &encode) { return summary_table(data, encode); };
    const std::size_t frames = encodes.front().encode->scores.frames.size();
    return formatted("<section class=\"panel\" id=\"summary\"><div class=\"head\"><h2>Summary</h2><p "
                     "class=\"tools\">{}</p></div>\n{}</section>\n",
                     encodes.size() == 1 ? counted(frames, "frame") : "", part_of_each(encodes, table));
}

std::string input_row(const std::string &side, const ReportVideo &video)
{
    std::string conversions;
    for (const std::string &line : video.conversions)
        conversions += formatted("{}{}", conversions.empty() ? "" : "<br>", escaped(line));
    return formatted("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n", side,
                     escaped(video.path), format_text(video.format),
                     video.frames_per_second ? formatted("{:.6g} fps", *video.frames_per_second) : "–",
                     conversions.empty() ? "none" : conversions);
}

std::string inputs(const ReportData &data, const Encodes &encodes)
{
    const bool is_one = encodes.size() == 1;
    std::string rows = data.reference.path.empty() ? "" : input_row("reference", data.reference);
    for (std::size_t i = 0; i < encodes.size(); ++i)
        rows += input_row(is_one ? "distorted" : swatch(i) + "distorted", encodes[i].encode->video);
    std::string models;
    for (const ReportModel &model : data.models)
        models +=
            formatted("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", escaped(model.name), escaped(model.label));
    if (!models.empty())
        models = formatted("<h3>Models</h3><table class=\"pairs\"><tbody>\n{}</tbody></table>\n", models);
    models += meanings_html(data);
    std::string decisions;
    for (const SummedEncode &encode : encodes)
        decisions += decisions_html(encode.encode->decisions, is_one ? "How the videos were matched"
                                                                     : "How the videos were matched: " + encode.label);
    std::string scored_as = scored_formats(data);
    if (!scored_as.empty())
        scored_as = formatted("<p class=\"note\">Scored as {}.</p>", scored_as);
    return formatted(
        "<section class=\"panel\" id=\"inputs\"><div class=\"head\"><h2>Inputs</h2></div><div class=\"scroll\" "
        "tabindex=\"0\" role=\"region\" aria-label=\"files\"><table "
        "class=\"pairs\"><thead><tr><th scope=\"col\">video</th><th scope=\"col\">file</th><th "
        "scope=\"col\">format</th><th "
        "scope=\"col\">frame rate</th><th scope=\"col\">conversions</th></tr></thead><tbody>\n{}</tbody></table>"
        "</div>{}{}</section>\n",
        rows, scored_as + decisions, models);
}

std::string heading(const ReportData &data)
{
    if (data.encodes.size() == 1)
        return base_name(data.encodes.front().video.path);
    const std::string encodes = formatted("{} encodes", data.encodes.size());
    return data.reference.path.empty() ? encodes : formatted("{} of {}", encodes, base_name(data.reference.path));
}

} // namespace

std::string html_report(const ReportData &data)
{
    const Encodes encodes = summed(data);
    const bool is_ladder = encodes.size() > 1;
    return filled(kReportPage,
                  {{"title", escaped(heading(data) + " – VMAF report")},
                   {"version", escaped(data.version)},
                   {"heading", formatted("<bdi>{}</bdi>", escaped(heading(data)))},
                   {"against", is_ladder || data.reference.path.empty()
                                   ? ""
                                   : formatted("against <bdi>{}</bdi>", escaped(base_name(data.reference.path)))},
                   {"facts", facts(data)},
                   {"banner", banner(data, encodes)},
                   {"warnings", warnings(data.warnings)},
                   {"overview", overview(data, encodes)},
                   {"lag", lag_section(encodes)},
                   {"summary", summary(data, encodes)},
                   {"worst", worst_section(data, encodes)},
                   {"inputs", inputs(data, encodes)},
                   {"footer", formatted("Written by vmaf {}.", escaped(data.version))},
                   {"data", report_json(data, encodes)}});
}

} // namespace vmaf::tool
