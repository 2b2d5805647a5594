#include "comparison/match.h"

#include <algorithm>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "comparison/frame_rates.h"
#include "comparison/sampled_frames.h"
#include "input/media.h"

namespace vmaf::tool {
namespace {

std::size_t form_for(Reference &reference, const Delivery &delivery, const InputOptions &options)
{
    std::vector<Reference::Form> &forms = reference.forms;
    const auto fits = [&](const Reference::Form &form) { return !form.delivery || *form.delivery == delivery; };
    const auto known = std::ranges::find_if(forms, fits);
    const auto number = static_cast<std::size_t>(known - forms.begin());
    if (known == forms.end())
        forms.push_back({read_together(forms.front().video, options)});
    Reference::Form &form = forms[number];
    if (!form.delivery)
        deliver(form.video, delivery, options);
    form.delivery = delivery;
    return number;
}

FoundPicture picture_inside_bars(VideoReader &video, const char *option)
{
    try {
        return find_picture(video);
    } catch (const Failure &failure) {
        throw Failure(kExitSetup,
                      formatted("{0} auto reads the video twice: {1}; {0} W:H:X:Y does not", option, failure.what()));
    }
}

} // namespace

VideoDescription description_of(const VideoReader &video)
{
    return {printable(video.file().path()), video.form(), video.tags(), video.frame_rate()};
}

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

Reference::Reference(std::unique_ptr<VideoReader> video) : description(description_of(*video))
{
    forms.push_back({std::move(video)});
}

Match match_videos(Reference &reference, std::unique_ptr<VideoReader> &dis, const InputOptions &options,
                   Warnings &warnings)
{
    constexpr auto kBars = CropOption::Kind::automatic;
    if (options.crop_of(options.ref).kind == kBars && !reference.description.found)
        reference.description.found = picture_inside_bars(*reference.forms.front().video, "--crop_ref");
    VideoDescription ref = reference.description;
    if (rates_differ(ref.frame_rate, dis->frame_rate())) {
        VideoReader &video = *reference.forms.front().video;
        video.recognise_variable_rate();
        ref.tags = video.tags();
        dis->recognise_variable_rate();
    }
    VideoDescription distorted = description_of(*dis);
    if (options.crop_of(options.dis).kind == kBars)
        distorted.found = picture_inside_bars(*dis, "--crop_dist");
    Plan plan = plan_comparison(ref, distorted, options);
    for (const Decision &decision : plan.decisions)
        tell(decision, warnings);
    deliver(dis, plan.dis, options);
    return {form_for(reference, plan.ref, options), std::move(plan.decisions)};
}

} // namespace vmaf::tool
