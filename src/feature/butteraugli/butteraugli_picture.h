#pragma once

#include <algorithm>
#include <vector>

#include "base/aligned_buffer.h"
#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_blur_loops.h"
#include "feature/butteraugli/butteraugli_loops.h"
#include "feature/common/row_ring.h"

namespace vmaf {

/// One resolution of the pictures of a format.
struct ButteraugliSize {
    unsigned width_px, height_px;
    bool grey; ///< R = G = B: rows have one channel
    ButteraugliTuning tuning;
};

/// One resolution of a picture, fed row by row from the top (spec butteraugli 3.2, 3.3). Steps
/// follow each other by some rows, as many as their blurs reach, and a few rows go through each at
/// a time: only the last rows of every plane are kept.
class ButteraugliPicture {
  public:
    /// Rows that each step takes at once.
    static constexpr unsigned kBatchRows = 16;

    /// Memory for the next row. One value beyond the row may be written.
    ColourRow next_row() { return linear_row(fed_); }
    /// After push(): whether the rows fed now make a row of half size, and that row (spec
    /// butteraugli 3.9). Rows after the last one make rows after the last one.
    bool makes_row() const { return fed_ % 2 == 0 || fed_ == size_.height_px; }
    void halve_into(ButteraugliPicture &half);
    const ButteraugliSize &size() const { return size_; }

  protected:
    ButteraugliPicture(const ButteraugliSize &size, CpuTarget target);

    void begin() { fed_ = 0; }
    /// Takes in a row, or one after the last. Returns whether a batch is complete.
    bool take_row() { return ++fed_ % kBatchRows == 0; }
    /// Number of rows that a step can have made which follows by `delay` rows.
    unsigned rows_within(unsigned delay) const;

    /// spec butteraugli 3.3.
    void opsin(unsigned y, const ButteraugliXyb &out);
    /// The rows `first` to `end` - 1, at most kBatchRows, of the blur of a ring's plane, row y to
    /// out(y).
    template <class Out>
    void blur(RowRing &ring, unsigned plane, ButteraugliBlur which, unsigned first, unsigned end, Out out);

    unsigned width_px() const { return size_.width_px; }
    unsigned height_px() const { return size_.height_px; }
    const ButteraugliTuning &tuning() const { return size_.tuning; }
    const ButteraugliLoops &loops() const { return loops_; }
    /// Stands for the rows outside the picture.
    const float *no_row() const { return none_.row(0, 0); }

  private:
    struct Blur {
        ButteraugliTaps taps;
        std::vector<float> row_norms, column_norms; ///< by column, by row
    };

    ColourRow linear_row(unsigned y);
    void blur_colour(unsigned y);

    ButteraugliSize size_;
    unsigned channels_;
    const RgbLoops &rgb_loops_;
    const ButteraugliLoops &loops_;
    const ButteraugliBlurLoops &blur_loops_;
    std::vector<Blur> blurs_;
    unsigned fed_ = 0;
    RowRing linear_;  ///< by channel
    RowRing blurred_; ///< a row of each channel, and one on its way there
    RowRing vertical_, none_;
};

/// By how many rows a step follows the one before.
constexpr unsigned butteraugli_reach(ButteraugliBlur blur)
{
    return kButteraugliReach[blur];
}
constexpr unsigned kButteraugliColourDelay = butteraugli_reach(kButteraugliOpsinBlur);
constexpr unsigned kButteraugliLowDelay = kButteraugliColourDelay + butteraugli_reach(kButteraugliLowBlur);
constexpr unsigned kButteraugliMediumDelay = kButteraugliLowDelay + butteraugli_reach(kButteraugliMediumBlur);
constexpr unsigned kButteraugliHighDelay = kButteraugliMediumDelay + butteraugli_reach(kButteraugliHighBlur);
constexpr unsigned kButteraugliMaskDelay = kButteraugliHighDelay + butteraugli_reach(kButteraugliMaskBlur);
constexpr unsigned kButteraugliDistanceDelay = kButteraugliMaskDelay + kButteraugliErosionReach;

/// Rows of a plane that are kept for a step that follows its own by `delay` rows and looks `reach`
/// rows around.
constexpr unsigned butteraugli_kept_rows(unsigned delay, unsigned reach)
{
    return delay + reach + ButteraugliPicture::kBatchRows;
}
constexpr unsigned butteraugli_kept_rows(ButteraugliBlur blur)
{
    return butteraugli_kept_rows(butteraugli_reach(blur), butteraugli_reach(blur));
}

template <class Out>
void ButteraugliPicture::blur(RowRing &ring, unsigned plane, ButteraugliBlur which, unsigned first, unsigned end,
                              Out out)
{
    constexpr unsigned kSegmentPx = 128; // the rows of so many columns stay in the first-level cache
    const Blur &blur = blurs_[which];
    const unsigned reach = butteraugli_reach(which);
    const float *rows[kBatchRows + 2 * kButteraugliMostReach];
    for (unsigned i = 0; i < end - first + 2 * reach; ++i) {
        const unsigned y = first + i - reach; // wraps above the picture
        rows[i] = y < height_px() ? ring.row(plane, y) : no_row();
    }
    for (unsigned x = 0; x < width_px(); x += kSegmentPx)
        for (unsigned y = first; y < end; ++y)
            blur_loops_.blur_columns(rows + (y - first), x, std::min(kSegmentPx, width_px() - x), blur.taps.taps, reach,
                                     blur.column_norms[y], vertical_.row(0, y) + x);
    for (unsigned y = first; y < end; ++y)
        blur_loops_.blur_row(vertical_.row(0, y), width_px(), blur.taps.taps, reach, blur.row_norms.data(), out(y));
}

} // namespace vmaf
