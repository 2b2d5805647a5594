#pragma once

#include <vector>

#include "feature/common/rgb_rows.h"
#include "feature/feature.h"
#include "feature/ssimulacra2/ssimulacra2_scale.h"

namespace vmaf {

/// From linear colour, row by row, to the sums of all scales: everything of spec ssimulacra2 3.3 to
/// 3.6. A row goes through every scale before the next one comes, so memory grows with the width
/// alone.
class Ssimulacra2Pyramid {
  public:
    Ssimulacra2Pyramid(unsigned width_px, unsigned height_px, Ssimulacra2Colour colour, CpuTarget target,
                       Ssimulacra2Errors errors = Ssimulacra2Errors::are_summed);

    /// All rows of a picture pair, one after the other.
    void run(const FramePlanes &planes, const RgbRows &rows, Ssimulacra2Sums &sums);

    void begin();
    /// Memory for the next row of scale 0 (Ssimulacra2Scale::next_row).
    ColourRow next_row(unsigned picture) { return scales_[0].next_row(picture); }
    void push();
    /// After the last row.
    void finish(Ssimulacra2Sums &sums);

    std::span<const Ssimulacra2Scale> scales() const { return scales_; }

  private:
    unsigned height_px_;
    std::vector<Ssimulacra2Scale> scales_;
};

} // namespace vmaf
