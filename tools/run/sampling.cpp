#include "run/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <nlohmann/json.hpp>

#include "common/failure.h"
#include "libvmaf/libvmaf_ext.h"
#include "report/summary.h"
#include "run/run.h"

namespace vmaf::tool {
namespace {

/// Size of the first sample of auto:ERR, which tells how many frames are needed.
constexpr double kFirstFrames = 60;
/// More frames than the first ones promise: they are few.
constexpr double kMargin = 1.1;

/// What is left of a video. What a container promises is no number to draw from.
std::uint64_t frames_left(VideoReader &video, unsigned skip)
{
    const auto count = video.tags().is_media ? video.index_frames() : video.frame_count();
    if (!count)
        throw Failure(kExitSetup,
                      formatted("--sample: how many frames {} has shows at its end only: save it to a file that says "
                                "so, such as mp4, mkv or Y4M",
                                printable(video.file().path())));
    return *count > skip ? *count - skip : 0;
}

EncodeSample sample_of(const Videos &videos, const ComparedEncode &encode, const ReadingOptions &options)
{
    std::uint64_t frames = encode.pairing.pairs.size(); // those are known, whatever the files say
    std::optional<VideoSide> ended_first;
    if (frames == 0) {
        const FrameSkips skips = skips_of(options, encode);
        const std::uint64_t ref = frames_left(*videos.reference[encode.form], skips.ref);
        const std::uint64_t dis = frames_left(*encode.video, skips.dis);
        frames = std::min(ref, dis);
        if (ref != dis && (options.count == 0 || frames < options.count))
            ended_first = ref < dis ? VideoSide::reference : VideoSide::distorted;
    }
    if (options.count > 0)
        frames = std::min<std::uint64_t>(frames, options.count);
    if (frames < kLeastSampledClip)
        throw Failure(kExitSetup, formatted("--sample needs {} frames, and {} has {} to compare: score all of them",
                                            kLeastSampledClip, printable(encode.video->file().path()), frames));
    const auto all = static_cast<unsigned>(std::min<std::uint64_t>(frames, std::numeric_limits<unsigned>::max() / 2));
    const SampleOption &option = *options.sample;
    return {FrameSample(all, option.share > 0 ? option.share * all : kFirstFrames), ended_first};
}

/// @param compared all pairs; empty: those of equal number. @param delay of the reference then.
std::vector<FramePair> pairs_of(std::span<const unsigned> frames, std::span<const FramePair> compared, unsigned delay)
{
    std::vector<FramePair> pairs;
    for (const unsigned frame : frames)
        pairs.push_back(compared.empty() ? FramePair{frame, delay + frame} : compared[frame]);
    return pairs;
}

/// Frames of each stratum that make an interval narrow enough: its variance falls as 1/n - 1/all.
unsigned enough_per_stratum(const EncodeSample &sample, double half_width, double error)
{
    const double all = sample.frames.clip_frames();
    const double strata = sample.frames.strata();
    const double unit = half_width * half_width / (1 / (strata * sample.per_stratum) - 1 / all);
    const double frames = kMargin / (error * error / unit + 1 / all);
    const auto wanted = static_cast<unsigned>(std::ceil(frames / strata));
    return std::clamp(wanted, sample.per_stratum + 1, sample.frames.most_per_stratum());
}

/// Appends all frames whose neighbours were read. @return how far that came.
FrameLoopResult append(const EncodeSample &sample, VmafContext *merged, std::vector<unsigned> &appended)
{
    struct Frame {
        unsigned number;
        VmafContext *session;
        unsigned position;
    };
    std::vector<Frame> frames;
    FrameLoopResult result;
    for (const SampleRound &round : sample.rounds) {
        if (!result.stop)
            result = round.result;
        for (std::size_t i = 0; i < round.sampled.size(); ++i)
            if (round.reading.needed[i] <= round.result.frames)
                frames.push_back({round.sampled[i], round.session, round.reading.positions[i]});
    }
    std::ranges::sort(frames, {}, &Frame::number);
    for (const Frame &frame : frames) {
        if (const int error = vmaf_append_sampled_frame(merged, frame.session, frame.position)) {
            if (!result.stop)
                result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem merging sampled frames");
            break;
        }
        appended.push_back(frame.number);
    }
    result.frames = static_cast<unsigned>(appended.size());
    result.ended_first = sample.ended_first;
    if (result.frames > 0)
        flush(merged, result);
    return result;
}

} // namespace

std::vector<EncodeSample> samples_of(const Videos &videos, const ReadingOptions &options)
{
    std::vector<EncodeSample> samples;
    for (const ComparedEncode &encode : videos.encodes)
        samples.push_back(sample_of(videos, encode, options));
    return samples;
}

std::optional<std::uint64_t> expected_frames(std::span<const EncodeSample> samples, const SampleOption &option)
{
    if (option.error > 0)
        return std::nullopt;
    std::uint64_t most = 0;
    for (const EncodeSample &sample : samples)
        most = std::max<std::uint64_t>(most, sample.rounds.front().reading.frames.size());
    return most;
}

std::string sample_record(const EncodeSample &sample, const ScoreColumns &columns)
{
    std::size_t read = 0;
    for (const SampleRound &round : sample.rounds)
        read += round.reading.frames.size();
    nlohmann::ordered_json intervals = nlohmann::ordered_json::object();
    for (const ScoreColumn &column : columns.metrics)
        if (column.interval)
            intervals[column.name] = {column.interval->low, column.interval->high};
    const nlohmann::ordered_json record{{"frames", sample.pairs.size()},
                                        {"of", sample.frames.clip_frames()},
                                        {"strata", sample.frames.strata()},
                                        {"seed", kSampleSeed},
                                        {"read", read},
                                        {"interval_95", intervals}};
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
    unsigned before = 0, after = 0;
    if (const int error = vmaf_segment_overlap(session.get(), &before, &after))
        throw Failure(exit_code_of(error), "--sample: a feature's scores depend on all earlier frames");
    EncodeSample &sample = samples[encode];
    std::vector<unsigned> earlier;
    if (half_width)
        earlier = sample.frames.frames(sample.per_stratum);
    sample.per_stratum =
        half_width ? enough_per_stratum(sample, *half_width, options.reading.sample->error) : kFirstPerStratum;
    SampleRound round{session.get(), {}, {}};
    std::ranges::set_difference(sample.frames.frames(sample.per_stratum), earlier, std::back_inserter(round.sampled));
    round.reading = frames_to_read(round.sampled, sample.frames.clip_frames(), before, after);
    sample.rounds.push_back(std::move(round));
}

/// The last round of each sample. @param from the videos, or further readers of them.
void Run::read_round(const Videos &from, const FrameRead &frame_read)
{
    FrameSources sources = sources_of(from, options.reading);
    std::vector<std::vector<FramePair>> pairs;
    std::vector<SessionPictures> pictures = pictures_of(segment_contexts);
    pictures.erase(pictures.begin(), pictures.end() - static_cast<std::ptrdiff_t>(samples.size()));
    for (std::size_t i = 0; i < samples.size(); ++i)
        pairs.push_back(pairs_of(samples[i].rounds.back().reading.frames, videos.encodes[i].pairing.pairs,
                                 sources.encodes[i].order.delay));
    for (std::size_t i = 0; i < samples.size(); ++i)
        sources.encodes[i].order = {0, pairs[i]};
    const bool are_alike = std::ranges::all_of(pairs, [&](const auto &each) { return each == pairs.front(); });
    SessionSink sink =
        sink_of(from, pictures, are_alike ? SessionSink::References::come_once : SessionSink::References::come_again);
    std::vector<FrameLoopResult> results = read_frames({}, sources, sink, signals.token(), frame_read);
    sink.end_all(results);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!results[i].stop && results[i].frames < pairs[i].size())
            results[i].stop.emplace(StopReason::truncated_input, kExitBadData,
                                    "a video has fewer frames than it says, and --sample needs all of them");
        samples[i].rounds.back().result = std::move(results[i]);
    }
}

/// Half width of the first score's interval, for auto:ERR; empty: nothing more is to be read.
std::optional<double> Run::half_width_of_sample()
{
    const EncodeSample &sample = samples.front();
    if (sample.per_stratum == sample.frames.most_per_stratum() || sample.rounds.back().result.stop)
        return std::nullopt;
    const ScoringContext merged = ScoringContext::open_for_merging(session_plan());
    const std::vector<ScoringModel> models = register_with(merged, 0);
    std::vector<unsigned> appended;
    const FrameLoopResult result = append(sample, merged.get(), appended);
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
    for (std::size_t i = 0; i < samples.size(); ++i) {
        std::vector<unsigned> appended;
        results.push_back(append(samples[i], contexts[i].get(), appended));
        samples[i].pairs = pairs_of(appended, videos.encodes[i].pairing.pairs, 0);
    }
    return results;
}

} // namespace vmaf::tool
