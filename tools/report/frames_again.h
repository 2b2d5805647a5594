#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "comparison/pairing.h"
#include "frames/library.h"
#include "input/video_reader.h"

namespace vmaf::tool {

/// One side of a scored pair.
struct ScoredSide {
    const VideoReader &video; ///< read, perhaps to its end
    unsigned skipped;         ///< frames before the one that was scored as number 0
    /// For a reference: the frame that each distorted frame was compared with. Empty: the frame of
    /// equal number.
    std::span<const FramePair> pairs = {};
};

/// A video from its start again, read forward to the frames that are asked for. Throws Failure if
/// it cannot be opened again.
class FramesAgain {
  public:
    explicit FramesAgain(const ScoredSide &side);

    /// Frames are asked for by the distorted frame's number, in ascending order. Throws
    /// ScoringStopped if it is not there any more.
    const VmafPicture &frame(unsigned number);

  private:
    unsigned own_number(unsigned distorted) const;

    std::unique_ptr<VideoReader> reader_;
    unsigned skipped_;
    std::span<const FramePair> pairs_;
    std::uint64_t next_ = 0;
    Picture picture_;
};

} // namespace vmaf::tool
