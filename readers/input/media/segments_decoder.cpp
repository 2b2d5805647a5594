#include "input/media/segments_decoder.h"

#include <algorithm>
#include <utility>

#include "common/threads.h"

namespace vmaf::tool {
namespace {

/// Short segments make decoders start anew or look for the next one more often, long ones take
/// memory: about so many frames, if key frames are no farther apart.
constexpr std::int64_t kSegmentFrames = 48;
/// Least frames ahead. With fewer, a decoder waits for its turn more than it works.
constexpr std::uint64_t kLeastFramesAhead = 16;

/// Duration of a segment in units of the stream; 0: its rate is not known.
std::int64_t part_duration(const Demuxer &demuxer)
{
    const auto rate = demuxer.frame_rate();
    return rate ? av_rescale_q(kSegmentFrames, av_inv_q(*rate), demuxer.stream().time_base) : 0;
}

} // namespace

unsigned decoders_that_pay(std::optional<std::uint64_t> frames, const VideoFormat &format, unsigned videos)
{
    constexpr unsigned kInFlight = 8; // decoders of the largest GPUs; on others they take turns
    const unsigned most = std::max(1U, (kInFlight + videos / 2) / videos);
    if (!frames)
        return most;
    // To make a decoder and to end it takes the driver some 90 ms. A video's n-th decoder saves
    // 1 / (n (n - 1)) of the time that one alone would take: 150 ms for 100 frames of 1080p.
    constexpr double kSamples = 100. * 1920 * 1080;
    const double work = static_cast<double>(*frames) * format.width_px * format.height_px / kSamples;
    unsigned decoders = std::clamp(kInFlight / videos, 1U, 2U); // a second costs a pair little
    while (decoders < most && work >= static_cast<double>(decoders) * (decoders + 1) * videos)
        ++decoders;
    return decoders;
}

bool software_is_done_first(std::optional<std::uint64_t> frames, const VideoFormat &format, unsigned cores)
{
    // A run that decodes a pair on the GPU starts 0.25 to 0.5 s later. Meanwhile a core decodes 13
    // to 33 pairs of 1080p H.264 frames.
    constexpr double kSamplesOfCore = 20. * 1920 * 1080;
    constexpr unsigned kMostThreads = 16; // of a decoder in libavcodec
    return frames && static_cast<double>(*frames) * format.width_px * format.height_px <
                         kSamplesOfCore * std::min(cores, kMostThreads);
}

std::unique_ptr<SegmentsDecoder> SegmentsDecoder::open(const InputFile &file, const DecoderSettings &settings,
                                                       const std::optional<KeyFrame> &from, std::int64_t first_pts,
                                                       unsigned decoders, std::uint64_t frames_ahead,
                                                       const std::shared_ptr<Decoder> &whole, const AVFrame &first)
{
    if (decoders < 2 || frames_ahead < kLeastFramesAhead)
        return nullptr;
    std::unique_ptr<SegmentsDecoder> made(new SegmentsDecoder(file, settings, first_pts, decoders, frames_ahead));
    if (!made->plan_first_segment(from))
        return nullptr;
    const Segments begun = made->begin(whole, first);
    made->start(begun.empty() ? nullptr : whole, begun);
    while (made->threads_.size() < decoders)
        made->start(nullptr, {});
    return made;
}

SegmentsDecoder::SegmentsDecoder(const InputFile &file, const DecoderSettings &settings, std::int64_t first_pts,
                                 unsigned decoders, std::uint64_t frames_ahead)
    : settings_(settings), first_pts_(first_pts), frames_ahead_(frames_ahead), most_segments_(decoders),
      planner_(file.reopened(), settings.demuxer),
      joins_segments_(planner_.stream().codecpar->codec_id == AV_CODEC_ID_H264)
{
}

SegmentsDecoder::~SegmentsDecoder()
{
    cancel();
}

/// The key frame after `start`, in H.264 an IDR picture. Empty: there is none, or it is far away.
std::optional<KeyFrame> SegmentsDecoder::key_frame_behind(const std::optional<KeyFrame> &start)
{
    constexpr int kTries = 32;
    const std::int64_t first_pts = planner_.stream().start_time == AV_NOPTS_VALUE ? 0 : planner_.stream().start_time;
    const std::int64_t start_pts = start ? start->pts : first_pts;
    std::int64_t asked = start_pts + part_duration(planner_);
    for (int tries = 0; tries < kTries; ++tries) {
        const auto found = planner_.key_frame_from(asked);
        if (!found || found->pts <= start_pts)
            return std::nullopt;
        if (!found->may_be_open)
            return found;
        asked = found->pts + 1;
    }
    return std::nullopt;
}

/// False: it would be the only one.
bool SegmentsDecoder::plan_first_segment(const std::optional<KeyFrame> &from)
{
    if (part_duration(planner_) <= 0)
        return false;
    planned_ = VideoSegment{from, key_frame_behind(from), first_pts_};
    return planned_->to.has_value();
}

/// The first segment, if the decoder goes on with it. That pays for H.264 alone: a GPU makes
/// decoders more slowly while others work, and 400 frames of 2160p HEVC took twice as long.
SegmentsDecoder::Segments SegmentsDecoder::begin(const std::shared_ptr<Decoder> &whole, const AVFrame &first)
{
    if (!joins_segments_ || first.pts == AV_NOPTS_VALUE || !whole->end_segment_at(*planned_->to, first_pts_))
        return {};
    const auto segment = std::make_shared<Segment>();
    segment->frames = *std::exchange(planned_, std::nullopt);
    segment->decoded.push_back(
        {AvFrame(allocated(av_frame_clone(&first))), whole->software_format(), whole->coded_frame()});
    segment->last_pts = first.pts;
    segment->delivered = 1;
    segments_.push_back(segment);
    return {segment};
}

void SegmentsDecoder::start(const std::shared_ptr<Decoder> &decoder, const Segments &taken)
{
    threads_.push_back(start_thread("to decode a video", [this, decoder, taken] {
        try {
            work(decoder, taken);
        } catch (...) {
            stop(std::current_exception());
        }
    }));
}

/// Decode segments. If anything fails in a segment, the single-decoder path decodes the file again
/// and reports the error.
/// @param decoder null: a new one. @param taken the segment that it has begun; none in a new one.
void SegmentsDecoder::work(std::shared_ptr<Decoder> decoder, Segments taken)
{
    try {
        if (!decoder)
            decoder = std::make_shared<Decoder>(planner_.file().reopened(), settings_);
        {
            const std::scoped_lock lock(mutex_);
            decoders_.push_back(decoder);
        }
        if (joins_segments_)
            decoder->join_segments();
        if (!taken.empty()) {
            plan_behind(*taken.back());
            decode(*decoder, taken);
        }
        while (const auto segment = next_segment(taken)) {
            taken.push_back(segment);
            decoder->start_segment(segment->frames);
            decode(*decoder, taken);
        }
        if (taken.empty())
            return;
        decoder->drain();
        receive(*decoder, taken);
        std::ranges::for_each(taken, [](const auto &segment) { expect_complete(*segment); });
    } catch (const Failure &) {
        throw SegmentsDoNotFit{"it cannot be decoded to its end"};
    }
}

/// Frames of the segment that is delivered may be in a decoder that needs another one to go on.
/// Needs the mutex.
bool SegmentsDecoder::has_room_for(const Segments &taken) const
{
    return segments_.size() < most_segments_ ||
           (!segments_.front()->is_complete && std::ranges::find(taken, segments_.front()) != taken.end());
}

/// Null: there are no more.
/// @param taken by the same decoder before.
std::shared_ptr<SegmentsDecoder::Segment> SegmentsDecoder::next_segment(const Segments &taken)
{
    auto segment = std::make_shared<Segment>();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || all_planned_ || (planned_ && has_room_for(taken)); });
        if (failure_ || all_planned_)
            return nullptr;
        segment->frames = *std::exchange(planned_, std::nullopt);
        segments_.push_back(segment);
        all_planned_ = !segment->frames.to;
    }
    changed_.notify_all();
    if (segment->frames.to)
        plan_behind(*segment);
    return segment;
}

