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
#include "report/decisions.h"
#include "report/html_parts.h"
#include "report/html_text.h"
#include "report/ladder_section.h"
#include "report/lag_plot.h"
#include "report/meanings.h"
#include "report/rate_plot.h"
#include "report/report_json.h"
#include "report/worst_frames.h"
#include "report_page.h"
#include "scores/statistics.h"

namespace vmaf::tool {
namespace {

/// h:mm:ss.cc, without hours that are none.
std::string clock_text(double seconds)
{
    const auto hundredths = static_cast<unsigned long long>(std::llround(std::max(0.0, seconds) * 100));
    const auto minutes = hundredths / 6000;
    const std::string rest = formatted("{:02}.{:02}", hundredths / 100 % 60, hundredths % 100);
    return minutes < 60 ? formatted("{}:{}", minutes, rest)
                        : formatted("{}:{:02}:{}", minutes / 60, minutes % 60, rest);
}

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

/// "lowest" or "highest": which of a column's scores are the worst.
const char *worst_end(const ScoreColumn &column)
{
    return column.better == VMAF_DIRECTION_LOWER ? "highest" : "lowest";
}
const char *best_end(const ScoreColumn &column)
{
    return column.better == VMAF_DIRECTION_LOWER ? "lowest" : "highest";
}

/// The main metric's, or else the first there is; null: there is none.
const ScoreColumn *main_column(const ReportData &data, const ScoreColumns &scores)
{
    if (const ScoreColumn *column = scores.metric(data.main_metric))
        return column;
    return scores.metrics.empty() ? nullptr : &scores.metrics.front();
}

bool is_model(const ReportData &data, std::string_view metric)
{
    return std::ranges::find(data.models, metric, &ReportModel::name) != data.models.end();
}

struct Clock {
    std::optional<double> frames_per_second;

