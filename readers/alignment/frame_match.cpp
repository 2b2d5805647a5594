#include "alignment/frame_match.h"

#include <algorithm>
#include <functional>

#include "alignment/course.h"

namespace vmaf::tool {
namespace {

SmallLuma first_frames(const SmallLuma &luma, std::size_t frames)
{
    const std::size_t samples = std::min(luma.samples.size(), frames * luma.frame_size());
    return {luma.grid,
            luma.first_frame,
            {luma.samples.begin(), luma.samples.begin() + static_cast<std::ptrdiff_t>(samples)}};
}

} // namespace

FrameMatch match_frames(const SmallLuma &ref, const SmallLuma &dis, unsigned most_frames)
{
    constexpr std::size_t kSettledAfter = 1500; // frames of a lag that never changes
    FrameMatch match;
    LagCosts costs(ref, dis, most_frames);
    Course course = cheapest_course(costs);
    const bool is_edited = std::ranges::adjacent_find(course.lags, std::not_equal_to<>()) != course.lags.end();
    if (!is_edited) {
        match.start =
            std::max(ref.frames(), dis.frames()) <= kSettledAfter
                ? estimate_lag(ref, dis, costs)
                : estimate_lag(first_frames(ref, kSettledAfter), first_frames(dis, kSettledAfter), most_frames);
        using enum LagEstimate::Outcome;
        if (match.start.outcome == ambiguous || match.start.outcome == no_match)
            std::ranges::fill(course.lags, most_frames);
    } else {
        const auto first = std::ranges::find(course.shows_none, false) - course.shows_none.begin();
        match.start.lag = costs.lag(course.lags[std::min(static_cast<std::size_t>(first), course.lags.size() - 1)]);
        match.start.outcome = match.start.lag == 0 ? LagEstimate::Outcome::in_step : LagEstimate::Outcome::lag;
    }
    long before = -1;
    for (std::size_t j = 0; j < course.lags.size(); ++j) {
        const long i = costs.ref_position(j, course.lags[j]);
        const bool is_shown = !course.shows_none[j] && i >= 0 && i < costs.ref_frames();
        match.ref_frame.push_back(is_shown ? static_cast<int>(i + ref.first_frame) : -1);
        if (!is_shown)
            continue;
        if (i == before)
            match.repeated.push_back(static_cast<unsigned>(j) + dis.first_frame);
        for (long lost = before + 1; before >= 0 && lost < i; ++lost)
            match.dropped.push_back(static_cast<unsigned>(lost) + ref.first_frame);
        before = i;
    }
    if (is_edited) {
        match.start.best_db = psnr_db(ref, dis, match.ref_frame);
        match.start.zero_db = psnr_db(ref, dis, 0);
    }
    return match;
}

} // namespace vmaf::tool
