#include "input/media/media_source.h"

#include <algorithm>
#include <utility>

#include "common/console.h"
#include "common/failure.h"
#include "common/format.h"
#include "input/media.h"
#include "input/media/segments_decoder.h"

namespace vmaf::tool {
namespace {

bool is_interlaced(const AVFrame &frame, const AVStream &stream)
{
#ifdef AV_FRAME_FLAG_INTERLACED
    const bool frame_is = (frame.flags & AV_FRAME_FLAG_INTERLACED) != 0;
#else
    const bool frame_is = frame.interlaced_frame != 0;
#endif
    const AVFieldOrder order = stream.codecpar->field_order;
    return frame_is || (order != AV_FIELD_UNKNOWN && order != AV_FIELD_PROGRESSIVE);
}

/// What the file says; that alone, unless its pixel format implies a range.
std::optional<Range> tagged_range(const AVFrame &frame, const PixelLayout &layout)
{
    if (layout.full_range || frame.color_range == AVCOL_RANGE_JPEG)
        return Range::full;
    return frame.color_range == AVCOL_RANGE_MPEG ? std::optional(Range::limited) : std::nullopt;
}

VideoTags tags_of(const AVFrame &frame, AVPixelFormat format, const AVStream &stream, const PixelLayout &layout)
{
    VideoTags tags;
    tags.is_media = true;
    tags.stored_format = pixel_format_name(format);
    tags.is_rgb = layout.rgb;
    tags.range = layout.rgb ? Range::full : tagged_range(frame, layout);
    tags.is_interlaced = is_interlaced(frame, stream);
    // The media libraries' codes are those of H.273.
    tags.colour = {layout.rgb ? h273::kRgb : frame.colorspace, frame.color_primaries, frame.color_trc};
    const AVRational aspect =
        stream.sample_aspect_ratio.num != 0 ? stream.sample_aspect_ratio : frame.sample_aspect_ratio;
    tags.pixel_aspect_num = aspect.num;
    tags.pixel_aspect_den = aspect.den;
    return tags;
}

} // namespace

MediaSource::MediaSource(InputFile file, const MediaSettings &settings, Warnings &warnings, Conversions conversions)
    : settings_(settings), warnings_(warnings), planar_(settings.rounding),
      rgb_warned_(conversions == Conversions::are_known)
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
    tags_ = tags_of(*first_, format, decoder_->demuxer().stream(), layout);
}

void MediaSource::open(InputFile file)
{
    if (settings_.gpu && decodes_on_gpu(file))
        return;
    settings_.gpu = nullptr;
    decoder_ = std::make_unique<Decoder>(std::move(file), settings_.network, nullptr);
    first_ = decoder_->next();
}

/// Else the file is as it was, and the user knows why. Only where the GPU is demanded, it is given a file that cannot be read twice.
bool MediaSource::decodes_on_gpu(InputFile &file)
{
    MediaGpu &gpu = *settings_.gpu;
    const std::string path = printable(file.path());
    if (!gpu.context() && gpu.is_demanded())
        throw Failure(kExitSetup, formatted("no GPU to decode with ({})", gpu.reason()));
    if (!gpu.context())
        return false;
    std::string reason = "it cannot be read a second time, should the GPU not decode it (--decoder cuda to try)";
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
        auto decoder = std::make_unique<Decoder>(std::move(file), settings_.network, settings_.gpu->context());
        first_ = decoder->next();
        const std::string complaint = decoder->complaint();
        decoder_ = std::move(decoder);
        const bool is_usable = first_ && cuda_layout_of(*first_);
        if (is_usable && !is_first_of_software(*first_))
            return "the GPU decodes its first frame to other samples than software";
        if (is_usable)
            return {};
        const char *codec = avcodec_get_name(decoder_->demuxer().stream().codecpar->codec_id);
        return formatted("the GPU does not decode {} of this kind{}", codec, complaint);
    } catch (const NotMedia &) {
        throw;
    } catch (const Failure &failure) {
        return failure.what();
    }
}

/// GPUs give other chroma to H.264 without colour, for one, and no library tells that there is none. What software cannot decode is taken
/// as it is.
bool MediaSource::is_first_of_software(const AVFrame &decoded_on_gpu)
{
    if (!file().is_seekable())
        return true;
    Decoder software(file().reopened(), settings_.network, nullptr, Decoder::Threads::one);
    const AvFrame expected = software.next();
    return !expected ||
           (pixel_layout(static_cast<AVPixelFormat>(expected->format)) &&
            have_same_samples(*planar_.make(*expected), *downloaded(decoded_on_gpu, *cuda_layout_of(decoded_on_gpu))));
}

std::unique_ptr<PlanarSource> MediaSource::reopened(const std::shared_ptr<MediaGpu> &gpu) const
{
    MediaSettings settings = settings_;
    settings.gpu = gpu;
    return std::make_unique<MediaSource>(file().reopened(), settings, warnings_, Conversions::are_known);
}

std::optional<double> MediaSource::frame_rate() const
{
    const auto rate = decoder_->demuxer().frame_rate();
    return rate ? std::optional(av_q2d(*rate)) : std::nullopt;
}

AVPixelFormat MediaSource::format_of(const AVFrame &frame) const
{
    return is_in_cuda(frame) ? decoder_->software_format() : static_cast<AVPixelFormat>(frame.format);
}

std::optional<CudaLayout> MediaSource::cuda_layout_of(const AVFrame &stored) const
{
    return is_in_cuda(stored) ? cuda_layout(stored, format_of(stored)) : std::nullopt;
}

/// At every frame: the format may change on the way.
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
    if (layout->rgb && !std::exchange(rgb_warned_, true))
        warnings_.warn(formatted("{}: {} is converted to YUV by BT.709, limited range", printable(file().path()),
                                 pixel_format_name(format)));
}

AvFrame MediaSource::decode()
{
    AvFrame frame = first_ ? std::exchange(first_, nullptr) : decoder_->next();
    if (segment_)
        check(frame.get());
    if (frame)
        ++delivered_;
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
        index_ = FrameIndex::of(file(), settings_.network);
    return index_ ? std::optional(index_->frames()) : std::nullopt;
}

/// The first frame of all has told the video's format.
void MediaSource::start_at(const SegmentStart &segment)
{
    segment_ = segment;
    if (segment.from) {
        AVBufferRef *gpu = settings_.gpu ? settings_.gpu->context() : nullptr;
        auto decoder = std::make_unique<Decoder>(file().reopened(), settings_.network, gpu);
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
    take_range_of(*frame, format_of(*frame));
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
    if (!settings_.gpu || !first_ || !file().is_seekable())
        return;
    const AVHWFramesContext &frames = *reinterpret_cast<const AVHWFramesContext *>(first_->hw_frames_ctx->data);
    const int frame_bytes = av_image_get_buffer_size(frames.sw_format, frames.width, frames.height, 1);
    const std::uint64_t frames_ahead = bytes / decoders / static_cast<std::uint64_t>(std::max(frame_bytes, 1));
    auto parts = SegmentsDecoder::open(file(), settings_.network, settings_.gpu->context(),
                                       segment_ ? segment_->from : std::nullopt, decoders, frames_ahead);
    if (!parts)
        return;
    decoder_ = std::move(parts);
    first_ = nullptr;
}

bool MediaSource::skip()
{
    return decode() != nullptr;
}

} // namespace vmaf::tool
