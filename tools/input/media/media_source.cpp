#include "input/media/media_source.h"

#include <utility>

#include "common/format.h"
#include "common/printable.h"

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

std::string known(bool is_known, const char *name)
{
    return is_known && name ? name : "";
}

VideoTags tags_of(const AVFrame &frame, const AVStream &stream, const PixelLayout &layout)
{
    VideoTags tags;
    tags.is_media = true;
    tags.stored_format = pixel_format_name(static_cast<AVPixelFormat>(frame.format));
    tags.is_rgb = layout.rgb;
    tags.full_range = !layout.rgb && (layout.full_range || frame.color_range == AVCOL_RANGE_JPEG);
    tags.is_interlaced = is_interlaced(frame, stream);
    if (!layout.rgb)
        tags.matrix = known(frame.colorspace != AVCOL_SPC_UNSPECIFIED, av_color_space_name(frame.colorspace));
    tags.primaries =
        known(frame.color_primaries != AVCOL_PRI_UNSPECIFIED, av_color_primaries_name(frame.color_primaries));
    tags.transfer = known(frame.color_trc != AVCOL_TRC_UNSPECIFIED, av_color_transfer_name(frame.color_trc));
    const AVRational aspect =
        stream.sample_aspect_ratio.num != 0 ? stream.sample_aspect_ratio : frame.sample_aspect_ratio;
    tags.pixel_aspect_num = aspect.num;
    tags.pixel_aspect_den = aspect.den;
    return tags;
}

} // namespace

MediaSource::MediaSource(InputFile file, Network network, Rounding rounding, Warnings &warnings,
                         Conversions conversions)
    : network_(network), rounding_(rounding), warnings_(warnings), decoder_(std::move(file), network),
      planar_(rounding), first_(decoder_.next()), rgb_warned_(conversions == Conversions::are_known)
{
    if (!first_)
        throw Failure(kExitSetup, "no frame of the video can be decoded");
    check_format(*first_);
    const auto format = static_cast<AVPixelFormat>(first_->format);
    const PixelLayout layout = pixel_layout(format).value();
    format_ = {static_cast<unsigned>(first_->width), static_cast<unsigned>(first_->height), layout.pix_fmt,
               layout.depth};
    tags_ = tags_of(*first_, decoder_.demuxer().stream(), layout);
}

std::unique_ptr<PlanarSource> MediaSource::reopened() const
{
    return std::make_unique<MediaSource>(file().reopened(), network_, rounding_, warnings_, Conversions::are_known);
}

std::optional<double> MediaSource::frame_rate() const
{
    const auto rate = decoder_.demuxer().frame_rate();
    return rate ? std::optional(av_q2d(*rate)) : std::nullopt;
}

/// At every frame: the format may change on the way.
void MediaSource::check_format(const AVFrame &frame)
{
    const auto format = static_cast<AVPixelFormat>(frame.format);
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
    AvFrame frame = first_ ? std::exchange(first_, nullptr) : decoder_.next();
    if (frame)
        ++delivered_;
    return frame;
}

AvFrame MediaSource::next(bool /*with_chroma*/)
{
    AvFrame frame = decode();
    if (!frame)
        return nullptr;
    check_format(*frame);
    return planar_.make(*frame);
}

bool MediaSource::skip()
{
    return decode() != nullptr;
}

} // namespace vmaf::tool
