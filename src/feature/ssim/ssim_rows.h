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

/// What is made of a picture.
class SsimPictureRows : public SsimRows {
  public:
    /// @param planes of the picture, which live as long as rows are asked for.
    virtual void set(const PlaneView (&planes)[3]) = 0;
};

/// Samples of luma.
class SsimSampleRows final : public SsimPictureRows {
  public:
    SsimSampleRows(unsigned width_px, const SsimLoops &loops) : loops_(loops), row_(width_px) {}

    void set(const PlaneView (&planes)[3]) override { plane_ = planes[0]; }

    const float *row(unsigned y) override
    {
        if (plane_.bpc == 8)
            loops_.widen_8bit(plane_.row<std::uint8_t>(y), plane_.width_px, row_.data());
        else
            loops_.widen_16bit(plane_.row<std::uint16_t>(y), plane_.width_px,
                               1.0F / static_cast<float>(1U << (plane_.bpc - 8)), row_.data());
        return row_.data();
    }

  private:
    const SsimLoops &loops_;
    PlaneView plane_;
    AlignedBuffer<float> row_;
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
