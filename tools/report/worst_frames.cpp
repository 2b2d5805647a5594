#include "report/worst_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "common/format.h"
#include "common/printable.h"
#include "report/text_table.h"

namespace vmaf::tool {
namespace {

std::string time_text(double seconds)
{
    const auto whole_ms = static_cast<std::uint64_t>(std::llround(seconds * 1000));
    return formatted("{}:{:02}:{:02}.{:03}", whole_ms / 3'600'000, whole_ms / 60'000 % 60, whole_ms / 1000 % 60,
                     whole_ms % 1000);
}

} // namespace

std::vector<FrameScore> worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames, std::size_t count)
{
    std::vector<FrameScore> scored;
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (std::isfinite(metric.scores[i]))
            scored.push_back({frames[i], metric.scores[i]});
    const auto listed = scored.begin() + static_cast<std::ptrdiff_t>(std::min(count, scored.size()));
    std::ranges::partial_sort(scored, listed, {},
                              [](const FrameScore &item) { return std::tuple(item.score, item.frame); });
    scored.erase(listed, scored.end());
    return scored;
}

std::string worst_frames_table(const std::string &metric, std::span<const FrameScore> worst, std::optional<double> fps)
{
    std::vector<std::vector<std::string>> lines{{"worst frame", "time", printable(metric)}};
    for (const FrameScore &item : worst)
        lines.push_back(
            {formatted("{}", item.frame), fps ? time_text(item.frame / *fps) : "-", formatted("{:.4f}", item.score)});
    return text_table(lines);
}

} // namespace vmaf::tool
