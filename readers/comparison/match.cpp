#include "comparison/match.h"

#include "common/failure.h"
#include "common/format.h"
#include "comparison/frame_rates.h"
#include "input/media.h"

namespace vmaf::tool {
namespace {

VideoDescription description_of(const VideoReader &video)
{
    return {printable(video.file().path()), video.form(), video.tags(), video.frame_rate()};
}

} // namespace

void tell(const Decision &decision, Warnings &warnings)
{
    switch (decision.severity) {
    case Severity::detail:
        return;
    case Severity::note:
        return say("{}\n", decision.text);
    case Severity::warning:
        return warnings.warn(decision.text);
    case Severity::error:
        break;
    }
    throw Failure(kExitSetup, decision.text);
}

void match_videos(std::unique_ptr<VideoReader> &ref, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                  Warnings &warnings)
{
    if (rates_differ(ref->frame_rate(), dis->frame_rate())) {
        ref->recognise_variable_rate();
        dis->recognise_variable_rate();
    }
    const Plan plan = plan_comparison(description_of(*ref), description_of(*dis), options);
    for (const Decision &decision : plan.decisions)
        tell(decision, warnings);
    deliver(ref, plan.ref, options);
    deliver(dis, plan.dis, options);
}

} // namespace vmaf::tool
