#pragma once

#include <cstddef>

#include "compared_videos.h"

/// What small luma says of videos that are compared (spec comparison 6 and 8).
namespace vmaf::tool {

/// With --align offset or frames: read the videos before they are scored, and decide which frames
/// are compared. A line reports the result. If there is no clear result, a warning says so, and
/// frames are paired by number. Throws Failure.
void align_videos(Videos &videos, const ReadingOptions &options);

/// With --align check: collect small luma of the frames that will be read.
void watch_frames(Videos &videos, const ReadingOptions &options);
/// Small luma that other readers of the same videos have collected.
void add_watched_frames(Videos &videos, const Videos &others);
/// Warn of what watched frames make doubtful, once everything was read, and keep which frames were
/// seen to show others. Throws ScoringStopped where warnings are errors.
/// @param frames that were compared: readers may have been ahead.
void warn_of_doubts(Videos &videos, std::size_t encode, unsigned frames);

} // namespace vmaf::tool
