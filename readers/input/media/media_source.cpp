#include "input/media/media_source.h"

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "input/media.h"
#include "input/media/alpha.h"
#include "input/media/film_grain.h"
#include "input/media/frame_tags.h"
#include "input/media/orientation.h"
#include "input/media/segments_decoder.h"
#include "input/open_video.h"
#include "machine/machine.h"

namespace vmaf::tool {
namespace {

/// The container's tags have priority over the frame's.
VideoTags stream_tags(const AVFrame &frame, AVPixelFormat format, const AVStream &stream)
{
    VideoTags tags = tags_of(frame, format);
    tags.is_media = true;
    tags.codec = avcodec_get_name(stream.codecpar->codec_id);
    const AVFieldOrder order = stream.codecpar->field_order;
    tags.is_interlaced = tags.is_interlaced || (order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE);
    if (stream.sample_aspect_ratio.num != 0) {
        tags.pixel_aspect_num = stream.sample_aspect_ratio.num;
        tags.pixel_aspect_den = stream.sample_aspect_ratio.den;
    }
    return tags;
}

bool is_short(const Demuxer &demuxer)
{
    const AVCodecParameters &parameters = *demuxer.stream().codecpar;
    const VideoFormat format{static_cast<unsigned>(parameters.width), static_cast<unsigned>(parameters.height)};
    return software_is_done_first(demuxer.frame_count(), format, available_cores());
}

} // namespace

MediaSource::MediaSource(InputFile file, const MediaSettings &settings, Warnings &warnings, Doubts doubts)
    : settings_(settings), warnings_(warnings), looks_for_alpha_(doubts == Doubts::are_told && !settings.background),
      planar_(settings.rounding, settings.background)
{
    open(std::move(file));
    if (!first_)
        throw Failure(kExitSetup, "no frame of the video can be decoded");
    check_format(*first_);
    const AVPixelFormat format = format_of(*first_);
    const PixelLayout layout = pixel_layout(format).value();
    const VisibleSize size = visible_size(*first_);
    format_ = {static_cast<unsigned>(size.width_px), static_cast<unsigned>(size.height_px), layout.pix_fmt,
               layout.depth};
    tags_ = stream_tags(*first_, format, decoder_->demuxer().stream());
    tags_.has_film_grain = has_film_grain_;
    if (doubts == Doubts::are_told)
        tell_of_other_videos();
    take_alpha_beside();
    looks_for_alpha_ = looks_for_alpha_ && !tags_.has_alpha;
    if (settings_.samples.range && !layout.rgb)
        tags_.range = settings_.samples.range;
    if (settings_.samples.matrix && !layout.rgb)
        tags_.colour.matrix = *settings_.samples.matrix;
    tags_.is_still = decoder_->demuxer().is_still();
    tags_.is_live = decoder_->demuxer().is_live();
    if (settings_.autorotate)
        tags_.orientation = orientation(*first_);
    first_pts_ = first_->pts;
}

/// Such as renditions of one film.
void MediaSource::tell_of_other_videos()
{
    const Demuxer &demuxer = decoder_->demuxer();
    if (demuxer.videos() > 1)
        warnings_.note(formatted("{0} has {1} videos, and stream {2} is read ({3}x{4}); ffmpeg -i {0} -map 0:N -c copy "
                                 "takes out stream N",
                                 printable(file().path()), demuxer.videos(), demuxer.stream().index, format_.width_px,
                                 format_.height_px));
}

/// Notes alpha that the container stores next to the video and that the decoder does not deliver.
void MediaSource::take_alpha_beside()
{
    const AVStream &stream = decoder_->demuxer().stream();
    if (!has_alpha_beside(stream) || has_alpha(*first_))
        return;
    if (settings_.background)
        throw Failure(kExitSetup, formatted("--background: no decoder for the transparency of {} in this container",
                                            avcodec_get_name(stream.codecpar->codec_id)));
    tags_.has_alpha = true;
}

/// The container's tags have priority over the bitstream's, because the container was made, or
/// edited, last.
Orientation MediaSource::orientation(const AVFrame &frame) const
{
    DisplayMatrix matrix = display_matrix(decoder_->demuxer().stream());
    if (!matrix)
        matrix = display_matrix(frame);
    return matrix ? orientation_of(matrix) : Orientation();
}

void MediaSource::open(InputFile file)
{
    if (settings_.gpu && !is_image_sequence(file) && decodes_on_gpu(file))
        return;
    settings_.gpu = nullptr;
    take(std::make_unique<Decoder>(std::move(file), decoder_settings()));
    const AVCodec &codec = *avcodec_find_decoder(decoder_->demuxer().stream().codecpar->codec_id);
    if (settings_.film_grain == FilmGrain::remove && has_film_grain_ && !can_leave_out_grain(codec))
        throw Failure(kExitSetup,
                      formatted("--film_grain remove: the decoder {} adds film grain all the same", codec.name));
}

DecoderSettings MediaSource::decoder_settings() const
{
    return {settings_.demuxer, settings_.gpu ? settings_.gpu->context() : nullptr, settings_.film_grain};
}

/// And decode the first frame.
void MediaSource::take(std::unique_ptr<Decoder> decoder)
{
    first_ = decoder->next();
    has_film_grain_ = decoder->has_film_grain();
    decoder_ = std::move(decoder);
}

/// Else the file is as it was, and the user knows why, unless it is short. Only where the GPU is
/// demanded, it is given a file that cannot be read twice.
bool MediaSource::decodes_on_gpu(InputFile &file)
{
    MediaGpu &gpu = *settings_.gpu;
    if (!gpu.is_demanded() && file.is_seekable() && is_short(Demuxer(file.reopened(), settings_.demuxer)))
        return false; // before the GPU is opened, which takes time too
    const std::string path = printable(file.path());
    if (!gpu.context() && gpu.is_demanded())
        throw Failure(kExitSetup, formatted("no GPU to decode with ({})", gpu.reason()));
    if (!gpu.context())
        return false;
    std::string reason = "it can be read only once, so the GPU is not tried (--decoder cuda tries it)";
    if (gpu.is_demanded() || file.is_seekable()) {
        reason = why_not_on_gpu(gpu.is_demanded() ? std::move(file) : file.reopened());
        if (reason.empty())
            return true;
    }
    if (gpu.is_demanded())
        throw Failure(kExitSetup, reason);
    say("{}: decoded on the CPU: {}\n", path, reason);
    return false;
}

/// Empty: it does, and the first frame is there.
std::string MediaSource::why_not_on_gpu(InputFile file)
{
    try {
        auto made = std::make_unique<Decoder>(std::move(file), decoder_settings());
        const Decoder &decoder = *made;
        take(std::move(made));
        if (has_alpha_beside(decoder.demuxer().stream()))
            return "the GPU leaves out its transparency";
        const AVCodecID codec = decoder.demuxer().stream().codecpar->codec_id;
        if (settings_.film_grain == FilmGrain::keep && has_film_grain_ && !gpu_adds_grain(codec))
            return formatted("the GPU adds no film grain to {}", avcodec_get_name(codec));
        const bool is_usable = first_ && cuda_layout_of(*first_);
        if (is_usable && !is_first_of_software(*first_, decoder))
            return "the GPU and software decode its first frame to different samples";
        if (is_usable)
            return {};
        return formatted("the GPU does not decode {} of this kind{}", avcodec_get_name(codec), decoder.complaint());
    } catch (const NotMedia &) {
        throw;
    } catch (const Failure &failure) {
        return failure.what();
    }
}

/// GPUs give other chroma to H.264 without colour, for one, and no library tells that there is
/// none. What software cannot decode is taken as it is.
///
/// Usually the first packet is the first frame. If it gives another one, the file is opened again
/// and read up to its first frame. With reordered frames that is some packets later.
bool MediaSource::is_first_of_software(const AVFrame &decoded_on_gpu, const Decoder &decoder)
{
    const auto is_same = [&](const AVFrame &expected) {
        return pixel_layout(static_cast<AVPixelFormat>(expected.format)) &&
               have_same_samples(*planar_.make(expected), *downloaded(decoded_on_gpu, *cuda_layout_of(decoded_on_gpu)));
    };
    const AvFrame alone = decoder.first_packet_in_software();
    if (alone && alone->pts == decoded_on_gpu.pts && is_same(*alone))
        return true;
    if (!file().is_seekable())
        return true;
    DecoderSettings in_software = decoder_settings();
    in_software.gpu = nullptr;
    Decoder software(file().reopened(), in_software, Decoder::Threads::one);
    const AvFrame expected = software.next();
    return !expected || is_same(*expected);
}

std::unique_ptr<PlanarSource> MediaSource::reopened(const std::shared_ptr<MediaGpu> &gpu) const
{
    MediaSettings settings = settings_;
    settings.gpu = gpu;
    InputFile again = is_image_sequence(file()) ? InputFile::unopened(file().path()) : file().reopened();
    return std::make_unique<MediaSource>(std::move(again), settings, warnings_, Doubts::were_told);
}

std::optional<double> MediaSource::frame_rate() const
{
    const auto rate = decoder_->demuxer().frame_rate();
    return rate ? std::optional(av_q2d(*rate)) : std::nullopt;
}

std::vector<double> MediaSource::frame_times() const
{
    const Demuxer &demuxer = decoder_->demuxer();
    const std::vector<std::int64_t> &stamps = index_ ? index_->time_stamps() : times_;
    if (!demuxer.frame_rate() || std::ranges::find(stamps, AV_NOPTS_VALUE) != stamps.end())
        return {};
    std::vector<double> seconds;
    seconds.reserve(stamps.size());
    for (const std::int64_t stamp : stamps)
        seconds.push_back(static_cast<double>(stamp) * av_q2d(demuxer.stream().time_base));
    return seconds;
}

/// Reading a segment, or some frames only, gives these and no others: the packets tell of all.
std::vector<CodedFrame> MediaSource::coded_frames() const
{
    if (index_ && coded_.size() < index_->frames())
        return index_->coded_frames();
    const bool is_from_start = !(segment_ && segment_->from);
    const auto is_unknown = [](const CodedFrame &frame) { return frame.bytes == 0; };
    return is_from_start && std::ranges::none_of(coded_, is_unknown) ? coded_ : std::vector<CodedFrame>();
}

AVPixelFormat MediaSource::format_of(const AVFrame &frame) const
{
    return is_in_cuda(frame) ? decoder_->software_format() : static_cast<AVPixelFormat>(frame.format);
}

std::optional<CudaLayout> MediaSource::cuda_layout_of(const AVFrame &stored) const
{
    return is_in_cuda(stored) ? cuda_layout(stored, format_of(stored)) : std::nullopt;
}

/// Check the format of every frame, because it may change.
void MediaSource::check_format(const AVFrame &frame)
{
    const AVPixelFormat format = format_of(frame);
    const auto layout = pixel_layout(format);
    if (!layout && first_ == nullptr)
        throw ScoringStopped(StopReason::decode_error, kExitBadData,
                             formatted("{}: frame {}: pixel format {} is not supported", printable(file().path()),
                                       delivered_, pixel_format_name(format)));
    if (!layout)
        throw Failure(kExitSetup, formatted("pixel format {} is not supported", pixel_format_name(format)));
}

/// The plan speaks of the first frame's.
void MediaSource::check_alpha(const AVFrame &frame)
{
    if (!looks_for_alpha_ || !is_transparent(frame))
        return;
    looks_for_alpha_ = false;
    warnings_.warn(formatted("{}: frame {} has transparency, which is not scored: --background 000000 composes it over "
                             "a colour",
                             printable(file().path()), delivered_ - 1));
}

/// Some frames have no orientation. All others must have the same.
void MediaSource::check_orientation(const AVFrame &frame)
{
    if (settings_.autorotate && display_matrix(frame) && orientation(frame) != tags_.orientation)
        throw ScoringStopped(StopReason::decode_error, kExitBadData,
                             formatted("{}: frame {}: the orientation changes (--no_autorotate scores pictures as they "
                                       "are stored)",
                                       printable(file().path()), delivered_ - 1));
}

AvFrame MediaSource::decode()
{
    if (!wanted_.empty())
        return decode_wanted();
    AvFrame frame = first_ ? std::exchange(first_, nullptr) : decoder_->next();
    if (segment_)
        check(frame.get());
    if (frame) {
        ++delivered_;
        times_.push_back(frame->best_effort_timestamp);
        coded_.push_back(decoder_->coded_frame());
    }
    return frame;
}

/// @param frame null: the video has ended.
void MediaSource::check(const AVFrame *frame)
{
    if (time_stamps_.count() >= segment_->checked)
        return;
    if (frame == nullptr)
        throw SegmentsDoNotFit{"it has fewer frames than packets"};
    time_stamps_.add(frame->pts);
    if (time_stamps_.count() == segment_->checked && time_stamps_.value() != segment_->time_stamps)
        throw SegmentsDoNotFit{"its frames have other time stamps than its packets"};
}

std::optional<std::uint64_t> MediaSource::index_frames()
{
    if (!index_)
        index_ = FrameIndex::of(file(), settings_.demuxer.network, first_pts_);
    return index_ ? std::optional(index_->frames()) : std::nullopt;
}

/// The first frame of all has told the video's format.
void MediaSource::start_at(const SegmentStart &segment)
{
    segment_ = segment;
    if (segment.from) {
        auto decoder = std::make_unique<Decoder>(file().reopened(), decoder_settings());
        decoder->start_segment({segment.from, std::nullopt}, segment.start);
        first_ = decoder->next();
        decoder_ = std::move(decoder);
        delivered_ = segment.start;
        if (!first_ || first_->pts != segment.from->pts)
            throw SegmentsDoNotFit{"a key frame is not found again"};
    }
}

AvFrame MediaSource::next_stored(bool /*with_chroma*/)
{
    AvFrame frame = decode();
    if (!frame)
        return nullptr;
    check_format(*frame);
    check_orientation(*frame);
    check_alpha(*frame);
    take_range_of(*frame, format_of(*frame));
    if (settings_.samples.range)
        frame->color_range = av_range(*settings_.samples.range);
    if (settings_.samples.matrix)
        frame->colorspace = static_cast<AVColorSpace>(*settings_.samples.matrix);
    return frame;
}

AvFrame MediaSource::planar(AvFrame stored)
{
    if (!is_in_cuda(*stored))
        return planar_.make(*stored);
    const auto layout = cuda_layout_of(*stored);
    if (!layout)
        throw ScoringStopped(StopReason::decode_error, kExitBadData,
                             formatted("{}: frame {}: the GPU's {} cannot be read (--decoder software)",
                                       printable(file().path()), delivered_, pixel_format_name(format_of(*stored))));
    return downloaded(*stored, *layout);
}

void MediaSource::decode_in_segments(unsigned decoders, std::uint64_t bytes)
{
    const auto whole = std::dynamic_pointer_cast<Decoder>(decoder_);
    if (!settings_.gpu || !whole || !first_ || !file().is_seekable())
        return;
    const AVHWFramesContext &frames = *reinterpret_cast<const AVHWFramesContext *>(first_->hw_frames_ctx->data);
    const int frame_bytes = av_image_get_buffer_size(frames.sw_format, frames.width, frames.height, 1);
    const std::uint64_t frames_ahead = bytes / (decoders + 1) / static_cast<std::uint64_t>(std::max(frame_bytes, 1));
    auto parts = SegmentsDecoder::open(file(), decoder_settings(), segment_ ? segment_->from : std::nullopt, first_pts_,
                                       decoders, frames_ahead, whole, *first_);
    if (!parts)
        return;
    decoder_ = std::move(parts);
    first_ = nullptr;
}

void MediaSource::read_only(const std::vector<std::uint64_t> &numbers)
{
    if (!index_)
        return;
    for (const std::uint64_t number : numbers)
        if (number < index_->frames())
            wanted_.push_back(index_->time_stamps()[number]);
    decoder_->deliver_only(wanted_);
}

/// The next frame by its number. Others that come before it are those that frames refer to.
AvFrame MediaSource::decode_wanted()
{
    if (delivered_ >= index_->frames())
        return nullptr;
    const std::int64_t pts = index_->time_stamps()[delivered_];
    AvFrame frame;
    do
        frame = first_ ? std::exchange(first_, nullptr) : decoder_->next();
    while (frame && frame->pts < pts);
    if (!frame || frame->pts != pts)
        throw ScoringStopped(StopReason::decode_error, kExitBadData,
                             formatted("{}: frame {}: its time stamp is not that of its packet: score all frames",
                                       printable(file().path()), delivered_));
    ++delivered_;
    return frame;
}

bool MediaSource::skip()
{
    if (wanted_.empty())
        return decode() != nullptr;
    if (delivered_ >= index_->frames())
        return false;
    ++delivered_;
    return true;
}

} // namespace vmaf::tool
