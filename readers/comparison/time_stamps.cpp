#include "comparison/time_stamps.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "common/format.h"
#include "comparison/frame_rates.h"

namespace vmaf::tool {
namespace {

double median_interval(std::span<const double> times)
{
    std::vector<double> intervals;
    for (std::size_t i = 1; i < times.size(); ++i)
        intervals.push_back(times[i] - times[i - 1]);
    const auto middle = intervals.begin() + static_cast<std::ptrdiff_t>(intervals.size() / 2);
    std::ranges::nth_element(intervals, middle);
    return *middle;
}

} // namespace

std::optional<OutOfStep> first_out_of_step(std::span<const double> ref, std::span<const double> dis)
{
    constexpr double kFarApart = 0.6, kJump = 0.4; // shares of the interval between frames
    constexpr std::size_t kForGood = 8;            // frames that must agree that it is no jitter
    const std::size_t frames = std::min(ref.size(), dis.size());
    if (frames < 2)
        return std::nullopt;
    const double interval = median_interval(ref.first(frames));
    const auto drift = [&](std::size_t i) { return ((dis[i] - dis[0]) - (ref[i] - ref[0])) / interval; };
    const auto stays = [&](std::size_t first, double sign) {
        for (std::size_t i = first; i < std::min(first + kForGood, frames); ++i)
            if (sign * drift(i) < kFarApart)
                return false;
        return true;
    };
    if (!(interval > 0))
        return std::nullopt;
    for (std::size_t i = 1; i < frames; ++i) {
        const double jump = drift(i) - drift(i - 1);
        if (std::abs(jump) > kJump && stays(i, std::copysign(1.0, jump)))
            return OutOfStep{i, ref[i] - ref[0], dis[i] - dis[0], jump > 0 ? Side::distorted : Side::reference};
    }
    return std::nullopt;
}

std::string out_of_step_text(const OutOfStep &found, const VideoDescription &ref, const VideoDescription &dis)
{
    const bool is_ref = found.late == Side::reference;
    const VideoDescription &late = is_ref ? ref : dis;
    const std::optional<double> fps = is_ref ? dis.frame_rate : ref.frame_rate;
    std::string text =
        formatted("by their time stamps frames are out of step from number {} on ({:.2f} s in {}, {:.2f} s in {}): "
                  "{} lost a frame, and frames are compared by number",
                  found.frame, found.ref_s, ref.name, found.dis_s, dis.name, late.name);
    if (fps)
        text += formatted("; fill the gap first: {}", converting_command(late, *fps));
    return text;
}

} // namespace vmaf::tool
