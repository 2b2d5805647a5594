#pragma once

#include <array>

#include "base/aligned_buffer.h"
#include "base/plane_view.h"
#include "feature/common/float_row_loops.h"

/// Common code of the float features: pictures of 8, 10, 12 or 16 bits in the range of 8-bit
/// samples, and sums in a fixed order.
namespace vmaf {

/// The largest sample in the unit of 8-bit samples, and the largest PSNR reported (spec psnr 7).
double float_peak(unsigned bpc);
double float_psnr_cap(unsigned bpc);

/// Floats from one row to the next, so that every row starts on a vector.
std::size_t float_pitch(std::size_t width_px);

/// Samples [start_px, start_px + count) of a row, less 128 (spec float_features 2).
void load_float_row(const FloatRowLoops &loops, const PlaneView &plane, unsigned y, unsigned start_px, unsigned count,
                    float *out);

/// The sum over a picture of one term a pixel: each row from left to right, then the rows from the
/// top.
class OrderedSum {
  public:
    /// Throws std::bad_alloc.
    OrderedSum(const FloatRowLoops &loops, unsigned max_width_px);

    void start(unsigned width_px);
    /// Memory for the terms of the next row.
    float *next_row();
    float finish();

  private:
    void add_pending();

    const FloatRowLoops &loops_;
    std::size_t pitch_;
    AlignedBuffer<float> terms_;
    std::array<const float *, kRowChains> rows_{};
    unsigned width_px_ = 0;
    unsigned pending_ = 0; ///< rows whose terms are not added yet
    float total_ = 0;
};

} // namespace vmaf
