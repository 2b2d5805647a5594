#include "input/media/parts_decoder.h"

#include <algorithm>
#include <utility>

namespace vmaf::tool {
namespace {

/// Short parts wait for decoders that are started anew, long ones take memory: about so many frames, if key frames are no farther apart.
constexpr std::int64_t kPartFrames = 48;
/// With fewer a decoder waits for its turn more than it works.
constexpr std::uint64_t kLeastFramesAhead = 16;

/// In units of the stream; 0: its rate is not known.
std::int64_t part_duration(const Demuxer &demuxer)
{
    const auto rate = demuxer.frame_rate();
    return rate ? av_rescale_q(kPartFrames, av_inv_q(*rate), demuxer.stream().time_base) : 0;
}

} // namespace

std::unique_ptr<PartsDecoder> PartsDecoder::open(const InputFile &file, Network network, AVBufferRef *gpu,
                                                 const std::optional<KeyFrame> &from, unsigned decoders,
                                                 std::uint64_t frames_ahead)
{
    if (decoders < 2 || frames_ahead < kLeastFramesAhead)
        return nullptr;
    std::unique_ptr<PartsDecoder> made(new PartsDecoder(file, network, gpu, decoders, frames_ahead));
    if (!made->plan_first_part(from))
        return nullptr;
    made->start(decoders);
    return made;
}

PartsDecoder::PartsDecoder(const InputFile &file, Network network, AVBufferRef *gpu, unsigned decoders,
                           std::uint64_t frames_ahead)
    : network_(network), gpu_(gpu), frames_ahead_(frames_ahead), most_parts_(decoders),
      planner_(file.reopened(), network)
{
}

PartsDecoder::~PartsDecoder()
{
    cancel();
}

/// Empty: there is none.
std::optional<KeyFrame> PartsDecoder::key_frame_behind(const std::optional<KeyFrame> &start)
{
    const std::int64_t first_pts = planner_.stream().start_time == AV_NOPTS_VALUE ? 0 : planner_.stream().start_time;
    const std::int64_t start_pts = start ? start->pts : first_pts;
    const auto found = planner_.key_frame_from(start_pts + part_duration(planner_));
    return found && found->pts > start_pts ? found : std::nullopt;
}

/// False: it would be the only one.
bool PartsDecoder::plan_first_part(const std::optional<KeyFrame> &from)
{
    if (part_duration(planner_) <= 0)
        return false;
    planned_ = {from, key_frame_behind(from)};
    return planned_.to.has_value();
}

void PartsDecoder::start(unsigned decoders)
{
    while (threads_.size() < decoders)
        threads_.emplace_back([this] {
            try {
                work();
            } catch (...) {
                stop(std::current_exception());
            }
        });
}

/// Whatever goes wrong in a part, damage of the video too, is told by the decoder of the whole.
void PartsDecoder::work()
{
    try {
        const auto decoder = std::make_shared<Decoder>(planner_.file().reopened(), network_, gpu_);
        {
            const std::scoped_lock lock(mutex_);
            decoders_.push_back(decoder);
        }
        while (const auto part = next_part())
            decode(*decoder, *part);
    } catch (const Failure &) {
        throw PartsDoNotFit{"it cannot be decoded to its end"};
    }
}

/// Null: there are no more.
std::shared_ptr<PartsDecoder::Part> PartsDecoder::next_part()
{
    const std::scoped_lock planning(planning_);
    auto part = std::make_shared<Part>();
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] { return failure_ || all_planned_ || parts_.size() < most_parts_; });
        if (failure_ || all_planned_)
            return nullptr;
        part->frames = planned_;
        parts_.push_back(part);
        all_planned_ = !planned_.to;
    }
    changed_.notify_all();
    if (part->frames.to)
        planned_ = {part->frames.to, key_frame_behind(part->frames.to)};
    return part;
}

void PartsDecoder::decode(Decoder &decoder, Part &part)
{
    const VideoPart &frames = part.frames;
    decoder.start_part(frames);
    std::uint64_t delivered = 0;
    std::int64_t last_pts = AV_NOPTS_VALUE;
    while (AvFrame frame = decoder.next()) {
        if (frame->pts == AV_NOPTS_VALUE || (last_pts != AV_NOPTS_VALUE && frame->pts <= last_pts))
            throw PartsDoNotFit{"time stamps do not ascend"};
        last_pts = frame->pts;
        if ((frames.from && frame->pts < frames.from->pts) || (frames.to && frame->pts >= frames.to->pts))
            continue;
        ++delivered;
        if (!deliver(part, {std::move(frame), decoder.software_format()}))
            return;
    }
    if (delivered != decoder.demuxer().frames_in_part())
        throw PartsDoNotFit{"its packets are not a frame each"};
    if (decoder.damage())
        throw PartsDoNotFit{"it is damaged"};
    {
        const std::scoped_lock lock(mutex_);
        part.is_complete = true;
        packets_ += delivered;
        bits_ += decoder.bits_per_packet().value_or(0) * static_cast<double>(delivered);
    }
    changed_.notify_all();
}

/// False: nobody wants it any more.
bool PartsDecoder::deliver(Part &part, DecodedFrame decoded)
{
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return failure_ || part.decoded.size() < frames_ahead_; });
        if (failure_)
            return false;
        part.decoded.push_back(std::move(decoded));
    }
    changed_.notify_all();
    return true;
}

void PartsDecoder::stop(std::exception_ptr failure)
{
    {
        const std::scoped_lock lock(mutex_);
        if (!failure_)
            failure_ = std::move(failure);
    }
    changed_.notify_all();
}

void PartsDecoder::cancel()
{
    stop(std::make_exception_ptr(ReadCancelled{}));
    const std::scoped_lock lock(mutex_);
    for (const auto &decoder : decoders_)
        decoder->cancel();
}

AvFrame PartsDecoder::next()
{
    DecodedFrame decoded{};
    {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [this] {
            while (!parts_.empty() && parts_.front()->is_complete && parts_.front()->decoded.empty()) {
                parts_.pop_front();
                changed_.notify_all();
            }
            return failure_ || (parts_.empty() ? all_planned_ : !parts_.front()->decoded.empty());
        });
        if (failure_)
            std::rethrow_exception(failure_);
        if (parts_.empty())
            return nullptr;
        decoded = std::move(parts_.front()->decoded.front());
        parts_.front()->decoded.pop_front();
    }
    changed_.notify_all();
    software_format_ = decoded.software_format;
    return std::move(decoded.frame);
}

std::optional<double> PartsDecoder::bits_per_packet() const
{
    const std::scoped_lock lock(mutex_);
    return packets_ > 0 ? std::optional(bits_ / static_cast<double>(packets_)) : std::nullopt;
}

} // namespace vmaf::tool
