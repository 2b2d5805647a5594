#include "input/media/decoder.h"

#include <algorithm>
#include <atomic>
#include <cctype>
#include <utility>

#include "common/failure.h"
#include "common/format.h"
#include "input/media.h"
#include "input/media/alpha.h"
#include "input/media/film_grain.h"
#include "input/media/frame_tags.h"
#include "input/media/nal_units.h"

namespace vmaf::tool {
namespace {

constexpr int kOneThreadPerCore = 0;
constexpr int kOneThread = 1;
/// Since then a frame of a GPU's decoder is a copy, unless asked otherwise.
constexpr unsigned kFramesAreCopies = AV_VERSION_INT(59, 55, 100);

bool decodes_on_cuda(const AVCodec &codec)
{
    constexpr int kByDevice = AV_CODEC_HW_CONFIG_METHOD_HW_DEVICE_CTX;
    for (int i = 0; const AVCodecHWConfig *way = avcodec_get_hw_config(&codec, i); ++i)
        if (way->device_type == AV_HWDEVICE_TYPE_CUDA && (way->methods & kByDevice) != 0)
            return true;
    return false;
}

/// The CUDA decoder of a codec. It is not always the first: AV1's software decoder comes before it.
/// Null: there is none.
const AVCodec *find_cuda_decoder(AVCodecID id)
{
    void *position = nullptr;
    while (const AVCodec *codec = av_codec_iterate(&position))
        if (codec->id == id && av_codec_is_decoder(codec) != 0 && decodes_on_cuda(*codec))
            return codec;
    return nullptr;
}

/// The libraries ask again without CUDA if that cannot decode the stream.
AVPixelFormat prefer_cuda(AVCodecContext *context, const AVPixelFormat *offered)
{
    for (const AVPixelFormat *format = offered; *format != AV_PIX_FMT_NONE; ++format)
        if (*format == AV_PIX_FMT_CUDA)
            return *format;
    return avcodec_default_get_format(context, offered);
}

/// The decoders of the codecs' own library read alpha that is stored beside the pictures. Null:
/// there is none.
const AVCodec *find_alpha_decoder(const AVStream &stream)
{
    if (!has_alpha_beside(stream))
        return nullptr;
    return avcodec_find_decoder_by_name(stream.codecpar->codec_id == AV_CODEC_ID_VP8 ? "libvpx" : "libvpx-vp9");
}

const AVCodec *find_decoder(const AVStream &stream, bool on_gpu)
{
    const AVCodecID id = stream.codecpar->codec_id;
    const AVCodec *codec = on_gpu ? find_cuda_decoder(id) : find_alpha_decoder(stream);
    if (!codec && !on_gpu)
        codec = avcodec_find_decoder(id);
    if (!codec)
        throw Failure(kExitSetup, formatted("no {}decoder for {}", on_gpu ? "GPU " : "", avcodec_get_name(id)));
    return codec;
}

AvCodecContext open_decoder(const AVStream &stream, DecoderComplaints &complaints, const DecoderSettings &settings,
                            int threads)
{
    const AVCodecParameters &parameters = *stream.codecpar;
    const AVCodec *codec = find_decoder(stream, settings.gpu != nullptr);
    AvCodecContext context(allocated(avcodec_alloc_context3(codec)));
    int error = avcodec_parameters_to_context(context.get(), &parameters);
    context->opaque = &complaints;
    context->thread_count = threads;
    if (settings.gpu) {
        context->hw_device_ctx = allocated(av_buffer_ref(settings.gpu));
        context->get_format = prefer_cuda;
    }
    if (settings.film_grain == FilmGrain::remove)
        context->export_side_data |= AV_CODEC_EXPORT_DATA_FILM_GRAIN; // instead of adding it
    context->pkt_timebase = stream.time_base;
    // Crop where the stream says, not at the next address that suits vector code.
    context->flags |= AV_CODEC_FLAG_UNALIGNED;
    if (error >= 0)
        error = avcodec_open2(context.get(), codec, nullptr);
    if (error < 0)
        throw Failure(kExitSetup, formatted("cannot decode {} ({})", codec->name, libav_reason(error)));
    return context;
}

std::atomic<bool> g_process_is_ending{false};

bool is_damaged(const AVFrame &frame)
{
    return (frame.flags & AV_FRAME_FLAG_CORRUPT) != 0 || frame.decode_error_flags != 0;
}

} // namespace

/// A GPU's decoder gets one thread: more would take surfaces and have nothing to do.
Decoder::Decoder(InputFile file, const DecoderSettings &settings, Threads threads)
    : demuxer_(std::move(file), settings.demuxer), film_grain_(settings.film_grain),
      complaints_(std::make_unique<DecoderComplaints>()),
      codec_(open_decoder(demuxer_.stream(), *complaints_, settings,
                          settings.gpu || threads == Threads::one ? kOneThread : kOneThreadPerCore)),
      packet_(allocated(av_packet_alloc())), decoded_(new_frame())
{
    if (settings.gpu && avcodec_version() < kFramesAreCopies)
        copies_.emplace(codec_->hw_device_ctx);
}

Decoder::~Decoder()
{
    if (codec_->hw_device_ctx && g_process_is_ending)
        static_cast<void>(codec_.release());
}

void leave_decoders_to_process_end()
{
    g_process_is_ending = true;
}

void Decoder::stop(StopReason reason, const std::string &what) const
{
    throw ScoringStopped(reason, kExitBadData,
                         formatted("{}: frame {}: {}", printable(demuxer_.file().path()), first_ + frames_, what));
}

void Decoder::stop_at_frame(int error) const
{
    const std::string reason = libav_reason(error);
    // When the decoder's threads have stopped, all of their messages about packets are counted.
    avcodec_flush_buffers(codec_.get());
    stop(StopReason::decode_error, formatted("cannot be decoded ({})", reason));
}

std::optional<std::string> Decoder::damage() const
{
    const std::string file = printable(demuxer_.file().path());
    std::uint64_t complaints = 0;
    std::string example;
    const auto count = [&](const DecoderComplaints &more) {
        if (more.count() > 0)
            example = complaints == 0 ? more.example() : std::min(example, more.example());
        complaints += more.count();
    };
    for (std::size_t i = earlier_packets_; i < start_packets_.size(); ++i)
        if (is_delivered(start_packets_[i]))
            count(start_packets_[i].complaints);
    count(*complaints_);
    if (complaints > 0)
        return formatted("{}: {} in decoding, such as: {}; frames are scored as decoded", file,
                         counted(complaints, "error"), example);
    if (damaged_frames_ > 0)
        return formatted("{}: {}, scored as decoded", file, counted(damaged_frames_, "damaged frame"));
    return std::nullopt;
}

AvFrame Decoder::first_packet_in_software() const
{
    if (!first_packet_)
        return nullptr;
    DecoderComplaints complaints;
    DecoderSettings in_software;
    in_software.film_grain = film_grain_;
    const AvCodecContext codec = open_decoder(demuxer_.stream(), complaints, in_software, kOneThread);
    AvFrame frame = new_frame();
    if (avcodec_send_packet(codec.get(), first_packet_.get()) != 0 || avcodec_send_packet(codec.get(), nullptr) != 0 ||
        avcodec_receive_frame(codec.get(), frame.get()) != 0)
        return nullptr;
    imply_range(*frame, codec->codec_id);
    return frame;
}

AvFrame Decoder::next()
{
    if (frames_ == 1)
        first_packet_.reset();
    for (;;) {
        const int error = avcodec_receive_frame(codec_.get(), decoded_.get());
        if (error == 0) {
            ++frames_;
            imply_range(*decoded_, codec_->codec_id);
            coded_frame_ = coded_frame_of(*decoded_);
            if (decoded_->pts == AV_NOPTS_VALUE)
                delivers_frames_without_pts_ = true;
            else if (!delivered_from_)
                delivered_from_ = decoded_->pts;
            if (is_damaged(*decoded_))
                ++damaged_frames_;
            AvFrame frame = std::exchange(decoded_, new_frame());
            return copies_ && is_in_cuda(*frame) ? copies_->copy(*frame) : std::move(frame);
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
            stop_at_frame(error);
        read();
        if (joins_segments_ && fed_ == Demuxer::Next::end)
            return nullptr;
        feed();
    }
}

std::string Decoder::complaint() const
{
    for (const StartPacket &packet : start_packets_)
        if (packet.complaints.count() > 0)
            return formatted(" ({})", packet.complaints.example());
    return complaints_->count() > 0 ? formatted(" ({})", complaints_->example()) : "";
}

void Decoder::start_segment(const VideoSegment &segment, std::uint64_t first)
{
    first_ = first;
    demuxer_.start_segment(segment);
    fed_ = Demuxer::Next::packet;
    has_packet_ = false;
    if (joins_segments_)
        return;
    avcodec_flush_buffers(codec_.get());
    packets_.clear();
    earlier_packets_ = start_packets_.size();
    delivered_from_.reset();
    is_at_start_ = true;
}

/// No frame comes before the first one that is delivered.
bool Decoder::is_delivered(const StartPacket &packet) const
{
    return packet.pts == AV_NOPTS_VALUE ? delivers_frames_without_pts_
                                        : delivered_from_ && packet.pts >= *delivered_from_;
}

/// Threads of the decoder take the pointer over with the packet.
void Decoder::choose_complaints()
{
    const bool is_key = (packet_->flags & AV_PKT_FLAG_KEY) != 0;
    is_at_start_ = is_at_start_ && !(is_key && delivered_from_);
    codec_->opaque = complaints_.get();
    if (!is_at_start_)
        return;
    if (start_packets_.size() == earlier_packets_)
        misses_pictures_ = may_be_open(*packet_, *demuxer_.stream().codecpar);
    StartPacket &start = start_packets_.emplace_back();
    start.pts = packet_->pts;
    if (misses_pictures_)
        start.complaints.expect_missing_pictures();
    codec_->opaque = &start.complaints;
}

void Decoder::check_film_grain()
{
    const AVCodecParameters &codec = *demuxer_.stream().codecpar;
    has_film_grain_ =
        vmaf::tool::has_film_grain({packet_->data, static_cast<std::size_t>(packet_->size)}, codec) ||
        vmaf::tool::has_film_grain({codec.extradata, static_cast<std::size_t>(codec.extradata_size)}, codec);
}

/// Two packets of one time stamp are fields of a frame.
void Decoder::note_size()
{
    if (packet_->pts == AV_NOPTS_VALUE)
        return;
    CodedFrame &frame = packets_[packet_->pts];
    frame.bytes += static_cast<unsigned>(packet_->size);
    if ((packet_->flags & AV_PKT_FLAG_KEY) != 0)
        frame.type = 'K';
}

/// Frames come in the order of their time stamps: packets before this one have given none.
CodedFrame Decoder::coded_frame_of(const AVFrame &frame)
{
    const auto packet = packets_.find(frame.pts);
    CodedFrame coded = packet == packets_.end() ? CodedFrame() : packet->second;
    packets_.erase(packets_.begin(), packets_.upper_bound(frame.pts));
    if (coded.type != 'K')
        coded.type = static_cast<char>(std::toupper(av_get_picture_type_char(frame.pict_type)));
    return coded;
}

void Decoder::read()
{
    if (has_packet_ || fed_ != Demuxer::Next::packet)
        return;
    fed_ = demuxer_.read(*packet_);
    has_packet_ = fed_ == Demuxer::Next::packet;
    if (has_packet_ && frames_ == 0 && !has_film_grain_)
        check_film_grain();
    if (has_packet_ && frames_ == 0 && !first_packet_)
        first_packet_.reset(allocated(av_packet_clone(packet_.get())));
    if (has_packet_) {
        note_size();
        choose_complaints();
    }
}

/// What comes before the first frame may be the rest of a group of pictures whose beginning was cut
/// away.
void Decoder::feed()
{
    // The decoder's threads take the value over with the packet.
    codec_->skip_frame = !has_packet_ || wanted_.empty() || std::ranges::binary_search(wanted_, packet_->pts)
                             ? AVDISCARD_DEFAULT
                             : AVDISCARD_NONREF;
    const int error = avcodec_send_packet(codec_.get(), has_packet_ ? packet_.get() : nullptr);
    if (error == AVERROR(EAGAIN))
        return;
    has_packet_ = false;
    if (error == AVERROR(ENOMEM))
        throw std::bad_alloc();
    if (error < 0 && error != AVERROR_EOF && frames_ > 0)
        stop_at_frame(error);
}

} // namespace vmaf::tool
