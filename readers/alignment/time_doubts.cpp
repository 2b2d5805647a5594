#include "alignment/doubts.h"

#include <functional>
#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "alignment/frame_match.h"
#include "common/format.h"
#include "comparison/pairing.h"

namespace vmaf::tool {
namespace {

void add_pairs(const FrameMatch &match, unsigned first_frame, std::vector<FramePair> &pairs)
{
    for (std::size_t j = 0; j < match.ref_frame.size(); ++j)
        if (const int ref = match.ref_frame[j]; ref >= 0)
            pairs.push_back({first_frame + static_cast<unsigned>(j), static_cast<unsigned>(ref)});
}

} // namespace

std::string edits_text(const std::vector<unsigned> &dropped, const std::vector<unsigned> &repeated,
                       const PairNames &names)
{
    std::string text = names.dis;
    if (!dropped.empty())
        text += formatted(" lacks {} of {} (the first is {})", counted(dropped.size(), "frame"), names.ref, dropped[0]);
    if (!dropped.empty() && !repeated.empty())
        text += " and";
    if (!repeated.empty())
        text += formatted(" repeats {} (the first is its frame {})", counted(repeated.size(), "frame"), repeated[0]);
    return text;
}

TimeDoubts time_doubts(std::span<const LumaWindow> windows, const PairNames &names, unsigned most_frames)
{
    using enum LagEstimate::Outcome;
    constexpr double kFitsWorseDb = 1;
    Pairing seen;
    std::optional<LagEstimate> first;
    bool is_unsettled = false;
    std::vector<std::future<FrameMatch>> matches; // each made by a thread, or by get() if there is none
    for (const LumaWindow &window : windows)
        matches.push_back(std::async(match_frames, std::cref(window.ref), std::cref(window.dis), most_frames));
    for (std::size_t i = 0; i < windows.size(); ++i) {
        const LumaWindow &window = windows[i];
        const FrameMatch match = matches[i].get();
        seen.dropped.insert(seen.dropped.end(), match.dropped.begin(), match.dropped.end());
        seen.repeated.insert(seen.repeated.end(), match.repeated.begin(), match.repeated.end());
        if (match.start.outcome == ambiguous && match.start.best_db > match.start.zero_db + kFitsWorseDb)
            is_unsettled = true;
        if (match.start.outcome != lag && match.start.outcome != in_step)
            continue;
        add_pairs(match, window.dis.first_frame, seen.pairs);
        if (!first)
            first = match.start;
        else if (first->lag != match.start.lag && seen.dropped.empty() && seen.repeated.empty())
            return {{formatted("{} is {} at its start and {} at frame {}, so frames are missing or repeated: "
                               "--align frames",
                               names.dis, step_text(first->lag), step_text(match.start.lag), window.dis.first_frame)},
                    std::move(seen)};
    }
    if (!seen.dropped.empty() || !seen.repeated.empty())
        return {{edits_text(seen.dropped, seen.repeated, names) + ": --align frames"}, std::move(seen)};
    if (first && first->lag != 0)
        return {{formatted("{}: --offset {}, or --align offset", lag_found_text(*first, names), first->lag)},
                std::move(seen)};
    if (!first && is_unsettled)
        return {{lag_found_text({ambiguous, 0, 0, 0}, names) +
                 ": --align offset reads more of them, or give the right one with --offset N"},
                {}};
    return {};
}

} // namespace vmaf::tool
