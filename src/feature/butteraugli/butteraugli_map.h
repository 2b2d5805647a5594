#pragma once

#include <memory>

#include "feature/butteraugli/butteraugli_scale.h"

namespace vmaf {

/// From linear colour, row by row, to the sums over the map of both resolutions (spec butteraugli
/// 3.9, 3.10).
class ButteraugliMap {
  public:
    /// @param values gets the map, row by row; null: nobody wants it.
    ButteraugliMap(unsigned width_px, unsigned height_px, bool grey, const ButteraugliTuning &tuning, CpuTarget target,
                   float *values = nullptr);

    void begin();
    /// Memory for the next row (ButteraugliScale::next_row).
    ColourRow next_row(unsigned picture) { return full_.next_row(picture); }
    void push();
    /// After the last row.
    void finish(ButteraugliSums &sums);

  private:
    void pool_rows();

    unsigned width_px_;
    const ButteraugliLoops &loops_;
    ButteraugliScale full_;
    std::unique_ptr<ButteraugliScale> half_; ///< null for small pictures
    unsigned pooled_ = 0;
    AlignedBuffer<double> powers_; ///< of each column, by ButteraugliPower
    AlignedBuffer<float> max_;
    float *values_;
};

} // namespace vmaf
