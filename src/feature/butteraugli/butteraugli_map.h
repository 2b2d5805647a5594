#pragma once

#include <memory>

#include "feature/butteraugli/butteraugli_scale.h"

namespace vmaf {

/// Both resolutions of a picture, fed with linear colour row by row.
template <class Scale> class ButteraugliResolutions {
  public:
    void begin()
    {
        full_->begin();
        if (half_)
            half_->begin();
    }
    /// Memory for the next row (ButteraugliPicture::next_row).
    ColourRow next_row() { return full_->next_row(); }
    /// Takes in the row that next_row() was filled with, or one after the last.
    void push()
    {
        full_->push();
        if (half_ && full_->makes_row()) {
            full_->halve_into(*half_);
            half_->push();
        }
    }
    Scale &full() { return *full_; }
    /// Null for small pictures.
    Scale *half() { return half_.get(); }

  protected:
    std::unique_ptr<Scale> full_, half_;
};

class ButteraugliReference : public ButteraugliResolutions<ButteraugliReferenceScale> {
  public:
    /// @param rows_ahead rows that are pushed before an encode's, at most.
    ButteraugliReference(const ButteraugliSize &size, unsigned rows_ahead, CpuTarget target);
};

/// From an encode's linear colour to the sums over the map of both resolutions (spec butteraugli
/// 3.9, 3.10).
class ButteraugliMap : public ButteraugliResolutions<ButteraugliScale> {
  public:
    /// @param reference outlives it, and has each row before it.
    /// @param values gets the map, row by row; null: nobody wants it.
    ButteraugliMap(ButteraugliReference &reference, CpuTarget target, float *values = nullptr);

    void begin();
    void push();
    /// Rows to push, those after the last included.
    unsigned rows_to_push() const;
    /// After these.
    void finish(ButteraugliSums &sums) const;

  private:
    void pool_rows();

    unsigned width_px_, height_px_;
    const ButteraugliLoops &loops_;
    unsigned pooled_ = 0;
    AlignedBuffer<double> powers_; ///< of each column, by ButteraugliPower
    AlignedBuffer<float> max_;
    float *values_;
};

} // namespace vmaf
