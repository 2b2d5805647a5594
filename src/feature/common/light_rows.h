#pragma once

#include <array>

#include "base/aligned_buffer.h"
#include "base/round_up.h"
#include "feature/common/rgb_rows.h"

namespace vmaf {

/// Rows of R, G, B, which are the same row where the picture is grey.
using LightRow = std::array<const float *, 3>;

/// A picture's rows in linear light.
class LightRows {
  public:
    LightRows(const PictureFormat &format, const YuvMatrix &matrix, const LightSignal &signal, CpuTarget target)
        : rows_(format, matrix, Light(signal), target), stride_(round_up(std::size_t{format.width} + 1, 16)),
          memory_(3 * stride_)
    {
    }

    /// Valid until the next row is asked for.
    LightRow row(const PlaneView (&planes)[3], unsigned y)
    {
        const ColourRow colours{{memory_.data(), memory_.data() + stride_, memory_.data() + 2 * stride_}};
        rows_.linear(planes, y, colours);
        const unsigned green = rows_.grey() ? 0 : 1;
        return {colours.channel[0], colours.channel[green], colours.channel[2 * green]};
    }

  private:
    RgbRows rows_;
    std::size_t stride_; ///< a value beyond a row may be written
    AlignedBuffer<float> memory_;
};

} // namespace vmaf
