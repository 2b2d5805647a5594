#include "input/media/frame_tags.h"

#include <algorithm>
#include <cstring>

#include "input/media/alpha.h"
#include "input/media/pixel_layout.h"

namespace vmaf::tool {
namespace {

/// What the frame says; that alone, unless its pixel format implies a range.
std::optional<Range> tagged_range(const AVFrame &frame, const PixelLayout &layout)
{
    if (layout.full_range || frame.color_range == AVCOL_RANGE_JPEG)
        return Range::full;
    return frame.color_range == AVCOL_RANGE_MPEG ? std::optional(Range::limited) : std::nullopt;
}

/// Files may have codes that no enumerator stands for, which C++ must not read as an enumeration.
template <class Enumeration> int code_of(const Enumeration &code)
{
    int value = 0;
    static_assert(sizeof value == sizeof code);
    std::memcpy(&value, &code, sizeof value);
    return value;
}

/// Codecs of images that may be grey. Those of lossy WebP and AVIF are video codecs, and say it.
constexpr AVCodecID kImageCodecs[] = {
    AV_CODEC_ID_ALIAS_PIX, AV_CODEC_ID_APNG,    AV_CODEC_ID_BMP,      AV_CODEC_ID_DDS,    AV_CODEC_ID_DPX,
    AV_CODEC_ID_FITS,      AV_CODEC_ID_GIF,     AV_CODEC_ID_JPEG2000, AV_CODEC_ID_JPEGLS, AV_CODEC_ID_LJPEG,
    AV_CODEC_ID_MJPEG,     AV_CODEC_ID_PAM,     AV_CODEC_ID_PBM,      AV_CODEC_ID_PCX,    AV_CODEC_ID_PGM,
    AV_CODEC_ID_PGX,       AV_CODEC_ID_PICTOR,  AV_CODEC_ID_PNG,      AV_CODEC_ID_PPM,    AV_CODEC_ID_PSD,
    AV_CODEC_ID_SGI,       AV_CODEC_ID_SUNRAST, AV_CODEC_ID_TARGA,    AV_CODEC_ID_TIFF,   AV_CODEC_ID_XBM,
    AV_CODEC_ID_XPM,       AV_CODEC_ID_XWD,
};

bool is_grey(AVPixelFormat format)
{
    const auto layout = pixel_layout(format);
    return layout && layout->pix_fmt == VMAF_PIX_FMT_YUV400P && !layout->rgb;
}

} // namespace

void imply_range(AVFrame &frame, AVCodecID codec)
{
    if (frame.color_range == AVCOL_RANGE_UNSPECIFIED && is_grey(static_cast<AVPixelFormat>(frame.format)) &&
        std::ranges::find(kImageCodecs, codec) != std::end(kImageCodecs))
        frame.color_range = AVCOL_RANGE_JPEG;
}

VideoTags tags_of(const AVFrame &frame, AVPixelFormat format)
{
    const PixelLayout layout = pixel_layout(format).value();
    VideoTags tags;
    tags.stored_format = pixel_format_name(format);
    tags.is_rgb = layout.rgb;
    tags.range = layout.rgb ? Range::full : tagged_range(frame, layout);
    tags.has_alpha = is_transparent(frame);
    tags.is_interlaced = is_interlaced(frame);
    // The media libraries' codes are those of H.273.
    tags.colour = {layout.rgb ? h273::kRgb : code_of(frame.colorspace), code_of(frame.color_primaries),
                   code_of(frame.color_trc)};
    tags.pixel_aspect_num = frame.sample_aspect_ratio.num;
    tags.pixel_aspect_den = frame.sample_aspect_ratio.den;
    return tags;
}

} // namespace vmaf::tool
