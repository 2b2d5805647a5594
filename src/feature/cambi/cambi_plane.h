#pragma once

#include "base/aligned_buffer.h"
#include "feature/cambi/cambi_geometry.h"
#include "feature/cambi/cambi_loops.h"

namespace vmaf {

/// A plane of scratch memory whose rows have the slack that the loops need.
template <class T> class CambiPlane {
  public:
    explicit CambiPlane(const PictureSize &size)
        : stride_((size.width_px + 2 * kCambiSlackPx - 1) / kCambiSlackPx * kCambiSlackPx),
          data_(stride_ * size.height_px)
    {
    }

    T *row(unsigned y) { return data_.data() + y * stride_; }
    const T *row(unsigned y) const { return data_.data() + y * stride_; }

  private:
    std::size_t stride_;
    AlignedBuffer<T> data_;
};

/// 10-bit samples and the mask of the pixels that count.
struct CambiPicture {
    explicit CambiPicture(const PictureSize &size) : samples(size), mask(size) {}

    CambiPlane<std::uint16_t> samples;
    CambiPlane<std::uint8_t> mask;
};

} // namespace vmaf
