#pragma once

#include <vector>

#include "base/aligned_buffer.h"
#include "feature/butteraugli/butteraugli.h"
#include "feature/butteraugli/butteraugli_blur_loops.h"
#include "feature/butteraugli/butteraugli_loops.h"
#include "feature/butteraugli/butteraugli_ring.h"

namespace vmaf {

/// E of one resolution (spec butteraugli 3.2 to 3.8), from linear colour that is fed row by row
/// from the top. Steps follow each other by some rows, as many as their blurs reach, and a few rows
/// go through each at a time: only the last rows of every plane are kept.
class ButteraugliScale {
  public:
    /// Rows that each step takes at once.
    static constexpr unsigned kBatchRows = 16;
    /// Rows by which E follows the rows that are fed, at most.
    static constexpr unsigned kDelayRows = 37 + kBatchRows;

    /// @param grey R = G = B: rows have one channel.
    /// @param kept_distances rows of E that are kept
    ButteraugliScale(unsigned width_px, unsigned height_px, bool grey, const ButteraugliTuning &tuning,
                     CpuTarget target, unsigned kept_distances);

    /// Forgets the picture pair that was fed.
    void begin();
    /// Memory for the next row. One value beyond the row may be written.
    ColourRow next_row(unsigned picture) { return linear_row(picture, fed_); }
    /// Takes in the row that next_row() was filled with, for both pictures.
    void push();
    /// After the last row: some more rows of E.
    void drain();

    /// Rows of E that there are, of which the last are kept.
    unsigned made() const { return distances_; }
    bool is_done() const { return distances_ == height_px_; }
    float *distance_row(unsigned y) { return distance_.row(y); }

    /// After push(): whether the rows fed now make a row of half size, and that row (spec
    /// butteraugli 3.9).
    bool makes_row() const { return fed_ % 2 == 0 || fed_ == height_px_; }
    void halve_into(ButteraugliScale &half);

  private:
    enum Picture : unsigned { kRef, kDis, kPictures };

    ColourRow linear_row(unsigned picture, unsigned y);
    float *scratch_row(unsigned index) { return scratch_.row(index); }
    unsigned rows_within(unsigned delay) const;

    void advance();
    void make_colours(unsigned end);
    void make_low(unsigned end);
    void make_medium(unsigned end);
    void make_high(unsigned end);
    void make_masks(unsigned end);
    void make_distances(unsigned end);

    void blur_colour(unsigned picture, unsigned y);
    void opsin(unsigned picture, unsigned y);
    template <class Out>
    void blur(ButteraugliRing &plane, ButteraugliBlur which, unsigned first, unsigned end, Out out);

    struct Blur {
        ButteraugliTaps taps;
        std::vector<float> row_norms, column_norms; ///< by column, by row
    };

    unsigned width_px_, height_px_;
    unsigned channels_;
    ButteraugliTuning tuning_;
    const RgbLoops &rgb_loops_;
    const ButteraugliLoops &loops_;
    const ButteraugliBlurLoops &blur_loops_;
    std::vector<Blur> blurs_;

    // Rows that each step has made.
    unsigned fed_ = 0, ahead_ = 0; ///< ahead_ goes on after the last row
    unsigned colours_ = 0, lows_ = 0, mediums_ = 0, highs_ = 0, masks_ = 0, distances_ = 0;

    std::vector<ButteraugliRing> linear_;         ///< channels of both pictures
    std::vector<ButteraugliRing> planes_, rests_; ///< by ButteraugliSignal
    std::vector<ButteraugliRing> high_;           ///< h: X and Y of both pictures
    std::vector<ButteraugliRing> lines_;          ///< D, by ButteraugliPlane
    std::vector<ButteraugliRing> activity_;       ///< of both pictures
    ButteraugliRing ac_, dc_, mask_, distance_;
    ButteraugliRing scratch_, vertical_, none_, far_;
    AlignedBuffer<double> xyb_;
};

} // namespace vmaf
