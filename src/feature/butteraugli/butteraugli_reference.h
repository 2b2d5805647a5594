#pragma once

#include "feature/butteraugli/butteraugli_picture.h"

namespace vmaf {

/// What one resolution of the encodes of a reference needs of it (spec butteraugli 3.3, 3.4, 3.7).
/// X and Y have two planes each.
class ButteraugliReferenceScale : public ButteraugliPicture {
  public:
    /// @param rows_ahead rows that an encode has not seen yet, at most.
    ButteraugliReferenceScale(const ButteraugliSize &size, unsigned rows_ahead, CpuTarget target);

    void begin();
    /// Takes in the row that next_row() was filled with, or one after the last.
    void push();

    ButteraugliXyb xyb(unsigned y);
    /// X or Y without its low frequencies, and its medium ones.
    float *rest(unsigned plane, unsigned y) { return rests_.row(plane, y); }
    float *medium(unsigned plane, unsigned y) { return medium_.row(plane, y); }
    float *high(unsigned plane, unsigned y) { return split_.row(plane, y); }
    float *ultra(unsigned plane, unsigned y) { return split_.row(2 + plane, y); }
    /// V.
    float *mask(unsigned y) { return mask_.row(0, y); }

  private:
    void make_colours(unsigned end);
    void make_low(unsigned end);
    void make_medium(unsigned end);
    void make_high(unsigned end);
    void make_mask(unsigned end);

    unsigned xyb_rows_;
    unsigned colours_ = 0, lows_ = 0, mediums_ = 0, highs_ = 0, masks_ = 0; ///< rows that each step has made
    AlignedBuffer<double> xyb_;
    RowRing planes_, rests_, medium_; ///< X and Y
    RowRing high_;                    ///< h
    RowRing split_;                   ///< hf, then uhf
    RowRing activity_, mask_, low_;
};

} // namespace vmaf
