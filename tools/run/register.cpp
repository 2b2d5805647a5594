#include "comparison/made_for.h"
#include "comparison/match.h"
#include "run/run.h"
#include "scoring/registration.h"

namespace vmaf::tool {
namespace {

/// Once, however many encodes and sessions there are.
void tell_what_is_made_for_sdr(const Selection &selection, const Videos &videos, Warnings &warnings)
{
    std::vector<std::string> models, features;
    for (const ModelSpec &model : selection.models)
        models.push_back(model.version);
    for (const FeatureSpec &feature : selection.features)
        features.push_back(feature.name);
    if (const auto decision = made_for_sdr(tags_of(videos), models, features))
        tell(*decision, warnings);
}

} // namespace

void Run::register_scores()
{
    Selection selection = options.selection;
    fill_options(selection, facts_of(*videos.ref, videos.dis), warnings);
    const VideoFormat &format = videos.ref->format();
    const SessionPlan plan{options.sessions, options.reading.subsample,
                           !selection.models.empty() || !selection.features.empty(), format};
    tell_what_is_made_for_sdr(selection, videos, warnings);
    const auto registered = [&](const ScoringContext &context) {
        return register_all(context.get(), selection, format.height_px, model_files, log, warnings);
    };
    if (segments->are_several())
        contexts.push_back(ScoringContext::open_for_merging(plan));
    else
        contexts = ScoringContext::open(plan, videos.dis.size(), gpus);
    if (!decoding_gpus.empty() && (segments->are_several() || contexts.front().uses_gpu()))
        lend_frames(videos, decoding_gpus.front(), decoders);
    const bool reads_chroma = may_read_chroma(selection);
    if (!reads_chroma)
        leave_out_chroma(videos);
    for (std::size_t i = 0; i < contexts.size(); ++i)
        encodes.push_back(
            {options.reading.distorted[i], contexts[i], registered(contexts[i]), LazyScoreColumns(contexts[i].get())});
    if (segments->are_several()) {
        segment_contexts = ScoringContext::open(plan, segments->cut(contexts.front().get()), gpus);
        for (const ScoringContext &context : segment_contexts)
            registered(context);
        segments->begin(videos, reads_chroma);
    }
    check_gates(options.answers.gates, selection, scored_models(), warnings);
}

} // namespace vmaf::tool
