#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/aligned_buffer.h"
#include "feature/ssimulacra2/ssimulacra2_loops.h"
#include "feature/ssimulacra2/ssimulacra2_weights.h"

namespace vmaf {

/// Which planes of XYB a picture has: all, or Y alone where R = G = B (spec ssimulacra2 5.2).
enum class Ssimulacra2Colour { xyb, grey };

/// Use of the error maps: they are summed, or kept for a map of the score.
enum class Ssimulacra2Errors { are_summed, are_kept };

/// One scale of a picture pair, fed row by row from the top (spec ssimulacra2 3.4 to 3.6). Keeps
/// the last rows only.
class Ssimulacra2Scale {
  public:
    Ssimulacra2Scale(Ssimulacra2Size size, unsigned scale, unsigned scale_count, Ssimulacra2Colour colour,
                     Ssimulacra2Errors errors, CpuTarget target);

    /// Forgets the picture pair that was fed.
    void begin();
    /// Memory for the next row: linear R, G, B, or one channel if grey. One value beyond the row
    /// may be written.
    ColourRow next_row(unsigned picture);
    /// Takes in the row that next_row() was filled with, for both pictures.
    void push();
    /// After push(): whether the rows fed now make a row of the next scale, and that row.
    bool makes_row() const { return rows_ % 2 == 0 || rows_ == size_.height_px; }
    void halve_into(Ssimulacra2Scale &next);
    /// After the last row: this scale's part of the sums.
    void finish(Ssimulacra2Sums &sums);

    Ssimulacra2Size size() const { return size_; }
    /// After finish(): an error map of a plane of XYB that was kept, row by row. Empty where no
    /// weight asks for it.
    std::span<const float> errors(unsigned plane, unsigned map) const;

  private:
    /// Rows of one plane that are kept: the blurs along the row, and the row itself.
    enum Signal {
        kReference,
        kDifference,
        kSquaredDifference,
        kVariance,
        kMean,
        kUnblurredReference,
        kUnblurredDifference,
        kSignals
    };

    /// Part of a row: what is made of it on the way stays in the first-level cache.
    struct Columns {
        unsigned first, count;
    };
    static constexpr unsigned kSegmentPx = 256;
    template <class Body> void for_segments(Body body) const
    {
        for (unsigned x = 0; x < size_.width_px; x += kSegmentPx)
            body(Columns{x, size_.width_px - x < kSegmentPx ? size_.width_px - x : kSegmentPx});
    }

    /// So many rows are scored at once, while the rows that their blurs read are at hand.
    static constexpr unsigned kBatchRows = 8;
    static constexpr unsigned kRingRows = kSsimulacra2TapRows - 1 + kBatchRows;

    /// One plane of XYB.
    struct Plane {
        unsigned plane;
        unsigned maps;
        AlignedBuffer<float> rings; ///< kSignals rings of kRingRows rows
        AlignedBuffer<float> columns;
        std::array<std::array<double, kSsimulacra2Maps>, kSsimulacra2Norms> sums;
        std::array<std::vector<float>, kSsimulacra2Maps> errors; ///< empty unless they are kept
    };

    float *scratch_row(unsigned index) { return rows_memory_.data() + index * stride_ + kPadding; }
    ColourRow linear_row(unsigned picture, unsigned y);
    float *ring_row(Plane &plane, Signal signal, unsigned y)
    {
        return plane.rings.data() + (signal * kRingRows + y % kRingRows) * stride_ + kPadding;
    }
    float *column_sums(Plane &plane, unsigned norm, unsigned map)
    {
        return plane.columns.data() + (norm * kSsimulacra2Maps + map) * stride_ + kPadding;
    }
    /// Where row y of an error map goes: a row of zeros if it is kept.
    Ssimulacra2Columns columns_of(Plane &plane, unsigned map, unsigned y)
    {
        std::vector<float> &errors = plane.errors[map];
        return {errors.empty() ? column_sums(plane, 0, map) : &errors[std::size_t{y} * size_.width_px],
                column_sums(plane, 1, map)};
    }

    float *unblurred_row(Plane &plane, Signal signal, unsigned scratch);
    void convert();
    void blur_along_row(Plane &plane, unsigned y);
    template <class Loop> void blur_across_rows(Plane &plane, Signal signal, unsigned y, Columns columns, Loop loop);
    void score_rows(unsigned end);
    void score_row(Plane &plane, unsigned y, unsigned parity, Columns columns);
    void fold_columns(Plane &plane);

    static constexpr std::size_t kPadding = 16; ///< values before each row; those beside it are 0 for the blur

    Ssimulacra2Size size_;
    unsigned scale_;
    Ssimulacra2Colour colour_;
    const RgbLoops &rgb_loops_;
    const Ssimulacra2Loops &loops_;
    std::size_t stride_;
    unsigned rows_ = 0;   ///< fed
    unsigned scored_ = 0; ///< of these
    AlignedBuffer<float> rows_memory_;
    std::vector<Plane> planes_;
};

} // namespace vmaf
