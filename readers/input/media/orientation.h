#pragma once

#include <cstdint>
#include <optional>

#include "input/media/libav.h"
#include "input/media/scaling.h"
#include "input/video_format.h"

/// Pictures that are stored sideways, upside down or mirrored (spec comparison 2.3).
namespace vmaf::tool {

/// The nine numbers of a display matrix: a, b, u, c, d, v, x, y, w (ISO/IEC 14496-12, 6.2.2).
using DisplayMatrix = const std::int32_t *;

/// Null: the container says nothing.
DisplayMatrix display_matrix(const AVStream &stream);
/// The matrix in the bitstream: a display orientation SEI message, or EXIF. Null: it says nothing.
DisplayMatrix display_matrix(const AVFrame &frame);

/// Scale and position do not count. Throws Failure for an angle that is no multiple of 90 degrees.
Orientation orientation_of(DisplayMatrix matrix);

/// What a video of that format becomes. Chroma of 4:2:2 that is turned sideways has no layout of
/// ours and is scaled to 4:4:4.
VideoFormat turned(const VideoFormat &format, const Orientation &orientation);

/// Turns planar frames as they are to be shown.
class FrameTurner {
  public:
    FrameTurner(const Orientation &orientation, Rounding rounding) : orientation_(orientation), chroma_scaler_(rounding)
    {
    }

    const Orientation &orientation() const { return orientation_; }
    /// The frame itself if it is stored upright.
    AvFrame turn(AvFrame planar);

  private:
    Orientation orientation_;
    PictureScaler chroma_scaler_;
};

} // namespace vmaf::tool
