#pragma once

#include <array>
#include <vector>

#include "base/aligned_buffer.h"
#include "feature/ssimulacra2/ssimulacra2_loops.h"
#include "feature/ssimulacra2/ssimulacra2_weights.h"

namespace vmaf {

/// Which planes of XYB a picture has: all, or Y alone where R = G = B (spec ssimulacra2 5.2).
enum class Ssimulacra2Colour { xyb, grey };

/// One scale of a picture pair, fed row by row from the top (spec ssimulacra2 3.4 to 3.6). Keeps the last rows only.
class Ssimulacra2Scale {
  public:
    Ssimulacra2Scale(Ssimulacra2Size size, unsigned scale, unsigned scale_count, Ssimulacra2Colour colour,
                     const Ssimulacra2Loops &loops);

    /// Forgets the picture pair that was fed.
    void begin();
    /// Where the next row goes: linear R, G, B, or one channel if grey. One value beyond the row may be written.
    Ssimulacra2Row next_row(unsigned picture);
    /// Takes in the row that next_row() was filled with, for both pictures.
    void push();
    /// After push(): whether the rows fed now make a row of the next scale, and that row.
    bool makes_row() const { return rows_ % 2 == 0 || rows_ == size_.height_px; }
    void halve_into(Ssimulacra2Scale &next);
    /// After the last row: this scale's part of the sums.
    void finish(Ssimulacra2Sums &sums);

  private:
    /// Rows of one plane that are kept: the blurs along the row, and the row itself.
    enum Signal {
        kReference,
        kDifference,
        kSquaredDifference,
        kEnergy,
        kUnblurredReference,
        kUnblurredDifference,
        kSignals
    };

    /// One plane of XYB.
    struct Plane {
        unsigned plane;
        unsigned maps;
        AlignedBuffer<float> rings; ///< kSignals rings of kSsimulacra2TapRows rows
        AlignedBuffer<float> columns;
        std::array<std::array<double, kSsimulacra2Maps>, kSsimulacra2Norms> sums;
    };

    float *scratch_row(unsigned index) { return rows_memory_.data() + index * stride_ + kPadding; }
    Ssimulacra2Row linear_row(unsigned picture, unsigned y);
    float *ring_row(Plane &plane, Signal signal, unsigned y)
    {
        return plane.rings.data() + (signal * kSsimulacra2TapRows + y % kSsimulacra2TapRows) * stride_ + kPadding;
    }
    float *column_sums(Plane &plane, unsigned norm, unsigned map)
    {
        return plane.columns.data() + (norm * kSsimulacra2Maps + map) * stride_ + kPadding;
    }
    Ssimulacra2Columns columns_of(Plane &plane, unsigned map)
    {
        return {column_sums(plane, 0, map), column_sums(plane, 1, map)};
    }

    void convert();
    void blur_along_row(Plane &plane, unsigned y);
    const float *blur_across_rows(Plane &plane, Signal signal, unsigned y, unsigned scratch);
    void score_row(unsigned y);
    void score_row(Plane &plane, unsigned y);
    void fold_columns(Plane &plane);

    static constexpr std::size_t kPadding = 16; ///< values before each row; those beside it are 0 for the blur

    Ssimulacra2Size size_;
    unsigned scale_;
    Ssimulacra2Colour colour_;
    const Ssimulacra2Loops &loops_;
    std::size_t stride_;
    unsigned rows_ = 0; ///< fed
    AlignedBuffer<float> rows_memory_;
    std::vector<Plane> planes_;
};

} // namespace vmaf
