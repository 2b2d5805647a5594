#include "input/media/segments_decoder.h"

#include <algorithm>
#include <utility>

#include "common/threads.h"

namespace vmaf::tool {
namespace {

/// Short segments wait for decoders that are started anew, long ones take memory: about so many frames, if key frames are no farther apart.
constexpr std::int64_t kSegmentFrames = 48;
/// With fewer a decoder waits for its turn more than it works.
constexpr std::uint64_t kLeastFramesAhead = 16;

/// In units of the stream; 0: its rate is not known.
std::int64_t part_duration(const Demuxer &demuxer)
{
    const auto rate = demuxer.frame_rate();
    return rate ? av_rescale_q(kSegmentFrames, av_inv_q(*rate), demuxer.stream().time_base) : 0;
}

} // namespace

std::unique_ptr<SegmentsDecoder> SegmentsDecoder::open(const InputFile &file, const DecoderSettings &settings,
                                                       const std::optional<KeyFrame> &from, std::int64_t first_pts,
                                                       unsigned decoders, std::uint64_t frames_ahead)
{
    if (decoders < 2 || frames_ahead < kLeastFramesAhead)
        return nullptr;
    std::unique_ptr<SegmentsDecoder> made(new SegmentsDecoder(file, settings, first_pts, decoders, frames_ahead));
    if (!made->plan_first_segment(from))
        return nullptr;
    made->start(decoders);
    return made;
}

SegmentsDecoder::SegmentsDecoder(const InputFile &file, const DecoderSettings &settings, std::int64_t first_pts,
                                 unsigned decoders, std::uint64_t frames_ahead)
    : settings_(settings), first_pts_(first_pts), frames_ahead_(frames_ahead), most_segments_(decoders),
      planner_(file.reopened(), settings.demuxer)
{
}

SegmentsDecoder::~SegmentsDecoder()
{
    cancel();
}

/// Empty: there is none.
std::optional<KeyFrame> SegmentsDecoder::key_frame_behind(const std::optional<KeyFrame> &start)
{
    const std::int64_t first_pts = planner_.stream().start_time == AV_NOPTS_VALUE ? 0 : planner_.stream().start_time;
    const std::int64_t start_pts = start ? start->pts : first_pts;
    const auto found = planner_.key_frame_from(start_pts + part_duration(planner_));
    return found && found->pts > start_pts ? found : std::nullopt;
}

/// False: it would be the only one.
bool SegmentsDecoder::plan_first_segment(const std::optional<KeyFrame> &from)
{
    if (part_duration(planner_) <= 0)
        return false;
    planned_ = {from, key_frame_behind(from), first_pts_};
    return planned_.to.has_value();
}

void SegmentsDecoder::start(unsigned decoders)
{
    while (threads_.size() < decoders)
        threads_.push_back(start_thread("to decode a video", [this] {
            try {
                work();
            } catch (...) {
                stop(std::current_exception());
            }
        }));
}

/// Whatever goes wrong in a segment, damage of the video too, is told by the decoder of the whole.
void SegmentsDecoder::work()
{
    try {
        const auto decoder = std::make_shared<Decoder>(planner_.file().reopened(), settings_);
        {
            const std::scoped_lock lock(mutex_);
            decoders_.push_back(decoder);
        }
        while (const auto segment = next_segment())
            decode(*decoder, *segment);
    } catch (const Failure &) {
        throw SegmentsDoNotFit{"it cannot be decoded to its end"};
    }
}

/// Null: there are no more.
std::shared_ptr<SegmentsDecoder::Segment> SegmentsDecoder::next_segment()
{
    const std::scoped_lock planning(planning_);
    auto segment = std::make_shared<Segment>();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return failure_ || all_planned_ || segments_.size() < most_segments_; });
        if (failure_ || all_planned_)
            return nullptr;
        segment->frames = planned_;
        segments_.push_back(segment);
        all_planned_ = !planned_.to;
    }
    changed_.notify_all();
    if (segment->frames.to)
        planned_ = {segment->frames.to, key_frame_behind(segment->frames.to), first_pts_};
    return segment;
}

void SegmentsDecoder::decode(Decoder &decoder, Segment &segment)
{
    const VideoSegment &frames = segment.frames;
    decoder.start_segment(frames);
    std::uint64_t delivered = 0;
    std::int64_t last_pts = AV_NOPTS_VALUE;
    while (AvFrame frame = decoder.next()) {
        if (frame->pts == AV_NOPTS_VALUE || (last_pts != AV_NOPTS_VALUE && frame->pts <= last_pts))
            throw SegmentsDoNotFit{"time stamps do not ascend"};
        last_pts = frame->pts;
        if ((frames.from && frame->pts < frames.from->pts) || (frames.to && frame->pts >= frames.to->pts))
            continue;
        ++delivered;
        if (!deliver(segment, {std::move(frame), decoder.software_format()}))
            return;
    }
    if (delivered != decoder.demuxer().frames_in_segment())
        throw SegmentsDoNotFit{"its packets are not a frame each"};
    if (decoder.damage())
        throw SegmentsDoNotFit{"it is damaged"};
    {
        const std::scoped_lock lock(mutex_);
        segment.is_complete = true;
        packets_ += delivered;
        bits_ += decoder.bits_per_packet().value_or(0) * static_cast<double>(delivered);
    }
    changed_.notify_all();
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
    return std::move(decoded.frame);
}

std::optional<double> SegmentsDecoder::bits_per_packet() const
{
    const std::scoped_lock lock(mutex_);
    return packets_ > 0 ? std::optional(bits_ / static_cast<double>(packets_)) : std::nullopt;
}

} // namespace vmaf::tool
