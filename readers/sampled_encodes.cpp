#include "sampled_encodes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <memory>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "libvmaf/libvmaf_ext.h"

namespace vmaf::tool {
namespace {

/// Size of the first sample of auto:ERR, which tells how many frames are needed.
constexpr double kFirstFrames = 60;
/// More frames than the first ones promise: they are few.
constexpr double kMargin = 1.1;

/// Decodes a video of its own for that. Damage is where it ends: scoring will tell.
std::uint64_t decoded_frames(const VideoReader &video)
{
    const std::unique_ptr<VideoReader> again = video.reopened();
    std::uint64_t frames = 0;
    try {
        while (again->skip_frame())
            ++frames;
    } catch (const ScoringStopped &) {
    }
    return frames;
}

/// Number of frames left in a video. What a container promises is no number to draw from, and
/// packets do not tell where two frames have one time stamp.
std::uint64_t frames_left(VideoReader &video, unsigned skip)
{
    auto count = video.tags().is_media ? video.index_frames() : video.frame_count();
    try {
        if (!count)
            count = decoded_frames(video);
    } catch (const Failure &) {
        throw Failure(kExitSetup,
                      formatted("--sample: the number of frames of {} is known only at its end: save it to a file",
                                printable(video.file().path())));
    }
    return *count > skip ? *count - skip : 0;
}

EncodeSample sample_of(const Videos &videos, const ComparedEncode &encode, const ReadingOptions &options)
{
    std::uint64_t frames = encode.pairing.pairs.size(); // pairs are known even if files do not say their length
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
    return {FrameSample(all, option.share > 0 ? option.share * all : kFirstFrames), ended_first, encode.pairing.pairs};
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

} // namespace

std::size_t EncodeSample::frames_read() const
{
    std::size_t read = 0;
    for (const SampleRound &round : rounds)
        read += round.reading.frames.size();
    return read;
}

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

void begin_round(EncodeSample &sample, VmafContext *session, const SampleOption &option,
                 std::optional<double> half_width)
{
    unsigned before = 0, after = 0;
    if (const int error = vmaf_segment_overlap(session, &before, &after))
        throw Failure(exit_code_of(error), "--sample: a feature's scores depend on all earlier frames");
    std::vector<unsigned> earlier;
    if (half_width)
        earlier = sample.frames.frames(sample.per_stratum);
    sample.per_stratum = half_width ? enough_per_stratum(sample, *half_width, option.error) : kFirstPerStratum;
    SampleRound round{session, {}, {}};
    std::ranges::set_difference(sample.frames.frames(sample.per_stratum), earlier, std::back_inserter(round.sampled));
    round.reading = frames_to_read(round.sampled, sample.frames.clip_frames(), before, after);
    sample.rounds.push_back(std::move(round));
}

void read_rounds(const Videos &videos, std::span<EncodeSample> samples, const ReadingOptions &options,
                 std::span<const SessionPictures> sessions, const std::stop_token &stop, const FrameRead &frame_read)
{
    FrameSources sources = sources_of(videos, options);
    std::vector<std::vector<FramePair>> pairs;
    for (std::size_t i = 0; i < samples.size(); ++i)
        pairs.push_back(
            pairs_of(samples[i].rounds.back().reading.frames, samples[i].compared, sources.encodes[i].order.delay));
    for (std::size_t i = 0; i < samples.size(); ++i)
        sources.encodes[i].order = {0, pairs[i]};
    const bool are_alike = std::ranges::all_of(pairs, [&](const auto &each) { return each == pairs.front(); });
    SessionSink sink =
        sink_of(videos, sessions, are_alike ? SessionSink::References::come_once : SessionSink::References::come_again);
    std::vector<FrameLoopResult> results = read_frames({}, sources, sink, stop, frame_read);
    sink.end_all(results);
    for (std::size_t i = 0; i < samples.size(); ++i) {
        if (!results[i].stop && results[i].frames < pairs[i].size())
            results[i].stop.emplace(StopReason::truncated_input, kExitBadData,
                                    "a video has fewer frames than its file says, and --sample needs all of them");
        samples[i].rounds.back().result = std::move(results[i]);
    }
}

FrameLoopResult append_sample(EncodeSample &sample, VmafContext *merged)
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
    std::vector<unsigned> appended;
    for (const Frame &frame : frames) {
        if (const int error = vmaf_append_sampled_frame(merged, frame.session, frame.position)) {
            if (!result.stop)
                result.stop.emplace(StopReason::engine_error, exit_code_of(error), "problem merging sampled frames");
            break;
        }
        appended.push_back(frame.number);
    }
    sample.pairs = pairs_of(appended, sample.compared, 0);
    result.frames = static_cast<unsigned>(appended.size());
    result.ended_first = sample.ended_first;
    if (result.frames > 0)
        flush(merged, result);
    return result;
}

} // namespace vmaf::tool
