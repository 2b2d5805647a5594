#pragma once

#include "input/media/libav.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// A frame's own tags.
/// @param format of its samples: a frame in a GPU's memory does not say.
VideoTags tags_of(const AVFrame &frame, AVPixelFormat format);

/// Grey images hold samples of full range: where the codec is one of images and does not say a
/// range, give the frame that one.
void imply_range(AVFrame &frame, AVCodecID codec);

} // namespace vmaf::tool