    std::string at(unsigned frame) const
    {
        return frames_per_second && *frames_per_second > 0 ? clock_text(frame / *frames_per_second) : "";
    }
};

Clock clock_of(const ReportData &data, const ReportEncode &encode)
{
    return {data.reference.frames_per_second ? data.reference.frames_per_second : encode.video.frames_per_second};
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
            "<div class=\"banner\" role=\"alert\"><strong>{}Incomplete: {}.</strong> Scoring stopped after {}; "
            "everything below is of these alone.</div>\n",
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

/// The spread of a score as a strip: all of it, its worse half without the worst 5 %, the mean.
/// Empty: it has no ends.
std::string range_strip(const SummedColumn &summed)
{
    const Statistics &of = summed.statistics;
    if (!std::isfinite(of.min) || !std::isfinite(of.max))
        return {};
    const double worst = summed.of(kTableWorst5);
    const bool starts_at_0 = of.min >= 0 && of.max <= 100;
    const double low = starts_at_0 ? 0 : of.min;
    const double high = !starts_at_0 ? of.max : of.max <= 1 ? 1 : 100;
    const auto place = [&](double value) { return high > low ? (value - low) / (high - low) * 100 : 50; };
    const auto bar = [&](const char *kind, double from, double to, double y, double height) {
        return formatted(R"(<rect class="{}" x="{:.2f}" y="{}" width="{:.2f}" height="{}"/>)", kind, place(from), y,
                         std::max(0.4, place(to) - place(from)), height);
    };
    const std::string title =
        formatted("min {:.2f}, worst 5 % {:.2f}, median {:.2f}, max {:.2f} of {:g} to {:g}; the upright line is the "
                  "mean",
                  of.min, worst, of.median, of.max, low, high);
    return formatted(
        R"(<svg class="range" viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label="{0}"><title>{0}</title>{1}{2}{3}{4}</svg>)",
        title, R"(<rect class="scale" x="0" y="4" width="100" height="8"/>)", bar("reach", of.min, of.max, 4, 8),
        bar("core", std::min(worst, of.median), std::max(worst, of.median), 4, 8),
        formatted(R"(<rect class="mean" x="{:.2f}" y="1" width="0.6" height="14"/>)",
                  std::clamp(place(of.mean) - 0.3, 0.0, 99.4)));
}

std::string card(const std::string &name, const std::string &label, const SummedColumn &summed)
{
    std::string text = formatted("<article class=\"card\"><div class=\"name\">{}</div>", escaped(name));
    if (!label.empty() && label != name)
        text += formatted("<div class=\"label\">{}</div>", escaped(label));
    text += formatted("<div class=\"score\">{} <small>mean</small></div>", score_text(summed.of(kTableMean)));
    if (const std::string words = meaning(label, summed.of(kTableMean)); !words.empty())
        text += formatted("<div class=\"label\">{}</div>", words);
    text += range_strip(summed) + "<dl>";
    for (const TableStatistic &statistic : {kTableHarmonicMean, kTableWorst5, kTableWorst1, kTableWorst})
        text += formatted("<dt>{}</dt><dd>{}</dd>", statistic.heading, score_text(summed.of(statistic)));
    return text + "</dl></article>\n";
}

/// What was asked for besides models.
std::string features_card(const std::vector<std::string> &features, const SummedEncode &encode)
{
    std::string rows;
    for (const std::string &metric : features)
        if (const auto summed = column_named(encode, metric)) {
            rows += formatted("<tr><th scope=\"row\">{}</th>", escaped(metric));
            for (const TableStatistic &statistic : {kTableMean, kTableWorst5, kTableWorst})
                rows += formatted("<td>{}</td>", score_text(summed->of(statistic)));
            rows += "</tr>\n";
        }
    if (rows.empty())
        return {};
    return formatted("<article class=\"card\"><table class=\"features\"><thead><tr><th scope=\"col\">feature</th><th "
                     "scope=\"col\">mean</th><th scope=\"col\">worst 5 %</th><th scope=\"col\">worst</th></tr></thead>"
                     "<tbody>\n{}</tbody></table></article>\n",
                     rows);
}

/// What is said of no metric in particular.
std::string clip_card(const ReportData &data, const SummedEncode &encode)
{
    const ScoreColumns &scores = encode.encode->scores;
    const Clock clock = clock_of(data, *encode.encode);
    std::string rows;
    const auto add = [&rows](const char *title, const std::string &text) {
        rows += formatted("<dt>{}</dt><dd>{}</dd>", title, text);
    };
    add("frames", formatted("{}", scores.frames.size()));
    if (!scores.frames.empty() && clock.frames_per_second)
        add("length", clock.at(scores.frames.back() + 1));
    if (encode.encode->video.bits_per_second)
        add("bitrate", bitrate_text(*encode.encode->video.bits_per_second));
    if (data.wall_seconds > 0) {
        const double speed = static_cast<double>(scores.frames.size()) / data.wall_seconds;
        add("speed", formatted("{} frames/s", number_text(speed, speed < 100 ? 1 : 0)));
    }
    const ScoreColumn *column = main_column(data, scores);
    if (const auto worst = column ? spaced_worst_frames(*column, scores.frames, 1, 1) : std::vector<std::size_t>{};
        !worst.empty()) {
        const unsigned frame = scores.frames[worst.front()];
        add("worst", formatted("<button type=\"button\" class=\"go\" data-frame=\"{0}\">frame {0}</button> {1}", frame,
                               clock.at(frame)));
    }
    return formatted("<article class=\"card\"><div class=\"name\">clip</div><dl class=\"pairs\">{}</dl></article>\n",
                     rows);
}

/// One encode: what its models say, and the features that were asked for.
std::string cards(const ReportData &data, const SummedEncode &encode)
{
    std::string text;
    for (const ReportModel &model : data.models)
        if (const auto summed = column_named(encode, model.name))
            text += card(model.name, model.label, *summed);
    text += features_card(data.features, encode);
    const ScoreColumn *column = main_column(data, encode.encode->scores);
    if (text.empty() && column)
        text = card(column->name, "", *column_named(encode, column->name));
    if (!text.empty())
        text += clip_card(data, encode);
    return text.empty() ? "" : formatted("<section class=\"cards\" aria-label=\"scores\">\n{}</section>\n", text);
}

/// What stands beside an infinite mean.
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

std::string table_of_statistics(const std::string &rows, bool with_missing)
{
    std::string heads = "<th scope=\"col\">metric</th>";
    for (const TableStatistic &statistic : kTableStatistics)
        heads += formatted("<th scope=\"col\">{}</th>", statistic.heading);
    if (with_missing)
        heads += "<th scope=\"col\">nan</th>";
    return formatted("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"statistics\"><table "
                     "class=\"summary\"><thead><tr>{}</tr></thead><tbody>\n{}</tbody></table></div>\n",
                     heads, rows);
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
    std::string text = table_of_statistics(models + others, with_missing);
    if (!ingredients.empty())
        text += formatted("<details><summary>What models are made of</summary>\n{}</details>\n",
                          table_of_statistics(ingredients, with_missing));
    return text;
}

/// Parts of which the page's script shows the chosen encode's alone.
template <class Make> std::string part_of_each(const Encodes &encodes, Make make)
{
    if (encodes.size() == 1)
        return make(encodes.front());
    std::string text;
    for (std::size_t i = 0; i < encodes.size(); ++i)
        text += formatted("<div data-encode=\"{}\"><h3>{}{}</h3>\n{}</div>\n", i, swatch(i), escaped(encodes[i].label),
                          make(encodes[i]));
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

std::string worst_list(const ScoreColumns &scores, const ScoreColumn &column, const Clock &clock)
{
    std::string items;
    for (const std::size_t i :
         spaced_worst_frames(column, scores.frames, kListedWorstFrames, worst_frame_gap(clock.frames_per_second)))
        items += formatted("<li><button type=\"button\" class=\"go\" data-frame=\"{0}\">frame {0}</button><span "
                           "class=\"time\">{1}</span><span class=\"value\">{2}</span></li>\n",
                           scores.frames[i], clock.at(scores.frames[i]), number_text(column.scores[i], 4));
    return items;
}

/// @param place of the crop in the picture, as an element; may be empty.
std::string picture(const char *kind, const std::string &caption, unsigned frame, const std::string &png,
                    const std::string &place = "")
{
    return formatted("<figure><button type=\"button\" class=\"look\" data-look=\"{0}\"><img alt=\"{0}, frame {1}\" "
                     "src=\"data:image/png;base64,{2}\">{3}</button><figcaption>{4}</figcaption></figure>",
                     kind, frame, base64(png), place, caption);
}

/// Where the crop is in pictures of the whole frame; empty if it is all of it.
std::string place_of(PixelRect crop, const VideoFormat &of)
{
    if (crop.width == 0 || (crop.width == of.width_px && crop.height == of.height_px))
        return {};
    const auto share = [](unsigned part, unsigned all) { return 100.0 * part / all; };
    return formatted("<i style=\"left:{:.2f}%;top:{:.2f}%;width:{:.2f}%;height:{:.2f}%\"></i>",
                     share(crop.left, of.width_px), share(crop.top, of.height_px), share(crop.width, of.width_px),
                     share(crop.height, of.height_px));
}

std::string picture_article(const FramePictures &pictures, const ReportEncode &encode, const ScoreColumn &column,
                            const Clock &clock)
{
    const auto row = std::ranges::lower_bound(encode.scores.frames, pictures.frame);
    const auto index = static_cast<std::size_t>(row - encode.scores.frames.begin());
    const double score = index < column.scores.size() ? column.scores[index] : Statistics::kNone;
    const std::string place = place_of(pictures.crop, encode.scored);
    const std::string crop = place.empty() ? ""
                                           : formatted(", {}×{} at {}, {}", pictures.crop.width, pictures.crop.height,
                                                       pictures.crop.left, pictures.crop.top);
    return formatted(
        "<article><p class=\"where\"><button type=\"button\" class=\"go\" data-frame=\"{0}\">frame {0}</button>"
        " <span class=\"note\">{1}</span> <b>{2}</b></p><div class=\"views\">{3}{4}<div>{5}{6}</div></div></article>\n",
        pictures.frame, clock.at(pictures.frame), number_text(score, 2),
        picture("reference", "reference" + crop, pictures.frame, pictures.reference),
        picture("distorted", "distorted" + crop, pictures.frame, pictures.distorted),
        picture("whole", "distorted, the whole frame", pictures.frame, pictures.whole, place),
        picture("difference", formatted("difference × {}", kDifferenceGain), pictures.frame, pictures.difference,
                place));
}

std::string pictures_of(const ReportData &data, const ReportEncode &encode)
{
    const ScoreColumn *column = main_column(data, encode.scores);
    std::string articles;
    for (const FramePictures &pictures : encode.pictures)
        if (column)
            articles += picture_article(pictures, encode, *column, clock_of(data, encode));
    std::string text;
    if (!articles.empty())
        text = formatted("<h3>Pictures: the {} of {}</h3><div class=\"pictures\">\n{}</div>\n", worst_end(*column),
                         escaped(column->name), articles);
    if (!encode.no_pictures.empty())
        text += formatted("<p class=\"note\">{}</p>\n", escaped(encode.no_pictures));
    return text;
}

/// Pictures of the worst frames by the main metric. The list below follows the choice on the page.
std::string worst(const ReportData &data, const Encodes &encodes)
{
    const ScoreColumn *column = main_column(data, encodes.front().encode->scores);
    if (!column)
        return {};
    std::string lists;
    for (std::size_t i = 0; i < encodes.size(); ++i) {
        const ReportEncode &encode = *encodes[i].encode;
        const ScoreColumn *own = main_column(data, encode.scores);
        if (own && i == 0)
            lists += formatted("<ol class=\"worst-list\" id=\"worst-list\">\n{}</ol>\n",
                               worst_list(encode.scores, *own, clock_of(data, encode)));
        else if (own)
            lists += formatted(
                "<div data-encode=\"{}\" class=\"unscripted\"><h3>{}{}</h3><ol class=\"worst-list\">\n{}</ol></div>\n",
                i, swatch(i), escaped(encodes[i].label), worst_list(encode.scores, *own, clock_of(data, encode)));
    }
    const auto pictures = [&](const SummedEncode &encode) { return pictures_of(data, *encode.encode); };
    return formatted("<section class=\"panel\" id=\"worst\"><div class=\"head\"><h2>Worst frames</h2><p "
                     "class=\"tools\"><span>at least "
                     "a second apart; click one to see it in the plot</span></p></div>\n{}<div class=\"head\"><h3>The "
                     "<span id=\"worst-order\">{}</span> of <span id=\"worst-metric\">{}</span></h3><p "
                     "class=\"tools live\"><button "
                     "type=\"button\" id=\"other-end\">show the {}</button></p></div>\n{}</section>\n",
                     part_of_each(encodes, pictures), worst_end(*column), escaped(column->name), best_end(*column),
                     lists);
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
        decisions += decisions_html(encode.encode->decisions,
                                    is_one ? "What was decided" : "What was decided about " + encode.label);
    std::string scored_as = scored_formats(data);
    if (!scored_as.empty())
        scored_as = formatted("<p class=\"note\">Scored as {}.</p>", scored_as);
    return formatted(
        "<section class=\"panel\" id=\"inputs\"><div class=\"head\"><h2>Inputs</h2></div><div class=\"scroll\"><table "
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
                   {"worst", worst(data, encodes)},
                   {"inputs", inputs(data, encodes)},
                   {"footer", formatted("Written by vmaf {}.", escaped(data.version))},
                   {"data", report_json(data, encodes)}});
}

} // namespace vmaf::tool
