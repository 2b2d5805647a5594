#pragma once

#include "input/media/libav.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// A planar frame with chroma by another matrix, of that form's range and depth, in its own size
/// and layout. Luma of subsampled frames
/// takes chroma that is interpolated linearly, chroma samples become others by themselves.
/// @param from the frame's matrix. Both have luma_weights().
AvFrame by_matrix(const AVFrame &planar, int from, const PictureForm &form);

} // namespace vmaf::tool
