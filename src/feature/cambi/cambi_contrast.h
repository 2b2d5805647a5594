#pragma once

#include <span>
#include <vector>

#include "feature/cambi/cambi_plane.h"
#include "feature/cambi/cambi_visibility.h"

namespace vmaf {

/// spec cambi 3.4 and 3.5: the mode filter and the c-values of one scale after the other.
class CambiContrast {
  public:
    /// @param largest the size of scale 0.
    CambiContrast(const PictureSize &largest, unsigned window, const CambiVisibility &visibility,
                  const CambiLoops &loops);

    /// The c-values of a scale, in raster order; valid until the next call.
    /// @param next gets the picture and mask of the next scale; null: there is none.
    std::span<float> run(const CambiPicture &picture, const PictureSize &size, CambiPicture *next);

  private:
    void find_exceptions();
    const std::uint16_t *filtered_row(const CambiPicture &picture, const PictureSize &size, unsigned y);
    void enter_row(const CambiPicture &picture, const PictureSize &size, unsigned y, CambiPicture *next);
    std::uint16_t *level_row(unsigned y);
    const std::uint16_t *no_levels() const;

    const CambiLoops &loops_;
    unsigned window_;
    int lowest_value_; ///< of those that a c-value depends on
    unsigned level_count_;
    std::vector<std::uint8_t> first_step_;
    std::vector<float> reciprocals_;
    CambiContrastTables tables_;
    CambiPlane<std::uint16_t> row_filtered_; ///< three rows after the filter along rows, and one after both
    CambiPlane<std::uint16_t> levels_;       ///< the rows of a window, the one that leaves it, and one of zeros
    AlignedBuffer<std::uint16_t> counts_;    ///< all 0 between runs
    AlignedBuffer<float> c_;
};

} // namespace vmaf
