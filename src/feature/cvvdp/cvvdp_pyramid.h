#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "base/cpu.h"
#include "feature/common/row_ring.h"
#include "feature/cvvdp/cvvdp.h"
#include "feature/cvvdp/cvvdp_loops.h"

namespace vmaf {

/// Channels of one level of a picture, fed row by row from the top (spec cvvdp 3.4).
class CvvdpLevel {
  public:
    /// @param kept_rows rows that are kept, the last ones.
    CvvdpLevel(unsigned width_px, unsigned height_px, unsigned kept_rows, const CvvdpLoops &loops);

    void begin() { rows_ = reduced_ = 0; }
    CvvdpRows next_row() { return row(rows_); }
    void push() { ++rows_; }

    /// Whether the rows fed now make a row of the level above that was not made yet; makes it.
    bool makes_row() const;
    void reduce_into(CvvdpLevel &above);

    unsigned width_px() const { return width_px_; }
    unsigned height_px() const { return height_px_; }
    unsigned rows() const { return rows_; }
    CvvdpRows row(unsigned y);
    CvvdpInput row(unsigned y) const;

  protected:
    /// Rows that a level's own steps read, and those of its band, which follow it.
    static constexpr unsigned kLevelRows = 8;

    /// Whether the level above has the rows that expand() reads.
    static bool can_expand(const CvvdpLevel &above, unsigned y);
    /// Row y as the level above has it.
    void expand(const CvvdpLevel &above, unsigned y, const CvvdpRows &out);
    const CvvdpLoops &loops() const { return *loops_; }

  private:
    void reduce_along(float *row, float *above) const;

    unsigned width_px_, height_px_;
    const CvvdpLoops *loops_;
    unsigned rows_ = 0;    ///< fed
    unsigned reduced_ = 0; ///< of the level above
    RowRing levels_;       ///< by channel
    RowRing scratch_;
};

/// One band of a reference but the base band: its level, and the means that its contrasts have.
/// Keeps the last rows only.
class CvvdpReferenceBand : public CvvdpLevel {
  public:
    /// @param rows_ahead rows that an encode has not seen yet, at most.
    CvvdpReferenceBand(unsigned width_px, unsigned height_px, unsigned rows_ahead, const CvvdpLoops &loops);

    void begin();
    /// Goes as far as the rows of the level above allow.
    void advance(const CvvdpLevel &above);
    /// Row y expanded from the level above.
    CvvdpInput mean(unsigned y) const;

  private:
    unsigned expanded_ = 0;
    RowRing means_; ///< by channel
};

/// One band of an encode but the base band (spec cvvdp 3.4 to 3.6). Keeps the last rows only.
class CvvdpBand : public CvvdpLevel {
  public:
    /// @param reference outlives it, and goes before it.
    CvvdpBand(const CvvdpReferenceBand &reference, const CvvdpBandTables &tables, const CvvdpLoops &loops);

    void begin();
    /// Goes as far as the rows of the level above allow.
    void advance(const CvvdpLevel &above);
    void finish(double (&sums)[kCvvdpChannels]) const;
    /// From now on they get those of each encode.
    void keep(CvvdpPlaces::value_type &places) { places_ = &places; }

  private:
    void contrast_row(unsigned y);
    void mask_row(unsigned y);
    void fold_columns();
    bool is_blurred() const { return width_px() > kCvvdpBlurReach && height_px() > kCvvdpBlurReach; }

    static constexpr unsigned kMaskRows = 16;

    const CvvdpReferenceBand &reference_;
    const CvvdpBandTables &tables_;
    std::array<float, kCvvdpBlurReach + 1> taps_;
    unsigned contrasted_ = 0; ///< with differences and masks
    unsigned scored_ = 0;
    RowRing means_;       ///< one row: expanded
    RowRing differences_; ///< by channel
    RowRing masks_;       ///< by channel, blurred along the row
    RowRing scratch_;
    RowRing columns_;
    CvvdpPlaces::value_type *places_ = nullptr; ///< null: nobody wants them
    std::array<double, kCvvdpChannels> sums_{};
};

/// All bands of a picture, fed with its channels row by row. A row goes through all bands before
/// the next one comes.
template <class Band> class CvvdpPyramid {
  public:
    CvvdpPyramid(const CvvdpPyramid &) = delete;
    CvvdpPyramid &operator=(const CvvdpPyramid &) = delete;
    CvvdpPyramid(CvvdpPyramid &&) noexcept = default;

    void begin()
    {
        for (Band &band : bands_)
            band.begin();
        base_.begin();
    }
    /// Memory for the next row.
    CvvdpRows next_row() { return bands_[0].next_row(); }
    void push() { push(0); }

    const std::vector<Band> &bands() const { return bands_; }
    const CvvdpLevel &base() const { return base_; }

  protected:
    explicit CvvdpPyramid(CvvdpLevel base) : base_(std::move(base)) {}

    std::vector<Band> bands_;
    CvvdpLevel base_; ///< whole

  private:
    void push(std::size_t index)
    {
        if (index == bands_.size())
            return base_.push();
        Band &band = bands_[index];
        CvvdpLevel &above = index + 1 == bands_.size() ? base_ : bands_[index + 1];
        band.push();
        while (band.makes_row()) {
            band.reduce_into(above);
            push(index + 1);
            band.advance(above);
        }
        band.advance(above);
    }
};

class CvvdpReference : public CvvdpPyramid<CvvdpReferenceBand> {
  public:
    /// @param bands with the base band.
    /// @param rows_ahead rows that are pushed before an encode's, at most.
    CvvdpReference(unsigned width_px, unsigned height_px, unsigned bands, unsigned rows_ahead, CpuTarget target);
};

class CvvdpEncode : public CvvdpPyramid<CvvdpBand> {
  public:
    /// @param reference outlives it, and has each row before it. @param tables by band, outlive it.
    /// @param places get those of each encode; null: nobody wants them.
    CvvdpEncode(const CvvdpReference &reference, const std::vector<CvvdpBandTables> &tables, CpuTarget target,
                CvvdpPlaces *places);

    void begin();
    /// After the last row: the sums of all bands.
    void finish(CvvdpSums &sums) const;

  private:
    void score_base(double (&sums)[kCvvdpChannels]) const;

    const CvvdpReference &reference_;
    const CvvdpBandTables &base_table_;
    CvvdpPlaces *places_;
};

} // namespace vmaf
