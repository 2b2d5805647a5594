#pragma once

#include <array>

#include "base/aligned_buffer.h"
#include "feature/common/picture_size.h"
#include "feature/ssim/ssim_loops.h"
#include "feature/ssim/ssim_rows.h"

namespace vmaf {

/// Values of an image: samples and their means are not negative; those of the low-pass filter can
/// be (spec ssim 3.5).
enum class SsimValues { not_negative, any };

/// Evaluates pairs of images (spec ssim 3.3). Keeps the last 11 rows of each plane that the window
/// filter needs.
class SsimWindow {
  public:
    SsimWindow(unsigned max_width_px, const SsimLoops &loops);

    /// @param map gets the value of each position, row by row; null: nobody wants them.
    SsimSums evaluate(SsimRows &ref, SsimRows &dis, PictureSize size, SsimValues values, float *map = nullptr);

  private:
    void filter(const float *const rows[kSsimTaps], unsigned plane, unsigned count, float *out);
    float *filtered_row(unsigned plane, unsigned y);
    void filter_rows(const float *ref, const float *dis, unsigned y, unsigned width_px);
    void add_terms(unsigned y, unsigned count, SsimSums &sums);

    const SsimLoops &loops_;
    SsimValues values_{}; ///< of the images
    std::size_t stride_;
    AlignedBuffer<float> product_;                          ///< a row
    AlignedBuffer<float> filtered_;                         ///< the last rows after the horizontal pass, by plane
    std::array<AlignedBuffer<float>, kSsimPlanes> moments_; ///< a row each, after the vertical pass
    std::array<AlignedBuffer<double>, 4> terms_;            ///< a row each: l, c, s, q
};

} // namespace vmaf
