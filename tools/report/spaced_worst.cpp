#include "report/spaced_worst.h"

#include <algorithm>
#include <cmath>

namespace vmaf::tool {
namespace {

constexpr unsigned kGapWithoutRate = 25;

} // namespace

unsigned worst_frame_gap(std::optional<double> frames_per_second)
{
    constexpr double kMostFramesPerSecond = 1e6;
    if (!frames_per_second || !(*frames_per_second > 0))
        return kGapWithoutRate;
    return static_cast<unsigned>(std::ceil(std::min(*frames_per_second, kMostFramesPerSecond)));
}

std::vector<std::size_t> spaced_worst_frames(std::span<const unsigned> frames, std::span<const double> scores,
                                             std::size_t count, unsigned gap)
{
    std::vector<std::size_t> taken;
    std::vector<bool> free(scores.size(), true);
    while (taken.size() < count) {
        std::optional<std::size_t> worst;
        for (std::size_t i = 0; i < scores.size(); ++i)
            if (free[i] && std::isfinite(scores[i]) && (!worst || scores[i] < scores[*worst]))
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
