#pragma once

#include "input/media/libav.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// What a frame says of itself.
/// @param format of its samples: a frame in a GPU's memory does not say.
VideoTags tags_of(const AVFrame &frame, AVPixelFormat format);

} // namespace vmaf::tool
