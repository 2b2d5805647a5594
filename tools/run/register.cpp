#include "run/run.h"
#include "scoring/registration.h"

namespace vmaf::tool {

SessionPlan Run::session_plan() const
{
    return {options.sessions, options.reading.subsample,
            !options.selection.models.empty() || !options.selection.features.empty()};
}

std::vector<ScoringModel> Run::register_with(const ScoringContext &context, std::size_t encode)
{
    return register_all(context.get(), selections[encode], model_files, log, *videos.encodes[encode].warnings);
}

/// Opens the sessions of whole videos, or those of segments and samples, which are merged.
void Run::open_sessions()
{
    const SessionPlan plan = session_plan();
    if (segments->are_several()) {
        contexts.push_back(ScoringContext::open_for_merging(plan));
        return;
    }
    std::vector<VideoFormat> formats;
    for (const ComparedEncode &encode : videos.encodes)
        formats.push_back(videos.format_of(encode));
    std::vector<ScoringContext> sessions = ScoringContext::open(plan, formats, gpus);
    if (samples.empty()) {
        contexts = std::move(sessions);
        return;
    }
    segment_contexts = std::move(sessions);
    for (std::size_t i = 0; i < samples.size(); ++i)
        contexts.push_back(ScoringContext::open_for_merging(plan));
}

/// Frames of several samples are brought to their sessions one by one.
bool Run::can_lend_frames() const
{
    if (decoding_gpus.empty() || need_reference_again(videos) || samples.size() > 1)
        return false;
    return segments->are_several() || (samples.empty() ? contexts : segment_contexts).front().uses_gpu();
}

void Run::register_scores()
{
    selections.assign(videos.encodes.size(), options.selection);
    for (std::size_t i = 0; i < selections.size(); ++i) {
        fill_options(selections[i], facts_of(videos, videos.encodes[i]), *videos.encodes[i].warnings);
        note_what_is_made_for_sdr(videos, i, selections[i]);
    }
    open_sessions();
    if (can_lend_frames())
        lend_frames(videos, decoding_gpus.front(), decoders);
    videos.reads_chroma = may_read_chroma(selections.front());
    if (samples.empty())
        watch_frames(videos, options.reading);
    for (std::size_t i = 0; i < contexts.size(); ++i) {
        const ComparedEncode &encode = videos.encodes[i];
        encodes.push_back({options.reading.distorted[i], encode, videos.reference_of(encode), contexts[i],
                           register_with(contexts[i], i), LazyScoreColumns(contexts[i].get(), {encode.pairing.pairs})});
    }
    if (segments->are_several()) {
        const std::vector<VideoFormat> formats(segments->cut(contexts.front().get()),
                                               videos.format_of(videos.encodes.front()));
        segment_contexts = ScoringContext::open(session_plan(), formats, gpus);
        for (const ScoringContext &context : segment_contexts)
            register_with(context, 0);
        segments->begin(videos);
    }
    for (std::size_t i = 0; i < samples.size(); ++i)
        begin_round(i, segment_contexts[i], std::nullopt);
    check_gates(options.answers.gates, selections.front(), scored_models(), warnings);
}

} // namespace vmaf::tool
