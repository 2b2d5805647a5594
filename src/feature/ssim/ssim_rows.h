#pragma once

#include <algorithm>

#include "base/aligned_buffer.h"
#include "base/plane_view.h"
#include "feature/ssim/ssim_loops.h"

namespace vmaf {

/// An image in binary32 (spec ssim 3.1) that is read row by row.
class SsimRows {
  public:
    virtual ~SsimRows() = default;
    /// Valid until the next call. Rows may be asked for in any order.
    virtual const float *row(unsigned y) = 0;
};

/// A picture's samples.
class SsimSampleRows final : public SsimRows {
  public:
    SsimSampleRows(const PlaneView &plane, float *buffer, const SsimLoops &loops)
        : plane_(plane), buffer_(buffer), loops_(loops)
    {
    }

    const float *row(unsigned y) override
    {
        if (plane_.bpc == 8)
            loops_.widen_8bit(plane_.row<std::uint8_t>(y), plane_.width_px, buffer_);
        else
            loops_.widen_16bit(plane_.row<std::uint16_t>(y), plane_.width_px,
                               1.0F / static_cast<float>(1U << (plane_.bpc - 8)), buffer_);
        return buffer_;
    }

  private:
    PlaneView plane_;
    float *buffer_; ///< a row
    const SsimLoops &loops_;
};

/// An image in memory, rows packed.
class SsimImageRows final : public SsimRows {
  public:
    SsimImageRows(const float *image, unsigned width_px) : image_(image), width_px_(width_px) {}

    const float *row(unsigned y) override { return image_ + std::size_t{y} * width_px_; }

  private:
    const float *image_;
    std::size_t width_px_;
};

/// The mirror of spec ssim 3.4, which repeats the border sample.
inline unsigned ssim_mirror(int index, unsigned size)
{
    const int n = static_cast<int>(size);
    return static_cast<unsigned>(index < 0 ? -1 - index : index >= n ? 2 * n - 1 - index : index);
}

/// A row with mirrored samples before and after it.
class SsimPaddedRow {
  public:
    SsimPaddedRow(unsigned width_px, unsigned before, unsigned after)
        : width_px_(width_px), before_(before), after_(after), samples_(std::size_t{width_px} + before + after)
    {
    }

    void set(const float *row)
    {
        std::copy_n(row, width_px_, samples_.data() + before_);
        for (unsigned i = 1; i <= before_; ++i)
            samples_[before_ - i] = row[ssim_mirror(-static_cast<int>(i), width_px_)];
        for (unsigned i = 0; i < after_; ++i)
            samples_[before_ + width_px_ + i] = row[ssim_mirror(static_cast<int>(width_px_ + i), width_px_)];
    }

    /// The first sample before the row.
    const float *data() const { return samples_.data(); }

  private:
    unsigned width_px_, before_, after_;
    AlignedBuffer<float> samples_;
};

} // namespace vmaf
