#include "run/run.h"
#include "scoring/registration.h"

namespace vmaf::tool {

void Run::register_scores()
{
    const SessionPlan plan{options.sessions, options.reading.subsample,
                           !options.selection.models.empty() || !options.selection.features.empty()};
    std::vector<Selection> selections(videos.encodes.size(), options.selection);
    for (std::size_t i = 0; i < selections.size(); ++i) {
        fill_options(selections[i], facts_of(videos, videos.encodes[i]), *videos.encodes[i].warnings);
        note_what_is_made_for_sdr(videos, i, selections[i]);
    }
    const auto registered = [&](const ScoringContext &context, std::size_t encode) {
        const ComparedEncode &compared = videos.encodes[encode];
        return register_all(context.get(), selections[encode], model_files, log, *compared.warnings);
    };
    if (segments->are_several()) {
        contexts.push_back(ScoringContext::open_for_merging(plan));
    } else {
        std::vector<VideoFormat> formats;
        for (const ComparedEncode &encode : videos.encodes)
            formats.push_back(videos.format_of(encode));
        contexts = ScoringContext::open(plan, formats, gpus);
    }
    if (!decoding_gpus.empty() && !need_reference_again(videos) &&
        (segments->are_several() || contexts.front().uses_gpu()))
        lend_frames(videos, decoding_gpus.front(), decoders);
    videos.reads_chroma = may_read_chroma(selections.front());
    watch_frames(videos, options.reading);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const ComparedEncode &encode = videos.encodes[i];
        encodes.push_back({options.reading.distorted[i], encode, videos.reference_of(encode), contexts[i],
                           registered(contexts[i], i), LazyScoreColumns(contexts[i].get(), encode.pairing.pairs)});
    }
    if (segments->are_several()) {
        const std::vector<VideoFormat> formats(segments->cut(contexts.front().get()),
                                               videos.format_of(videos.encodes.front()));
        segment_contexts = ScoringContext::open(plan, formats, gpus);
        for (const ScoringContext &context : segment_contexts)
            registered(context, 0);
        segments->begin(videos);
    }
    check_gates(options.answers.gates, selections.front(), scored_models(), warnings);
}

} // namespace vmaf::tool
