#include "input/media/frame_tags.h"

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

} // namespace

VideoTags tags_of(const AVFrame &frame, AVPixelFormat format)
{
    const PixelLayout layout = pixel_layout(format).value();
    VideoTags tags;
    tags.stored_format = pixel_format_name(format);
    tags.is_rgb = layout.rgb;
    tags.range = layout.rgb ? Range::full : tagged_range(frame, layout);
    tags.is_interlaced = is_interlaced(frame);
    // The media libraries' codes are those of H.273.
    tags.colour = {layout.rgb ? h273::kRgb : frame.colorspace, frame.color_primaries, frame.color_trc};
    tags.pixel_aspect_num = frame.sample_aspect_ratio.num;
    tags.pixel_aspect_den = frame.sample_aspect_ratio.den;
    return tags;
}

} // namespace vmaf::tool
