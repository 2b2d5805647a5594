#pragma once

#include "comparison/bars.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// Looks for bars in some of the frames: across the video where its length is known and it can be
/// decoded from any key frame, else from the first one on. The result depends on the video alone,
/// so that all segments of a clip are cropped alike.
/// @param video reads on as if it had not been asked. Throws Failure if it cannot be read twice.
FoundPicture find_picture(VideoReader &video);

} // namespace vmaf::tool
