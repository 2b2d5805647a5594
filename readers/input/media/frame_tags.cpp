#include "input/media/frame_tags.h"

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

} // namespace

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
