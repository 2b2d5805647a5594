#include "run/sampling.h"

#include <utility>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "report/summary.h"
#include "run/run.h"

namespace vmaf::tool {

std::string sample_record(const EncodeSample &sample, const ScoreColumns &columns)
{
    nlohmann::ordered_json intervals = nlohmann::ordered_json::object();
    for (const ScoreColumn &column : columns.metrics)
        if (column.interval)
            intervals[column.name] = {column.interval->low, column.interval->high};
    const nlohmann::ordered_json record{{"frames", sample.pairs.size()},    {"of", sample.frames.clip_frames()},
                                        {"strata", sample.frames.strata()}, {"seed", kSampleSeed},
                                        {"read", sample.frames_read()},     {"interval_95", intervals}};
    return record.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace);
}

std::vector<std::string> sample_lines(const EncodeSample &sample, std::span<const ScoringModel> models,
                                      const ScoreColumns &columns, NumberFormat numbers, const std::string &prefix)
{
    std::vector<std::string> lines;
    for (const ScoringModel &model : models)
        if (const ScoreColumn *column = columns.metric(model.spec().name); column && column->interval)
            lines.push_back(formatted("{}{}: {} of {} frames scored; the mean of all is in [{}, {}] (95 %)", prefix,
                                      model.spec().label(), sample.pairs.size(), sample.frames.clip_frames(),
                                      numbers.text(column->interval->low), numbers.text(column->interval->high)));
    return lines;
}

/// An incomplete sample says nothing of the frames that it lacks.
void Encode::take_sample(const EncodeSample &taken)
{
    sample = &taken;
    SessionFrames frames{.pairs = taken.pairs, .per_stratum = taken.per_stratum};
    if (compared.pairing.pairs.empty())
        frames.refs = SessionFrames::are_left_out;
    if (!result.stop)
        frames.sample = &taken.frames;
    scores = LazyScoreColumns(context.get(), frames);
}

/// @param half_width of the interval; empty: this is the first round.
void Run::begin_round(std::size_t encode, const ScoringContext &session, std::optional<double> half_width)
{
    register_with(session, encode);
    tool::begin_round(samples[encode], session.get(), *options.reading.sample, half_width);
}

/// The last round of each sample. @param from the videos, or further readers of them.
void Run::read_round(const Videos &from, const FrameRead &frame_read)
{
    const std::span<const ScoringContext> sessions = segment_contexts;
    read_rounds(from, samples, options.reading, pictures_of(sessions.last(samples.size())), signals.token(),
                frame_read);
}

/// Half width of the first score's interval, for auto:ERR; empty: nothing more is to be read.
std::optional<double> Run::half_width_of_sample()
{
    EncodeSample &sample = samples.front();
    if (sample.per_stratum == sample.frames.most_per_stratum() || sample.rounds.back().result.stop)
        return std::nullopt;
    const ScoringContext merged = ScoringContext::open_for_merging(session_plan());
    const std::vector<ScoringModel> models = register_with(merged, 0);
    const FrameLoopResult result = append_sample(sample, merged.get());
    if (result.stop)
        return std::nullopt; // the merging that counts will say so
    double pooled = 0;
    for (const ScoringModel &model : models)
        if (!options.no_prediction && model.pool(merged.get(), result.frames, pooled) != 0)
            return std::nullopt;
    const ScoreColumns columns =
        score_columns(merged.get(), {.pairs = {}, .sample = &sample.frames, .per_stratum = sample.per_stratum});
    const ScoreColumn *const metric = main_metric(columns, options.selection);
    if (metric == nullptr)
        return std::nullopt;
    if (!metric->interval)
        throw Failure(kExitSetup, formatted("--sample auto: {} is infinite in some frames, which leaves no interval: "
                                            "give a share of the frames",
                                            printable(metric->name)));
    const double half_width = (metric->interval->high - metric->interval->low) / 2;
    return half_width > options.reading.sample->error ? std::optional(half_width) : std::nullopt;
}

/// How far each encode came; all sessions are flushed.
std::vector<FrameLoopResult> Run::read_sample(const FrameRead &frame_read)
{
    read_round(videos, frame_read);
    while (options.reading.sample->error > 0) {
        const auto half_width = half_width_of_sample();
        if (!half_width)
            break;
        Videos again = reopened(videos, decoding_gpus.empty() ? nullptr : decoding_gpus.front());
        if (can_lend_frames())
            lend_frames(again, decoding_gpus.front(), decoders);
        again.reads_chroma = videos.reads_chroma;
        const VideoFormat format = videos.format_of(videos.encodes.front());
        segment_contexts.push_back(std::move(ScoringContext::open(session_plan(), {&format, 1}, gpus).front()));
        begin_round(0, segment_contexts.back(), half_width);
        read_round(again, frame_read);
    }
    std::vector<FrameLoopResult> results;
    for (std::size_t i = 0; i < samples.size(); ++i)
        results.push_back(append_sample(samples[i], contexts[i].get()));
    return results;
}

} // namespace vmaf::tool
