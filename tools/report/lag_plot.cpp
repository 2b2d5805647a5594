#include "report/lag_plot.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "common/format.h"
#include "report/axis.h"
#include "report/html_text.h"

namespace vmaf::tool {
namespace {

constexpr double kLagWidth = 640, kLagHeight = 190;
constexpr double kLagLeft = 46, kLagRight = 14, kLagTop = 12, kLagBottom = 32;
constexpr std::size_t kMostRuns = 200; ///< more are drawn as a band, and not listed
constexpr std::size_t kMostNumbers = 60;

std::string frames_text(const LagRun &run)
{
    return run.first == run.last ? formatted("{}", run.first) : formatted("{} to {}", run.first, run.last);
}

struct Plot {
    Axis frames, lags;

    explicit Plot(std::span<const LagRun> runs)
    {
        const auto [least, most] = std::ranges::minmax_element(runs, {}, &LagRun::lag);
        frames = {runs.front().first - 0.5, runs.back().last + 0.5, kLagLeft, kLagWidth - kLagRight};
        lags = {least->lag - 1., most->lag + 1., kLagHeight - kLagBottom, kLagTop};
    }
    double x(double frame) const { return frames.place(frame); }
    double y(int lag) const { return lags.place(lag); }
    int column(unsigned frame) const { return static_cast<int>(x(frame)); }
};

std::string grid(const Plot &plot)
{
    std::string svg;
    for (const double lag : marks(plot.lags, 4))
        if (lag == std::round(lag))
            svg += formatted(R"(<path class="grid" d="M{0:.1f} {1:.1f}H{2:.1f}"/>)"
                             R"(<text x="{3:.1f}" y="{4:.1f}" text-anchor="end">{5}</text>)",
                             kLagLeft, plot.y(static_cast<int>(lag)), kLagWidth - kLagRight, kLagLeft - 7,
                             plot.y(static_cast<int>(lag)) + 4, static_cast<int>(lag));
    for (const double frame : marks(plot.frames, 6))
        if (frame == std::round(frame))
            svg += formatted(R"(<path class="grid" d="M{0:.1f} {1:.1f}v4"/>)"
                             R"(<text x="{0:.1f}" y="{2:.1f}" text-anchor="middle">{3}</text>)",
                             plot.x(frame), kLagHeight - kLagBottom, kLagHeight - kLagBottom + 18,
                             static_cast<unsigned>(frame));
    return svg;
}

/// Steps from run to run.
std::string steps(std::span<const LagRun> runs, const Plot &plot)
{
    std::string path;
    const LagRun *before = nullptr;
    for (const LagRun &run : runs) {
        const double from = plot.x(run.first - 0.5), y = plot.y(run.lag);
        path += before != nullptr && before->last + 1 == run.first ? formatted("V{:.1f}", y)
                                                                   : formatted("M{:.1f} {:.1f}", from, y);
        path += formatted("H{:.1f}", plot.x(run.last + 0.5));
        before = &run;
    }
    return path;
}

/// Least and greatest lag of each column of pixels, and its last run.
std::string band(std::span<const LagRun> runs, const Plot &plot)
{
    std::string path;
    for (std::size_t i = 0; i < runs.size();) {
        const std::size_t first = i;
        int least = runs[i].lag, most = least;
        for (; i < runs.size() && plot.column(runs[i].first) == plot.column(runs[first].first); ++i) {
            least = std::min(least, runs[i].lag);
            most = std::max(most, runs[i].lag);
        }
        const LagRun &last = runs[i - 1];
        path += formatted("M{0:.1f} {1:.1f}V{2:.1f}M{0:.1f} {3:.1f}H{4:.1f}", plot.x(runs[first].first), plot.y(most),
                          plot.y(least), plot.y(last.lag), plot.x(last.last + 0.5));
    }
    return path;
}

/// Marks at the frames where the lag changes.
std::string edits(std::span<const LagRun> runs, const Plot &plot)
{
    std::string dots;
    for (std::size_t i = 1; i < runs.size(); ++i) {
        const LagRun &before = runs[i - 1], &run = runs[i];
        if (run.first != before.last + 1)
            continue;
        const bool is_repeat = run.lag > before.lag;
        dots += formatted(
            R"(<circle class="f{}" cx="{:.1f}" cy="{:.1f}" r="4"><title>{}: {}, then {}</title></circle>)",
            is_repeat ? 0 : 1, plot.x(run.first), plot.y(run.lag),
            is_repeat ? formatted("frame {} repeats", run.first) : formatted("dropped before frame {}", run.first),
            step_text(before.lag), step_text(run.lag));
    }
    return dots;
}

std::string figure(const std::string &label, const ReportLag &lag)
{
    const Plot plot(lag.runs);
    const bool is_dense = lag.runs.size() > kMostRuns;
    const std::string title = label + ": how many frames late";
    return formatted(R"(<figure><figcaption>{0}, over its frames</figcaption>)"
                     R"(<svg class="rate lag" viewBox="0 0 {1} {2}" role="img" aria-label="{0}">{3})"
                     R"(<path class="path" d="{4}"/>{5}</svg></figure>)",
                     escaped(title), kLagWidth, kLagHeight, grid(plot),
                     is_dense ? band(lag.runs, plot) : steps(lag.runs, plot), is_dense ? "" : edits(lag.runs, plot));
}

std::string numbers_row(const char *heading, std::span<const unsigned> numbers)
{
    if (numbers.empty())
        return {};
    std::string text;
    for (std::size_t i = 0; i < std::min(numbers.size(), kMostNumbers); ++i)
        text += formatted("{}{}", i == 0 ? "" : ", ", numbers[i]);
    if (numbers.size() > kMostNumbers)
        text += formatted(" and {} more", numbers.size() - kMostNumbers);
    return formatted("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", heading, text);
}

std::string as_text(const std::string &label, const ReportLag &lag)
{
    const bool is_edited = lag.runs.size() > 1;
    const std::string how = !lag.is_applied ? "Frames were compared by number."
                            : is_edited     ? "Each frame was compared with the reference frame that it shows."
                                            : "The lag was applied to all frames.";
    std::string rows;
    for (std::size_t i = 0; i < std::min(lag.runs.size(), kMostRuns); ++i)
        rows += formatted("<tr><th scope=\"row\">{}</th><td>{}</td></tr>\n", frames_text(lag.runs[i]),
                          step_text(lag.runs[i].lag));
    if (lag.runs.size() > kMostRuns)
        rows += formatted("<tr><td colspan=\"2\">and {} more</td></tr>\n", lag.runs.size() - kMostRuns);
    return formatted("<div><p>{} is {}{}; {} dropped, {} repeated. {}</p>\n<details{}><summary>The "
                     "same as text</summary>"
                     "<table class=\"pairs\"><tbody>\n{}{}</tbody></table>\n<table "
                     "class=\"pairs\"><thead><tr><th "
                     "scope=\"col\">frames</th><th "
                     "scope=\"col\">lag</th></tr></thead><tbody>\n{}</tbody></table>"
                     "</details></div>",
                     escaped(label), step_text(lag.runs.front().lag), is_edited ? " at its start" : "",
                     counted(lag.dropped.size(), "frame"), counted(lag.repeated.size(), "frame"), how,
                     lag.runs.size() <= 8 ? " open" : "", numbers_row("dropped from the reference", lag.dropped),
                     numbers_row("repeated", lag.repeated), rows);
}

} // namespace

std::optional<ReportLag> report_lag(const Pairing &pairing, std::size_t frames)
{
    ReportLag lag{{}, pairing.dropped, pairing.repeated, pairing.method != nullptr};
    for (const auto &[dis, ref] : pairing.pairs) {
        const int late = static_cast<int>(dis) - static_cast<int>(ref);
        if (!lag.runs.empty() && lag.runs.back().last + 1 == dis && lag.runs.back().lag == late)
            lag.runs.back().last = dis;
        else
            lag.runs.push_back({dis, dis, late});
    }
    if (const int late = pairing.lag.value_or(0); lag.runs.empty() && late != 0 && frames > 0) {
        const auto first = static_cast<unsigned>(std::max(late, 0));
        lag.runs.push_back({first, first + static_cast<unsigned>(frames) - 1, late});
    }
    const auto is_late = [](const LagRun &run) { return run.lag != 0; };
    if (std::ranges::none_of(lag.runs, is_late))
        return std::nullopt;
    return lag;
}

std::string lag_section(std::span<const SummedEncode> encodes)
{
    std::string parts;
    for (const SummedEncode &encode : encodes)
        if (const auto &lag = encode.encode->lag)
            parts += formatted("<div class=\"figures\">{}{}</div>\n", figure(encode.label, *lag),
                               as_text(encode.label, *lag));
    if (parts.empty())
        return {};
    return formatted("<section class=\"panel\" id=\"lag\"><div "
                     "class=\"head\"><h2>Lag</h2><p class=\"tools\"><span><i "
                     "class=\"swatch k1\"></i>frames dropped</span><span><i "
                     "class=\"swatch k0\"></i>frames "
                     "repeated</span></p></div>\n{}</section>\n",
                     parts);
}

} // namespace vmaf::tool
