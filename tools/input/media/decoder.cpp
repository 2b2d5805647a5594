#include "input/media/decoder.h"

#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "common/printable.h"

namespace vmaf::tool {
namespace {

constexpr int kOneThreadPerCore = 0;

AvCodecContext open_decoder(const AVStream &stream, DecoderComplaints &complaints)
{
    const AVCodecParameters &parameters = *stream.codecpar;
    const AVCodec *codec = avcodec_find_decoder(parameters.codec_id);
    if (!codec)
        throw Failure(kExitSetup, formatted("no decoder for {}", avcodec_get_name(parameters.codec_id)));
    AvCodecContext context(allocated(avcodec_alloc_context3(codec)));
    int error = avcodec_parameters_to_context(context.get(), &parameters);
    context->opaque = &complaints;
    context->thread_count = kOneThreadPerCore;
    context->pkt_timebase = stream.time_base;
    // Crop where the stream says, not at the next address that suits vector code. Damaged frames keep the count of frames.
    context->flags |= AV_CODEC_FLAG_UNALIGNED | AV_CODEC_FLAG_OUTPUT_CORRUPT;
    if (error >= 0)
        error = avcodec_open2(context.get(), codec, nullptr);
    if (error < 0)
        throw Failure(kExitSetup, formatted("cannot decode {} ({})", codec->name, libav_reason(error)));
    return context;
}

bool is_damaged(const AVFrame &frame)
{
    return (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0;
}

} // namespace

Decoder::Decoder(InputFile file, Network network)
    : demuxer_(std::move(file), network), complaints_(std::make_unique<DecoderComplaints>()),
      codec_(open_decoder(demuxer_.stream(), *complaints_)), packet_(allocated(av_packet_alloc())),
      decoded_(new_frame())
{
}

void Decoder::stop(StopReason reason, const std::string &what) const
{
    throw ScoringStopped(reason, kExitBadData,
                         formatted("{}: frame {}: {}", printable(demuxer_.file().path()), frames_, what));
}

std::optional<std::string> Decoder::damage() const
{
    const std::string file = printable(demuxer_.file().path());
    const std::uint64_t complaints = complaints_->count();
    if (complaints > 0)
        return formatted("{}: {} error{} in decoding, the first: {}; frames are scored as decoded", file, complaints,
                         complaints == 1 ? "" : "s", complaints_->first());
    if (damaged_frames_ > 0)
        return formatted("{}: {} damaged frame{}, scored as decoded", file, damaged_frames_,
                         damaged_frames_ == 1 ? "" : "s");
    return std::nullopt;
}

AvFrame Decoder::next()
{
    for (;;) {
        const int error = avcodec_receive_frame(codec_.get(), decoded_.get());
        if (error == 0) {
            ++frames_;
            if (is_damaged(*decoded_))
                ++damaged_frames_;
            return std::exchange(decoded_, new_frame());
        }
        if (error == AVERROR_EOF && fed_ == Demuxer::Next::end)
            return nullptr;
        if (error == AVERROR_EOF && fed_ == Demuxer::Next::truncated)
            stop(StopReason::truncated_input, "the file ends before the video does");
        if (error == AVERROR_EOF)
            stop(StopReason::decode_error, "the file cannot be read any further");
        if (error == AVERROR(ENOMEM))
            throw std::bad_alloc();
        if (error != AVERROR(EAGAIN) && frames_ > 0)
            stop(StopReason::decode_error, formatted("cannot be decoded ({})", libav_reason(error)));
        feed();
    }
}

/// What comes before the first frame may be the rest of a group of pictures whose beginning was cut away.
void Decoder::feed()
{
    if (!has_packet_ && fed_ == Demuxer::Next::packet) {
        fed_ = demuxer_.read(*packet_);
        has_packet_ = fed_ == Demuxer::Next::packet;
    }
    const int error = avcodec_send_packet(codec_.get(), has_packet_ ? packet_.get() : nullptr);
    if (error == AVERROR(EAGAIN))
        return;
    has_packet_ = false;
    if (error == AVERROR(ENOMEM))
        throw std::bad_alloc();
    if (error < 0 && error != AVERROR_EOF && frames_ > 0)
        stop(StopReason::decode_error, formatted("cannot be decoded ({})", libav_reason(error)));
}

} // namespace vmaf::tool
