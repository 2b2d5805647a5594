#include "report/cards.h"

#include <algorithm>
#include <cmath>

#include "common/format.h"
#include "report/html_text.h"
#include "report/meanings.h"
#include "report/rate_plot.h"
#include "report/worst_frames.h"

namespace vmaf::tool {
namespace {

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
        formatted("min {:.2f}, worst 5 % {:.2f}, median {:.2f}, max {:.2f} of {:g} to {:g}; the vertical line is the "
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

/// The card of features that the user named, besides models.
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

/// The card of facts that belong to no single metric.
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

} // namespace

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

} // namespace vmaf::tool
