#include "report/worst_frames.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>

#include "common/format.h"
#include "report/summary.h"

namespace vmaf::tool {
namespace {

std::string time_text(double seconds)
{
    const auto whole_ms = static_cast<std::uint64_t>(std::llround(seconds * 1000));
    return formatted("{}:{:02}:{:02}.{:03}", whole_ms / 3'600'000, whole_ms / 60'000 % 60, whole_ms / 1000 % 60,
                     whole_ms % 1000);
}

constexpr unsigned kGapWithoutRate = 25;

/// Factor that makes the lowest number the worst score.
double sign_of(const ScoreColumn &metric)
{
    return metric.better == VMAF_DIRECTION_LOWER ? -1 : 1;
}

} // namespace

std::vector<FrameScore> worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames, std::size_t count)
{
    std::vector<FrameScore> scored;
    for (std::size_t i = 0; i < frames.size(); ++i)
        if (!std::isnan(metric.scores[i]))
            scored.push_back({frames[i], metric.scores[i]});
    const auto listed = scored.begin() + static_cast<std::ptrdiff_t>(std::min(count, scored.size()));
    std::ranges::partial_sort(scored, listed, {}, [sign = sign_of(metric)](const FrameScore &item) {
        return std::tuple(sign * item.score, item.frame);
    });
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

unsigned worst_frame_gap(std::optional<double> frames_per_second)
{
    constexpr double kMostFramesPerSecond = 1e6;
    if (!frames_per_second || !(*frames_per_second > 0))
        return kGapWithoutRate;
    return static_cast<unsigned>(std::ceil(std::min(*frames_per_second, kMostFramesPerSecond)));
}

std::vector<std::size_t> spaced_worst_frames(const ScoreColumn &metric, std::span<const unsigned> frames,
                                             std::size_t count, unsigned gap)
{
    const std::vector<double> &scores = metric.scores;
    const double sign = sign_of(metric);
    std::vector<std::size_t> taken;
    std::vector<bool> free(scores.size(), true);
    while (taken.size() < count) {
        std::optional<std::size_t> worst;
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (free[i] && !std::isnan(scores[i]) && (!worst || sign * scores[i] < sign * scores[*worst]))
                worst = i;
        if (!worst)
            break;
        taken.push_back(*worst);
        const auto is_near = [&](std::size_t i) {
            return std::max(frames[i], frames[*worst]) - std::min(frames[i], frames[*worst]) < gap;
        };
        for (std::size_t i = *worst; i < frames.size() && is_near(i); ++i)
            free[i] = false;
        for (std::size_t i = *worst; i > 0 && is_near(i - 1); --i)
            free[i - 1] = false;
        free[*worst] = false;
    }
    return taken;
}

} // namespace vmaf::tool