void SegmentsDecoder::plan_behind(const Segment &segment)
{
    const auto &start = segment.frames.to;
    const VideoSegment next{start, key_frame_behind(start), first_pts_};
    {
        const std::scoped_lock lock(mutex_);
        planned_ = next;
    }
    changed_.notify_all();
}

/// The last one that was taken, to the end of its packets.
void SegmentsDecoder::decode(Decoder &decoder, Segments &taken)
{
    receive(decoder, taken);
    Segment &segment = *taken.back();
    const std::uint64_t frames = decoder.demuxer().frames_in_segment();
    segment.promised = frames;
    {
        const std::scoped_lock lock(mutex_);
        packets_ += frames;
        bits_ += decoder.bits_per_packet().value_or(0) * static_cast<double>(frames);
    }
    settle(decoder, segment);
}

/// The frames that come before next() is null.
/// @param taken by the decoder. Segments before the one whose frames come are removed.
void SegmentsDecoder::receive(Decoder &decoder, Segments &taken)
{
    while (AvFrame frame = decoder.next()) {
        const std::int64_t pts = frame->pts;
        while (taken.size() > 1 && pts >= taken[1]->frames.from->pts) {
            expect_complete(*taken.front());
            taken.pop_front();
        }
        Segment &segment = *taken.front();
        const VideoSegment &frames = segment.frames;
        if (pts == AV_NOPTS_VALUE || (frames.from && pts < frames.from->pts) || pts <= segment.last_pts)
            throw SegmentsDoNotFit{"time stamps do not ascend"};
        if (frames.to && pts >= frames.to->pts)
            continue;
        segment.last_pts = pts;
        if (!deliver(segment, {std::move(frame), decoder.software_format(), decoder.coded_frame()}))
            return;
        ++segment.delivered;
        settle(decoder, segment);
    }
}

