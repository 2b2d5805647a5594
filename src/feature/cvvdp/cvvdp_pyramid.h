#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/aligned_buffer.h"
#include "base/cpu.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_loops.h"

namespace vmaf {

/// The last rows of planes: row y of each overwrites row y - kRows. Rows have room for kPadding
/// values before and behind them.
class CvvdpRing {
  public:
    static constexpr std::size_t kPadding = 16;

    CvvdpRing(unsigned planes, unsigned rows, unsigned width_px);

    float *row(unsigned plane, unsigned y) { return memory_.data() + (plane * rows_ + y % rows_) * stride_ + kPadding; }
    const float *row(unsigned plane, unsigned y) const { return const_cast<CvvdpRing *>(this)->row(plane, y); }

  private:
    std::size_t rows_, stride_;
    AlignedBuffer<float> memory_;
};

/// One band of a picture pair but the base band, fed row by row from the top (spec cvvdp 3.4 to
/// 3.6). Keeps the last rows only.
class CvvdpBand {
  public:
    static constexpr unsigned kPlanes = 2 * kCvvdpChannels; ///< channels of ref, then of dis

    CvvdpBand(unsigned width_px, unsigned height_px, const CvvdpBandTables &tables, const CvvdpLoops &loops);

    void begin();
    float *next_row(unsigned plane) { return levels_.row(plane, rows_); }
    void push() { ++rows_; }

    /// Whether the rows fed now make a row of the level above that was not made yet; makes it.
    bool makes_row() const;
    void reduce_into(const std::array<float *, kPlanes> &above);
    /// Goes as far as the rows of the level above allow. @param above_rows of those, that many
    /// exist.
    void score(const CvvdpRing &above, unsigned above_rows);
    void finish(double (&sums)[kCvvdpChannels]);
    /// From now on they get those of each pair.
    void keep(CvvdpPlaces::value_type &places);

    unsigned width_px() const { return width_px_; }
    unsigned height_px() const { return height_px_; }
    unsigned rows() const { return rows_; }
    const CvvdpRing &levels() const { return levels_; }

  private:
    void reduce_along(float *row, float *above) const;
    void expand(const CvvdpRing &above, unsigned y);
    void contrast_row(unsigned y);
    void mask_row(unsigned y);
    void fold_columns();
    bool is_blurred() const { return width_px_ > kCvvdpBlurReach && height_px_ > kCvvdpBlurReach; }

    static constexpr unsigned kLevelRows = 8, kMaskRows = 16;

    unsigned width_px_, height_px_;
    const CvvdpBandTables *tables_;
    const CvvdpLoops *loops_;
    std::array<float, kCvvdpBlurReach + 1> taps_;
    unsigned rows_ = 0;       ///< fed
    unsigned reduced_ = 0;    ///< of the level above
    unsigned contrasted_ = 0; ///< with differences and masks
    unsigned scored_ = 0;
    CvvdpRing levels_;
    CvvdpRing means_;       ///< one row: expanded
    CvvdpRing differences_; ///< by channel
    CvvdpRing masks_;       ///< by channel, blurred along the row
    CvvdpRing scratch_;
    CvvdpRing columns_;
    CvvdpPlaces::value_type *places_ = nullptr; ///< null: nobody wants them
    std::array<double, kCvvdpChannels> sums_{};
};

/// A picture pair's channels, row by row, to the sums of all bands.
class CvvdpPyramid {
  public:
    static constexpr unsigned kPlanes = CvvdpBand::kPlanes;

    /// @param frequencies of the bands (cvvdp_frequencies()). @param places get those of each pair;
    /// null: nobody wants them.
    CvvdpPyramid(unsigned width_px, unsigned height_px, const std::vector<double> &frequencies, CpuTarget target,
                 CvvdpPlaces *places);
    CvvdpPyramid(const CvvdpPyramid &) = delete;
    CvvdpPyramid &operator=(const CvvdpPyramid &) = delete;

    void begin();
    /// Memory for the next row of the picture.
    CvvdpRows next_row(unsigned picture);
    void push() { push(0); }
    /// After the last row.
    void finish(CvvdpSums &sums);

  private:
    void push(std::size_t band);
    void score_base(double (&sums)[kCvvdpChannels]) const;

    std::vector<CvvdpBandTables> tables_;
    std::vector<CvvdpBand> bands_;
    unsigned base_width_px_, base_height_px_;
    unsigned base_rows_ = 0;
    CvvdpRing base_; ///< whole
    CvvdpPlaces *places_;
};

} // namespace vmaf
