#pragma once

#include "feature/butteraugli/butteraugli_reference.h"

namespace vmaf {

/// E of one resolution of an encode (spec butteraugli 3.2 to 3.8).
class ButteraugliScale : public ButteraugliPicture {
  public:
    /// Rows by which E follows the rows that are fed, at most.
    static constexpr unsigned kDelayRows = kButteraugliDistanceDelay + kBatchRows;

    /// @param reference outlives it, and has each row before it.
    /// @param kept_distances rows of E that are kept
    ButteraugliScale(ButteraugliReferenceScale &reference, CpuTarget target, unsigned kept_distances);

    /// Forgets the encode that was fed.
    void begin();
    /// Takes in the row that next_row() was filled with, or one after the last.
    void push();

    /// Rows of E that there are, of which the last are kept.
    unsigned made() const { return distances_; }
    float *distance_row(unsigned y) { return distance_.row(0, y); }
    /// Rows to push until E is whole.
    static unsigned rows_to_push(unsigned height_px);

  private:
    float *scratch_row(unsigned index) { return scratch_.row(index, 0); }

    void make_colours(unsigned end);
    void make_low(unsigned end);
    void make_medium(unsigned end);
    void make_high(unsigned end);
    void make_masks(unsigned end);
    void make_distances(unsigned end);

    ButteraugliReferenceScale &reference_;

    // Rows that each step has made.
    unsigned colours_ = 0, lows_ = 0, mediums_ = 0, highs_ = 0, masks_ = 0, distances_ = 0;

    RowRing planes_, rests_; ///< differences of X, Y and B
    RowRing high_;           ///< h: X and Y
    RowRing lines_;          ///< D, by ButteraugliPlane
    RowRing activity_, ac_, dc_, distance_, scratch_, far_;
    AlignedBuffer<double> xyb_; ///< a row
};

} // namespace vmaf
