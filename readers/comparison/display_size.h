#pragma once

#include "comparison/aspects.h"
#include "input/input_options.h"
#include "input/video_format.h"

/// How large pictures are on a display (spec comparison 5).
namespace vmaf::tool {

/// Lines of a display that is not turned.
unsigned lines_of(Display display);

/// Lines of a picture, or columns of one that is higher than wide.
unsigned lines_of(const VideoFormat &format);

/// The even size in which a picture just fits the display, which is turned for one that is higher
/// than wide. Pixels that are not known are square.
VideoFormat fitted(VideoFormat format, const PixelAspect &pixels, Display display);

} // namespace vmaf::tool