/// After each frame, and when all packets are read.
void SegmentsDecoder::settle(const Decoder &decoder, Segment &segment)
{
    if (!segment.promised || segment.delivered < *segment.promised)
        return;
    expect_complete(segment);
    if (decoder.damage())
        throw SegmentsDoNotFit{"it is damaged"};
    {
        const std::scoped_lock lock(mutex_);
        segment.is_complete = true;
    }
    changed_.notify_all();
}

void SegmentsDecoder::expect_complete(const Segment &segment)
{
    if (segment.delivered != segment.promised)
        throw SegmentsDoNotFit{"its packets are not a frame each"};
}

/// False: nobody wants it any more.
bool SegmentsDecoder::deliver(Segment &segment, DecodedFrame decoded)
{
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || segment.decoded.size() < frames_ahead_; });
        if (failure_)
            return false;
        segment.decoded.push_back(std::move(decoded));
    }
    changed_.notify_all();
    return true;
}

void SegmentsDecoder::stop(std::exception_ptr failure)
{
    {
        const std::scoped_lock lock(mutex_);
        if (!failure_)
            failure_ = std::move(failure);
    }
    changed_.notify_all();
}

void SegmentsDecoder::cancel()
{
    stop(std::make_exception_ptr(ReadCancelled{}));
    const std::scoped_lock lock(mutex_);
    for (const auto &decoder : decoders_)
        decoder->cancel();
}

AvFrame SegmentsDecoder::next()
{
    DecodedFrame decoded{};
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            while (!segments_.empty() && segments_.front()->is_complete && segments_.front()->decoded.empty()) {
                segments_.pop_front();
                changed_.notify_all();
            }
            return failure_ || (segments_.empty() ? all_planned_ : !segments_.front()->decoded.empty());
        });
        if (failure_)
            std::rethrow_exception(failure_);
        if (segments_.empty())
            return nullptr;
        decoded = std::move(segments_.front()->decoded.front());
        segments_.front()->decoded.pop_front();
    }
    changed_.notify_all();
    software_format_ = decoded.software_format;
    coded_frame_ = decoded.coded;
    return std::move(decoded.frame);
}

std::optional<double> SegmentsDecoder::bits_per_packet() const
{
    const std::scoped_lock lock(mutex_);
    return packets_ > 0 ? std::optional(bits_ / static_cast<double>(packets_)) : std::nullopt;
}

} // namespace vmaf::tool
