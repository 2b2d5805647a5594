#include "report/meanings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "common/format.h"
#include "library/lists.h"
#include "report/html_text.h"

namespace vmaf::tool {
namespace {

/// Models whose scores follow the votes of viewers of 1080p, three picture heights away.
bool follows_votes(std::string_view label)
{
    return label == "vmaf_v0.6.1" || label == "vmaf_float_v0.6.1";
}

struct Scale {
    std::string_view column;
    std::string_view text;
};

constexpr std::array kScales{
    Scale{"ssimulacra2", "100 is identical, 90 visually lossless, 70 high, 50 medium and 30 low quality (README of "
                         "SSIMULACRA 2, Cloudinary)."},
    Scale{"butteraugli_3norm",
          "Lower is better: 0 is identical, about 1 just noticeable (README of Butteraugli, Google)."},
    Scale{"cvvdp", "10 is identical. With one less, three of four viewers prefer the reference (Mantiuk and others, "
                   "ColorVideoVDP, 2024)."},
    Scale{"cambi", "Lower is better: 0 is no banding, about 5 begins to annoy, 24 is unwatchable (Netflix Technology "
                   "Blog, CAMBI, 2021)."},
};

std::string paragraph(std::string_view name, std::string_view text)
{
    return formatted("<p class=\"note\"><b>{}</b>: {}</p>\n", escaped(name), escaped(text));
}

bool has_column(const ReportData &data, std::string_view name)
{
    const ScoreColumns &scores = data.encodes.front().scores;
    return scores.metric(name) != nullptr ||
           std::ranges::find(scores.aggregates, name, &AggregateScore::name) != scores.aggregates.end();
}

} // namespace

std::string meaning(std::string_view label, double score)
{
    constexpr std::array kWords{"bad", "poor", "fair", "good", "excellent"}; // 20, 40, 60, 80, 100
    if (!follows_votes(label) || !std::isfinite(score))
        return {};
    if (score < 20)
        return "worse than bad";
    const double place = (score - 20) / 20;
    const auto below = std::min(static_cast<std::size_t>(place), kWords.size() - 1);
    return place == std::floor(place) || below + 1 == kWords.size()
               ? kWords[below]
               : formatted("between {} and {}", kWords[below], kWords[below + 1]);
}

std::string meanings_html(const ReportData &data)
{
    std::string text;
    for (const ReportModel &model : data.models)
        if (const VmafModelInfo *info = find_model_info(model.label))
            text += paragraph(model.name, info->help);
    if (std::ranges::any_of(data.models, follows_votes, &ReportModel::label))
        text += "<p class=\"note\">Scores of vmaf_v0.6.1 follow the votes of viewers three picture heights from a "
                "1080p screen: 20 bad, 40 poor, 60 fair, 80 good, 100 excellent (Netflix Technology Blog, VMAF: The "
                "Journey Continues, 2018).</p>\n";
    for (const auto &[column, scale] : kScales)
        if (has_column(data, column))
            text += paragraph(column, scale);
    return text;
}

} // namespace vmaf::tool
