#pragma once

#include <vector>

#include "input/media/libav.h"
#include "input/video_format.h"

namespace vmaf::tool {

/// Alpha of a decoded frame, row by row.
class AlphaRows {
  public:
    /// @param frame outlives it. Its format has_alpha().
    explicit AlphaRows(const AVFrame &frame);

    /// Alpha of a row, from 0 (transparent) to 1: frame.width values, valid until the next call.
    const std::vector<float> &row(int y);

  private:
    const AVFrame &frame_;
    const AVPixFmtDescriptor &format_;
    std::vector<std::uint32_t> samples_;
    std::vector<float> values_;
};

/// Whether the container says that alpha is a second picture beside each one, as WebM does for VP8
/// and VP9. Few decoders read it.
bool has_alpha_beside(const AVStream &stream);

/// Palettes count: their entries have alpha.
bool has_alpha(const AVFrame &frame);

/// Whether something of the frame is not opaque.
bool is_transparent(const AVFrame &frame);

/// Put planar YUV or gray over a background, in its own range and by its own matrix (spec
/// comparison 2.4). Straight alpha; chroma takes the mean of its luma samples.
/// @param decoded the frame that the planar one was made of. It has_alpha().
void compose(AVFrame &planar, const AVFrame &decoded, const Background &background);

} // namespace vmaf::tool
