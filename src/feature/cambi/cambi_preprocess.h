#pragma once

#include <vector>

#include "base/plane_view.h"
#include "base/result.h"
#include "feature/cambi/cambi_plane.h"

namespace vmaf {

enum class CambiSmoothing { off, anti_dither };

/// Part of picture and mask that is kept: all, or every second row and column (spec cambi 3.4, H).
enum class CambiResult { whole, halved };

/// spec cambi 3.2: which column (or row) of a picture each one at the size of processing is taken
/// from.
std::vector<unsigned> cambi_source_positions(unsigned from, unsigned to);

/// spec cambi 3.3: T.
unsigned cambi_mask_threshold(const PictureSize &size);

/// -EINVAL with one log line.
Status refuse_cambi_sample(unsigned frame_index, unsigned bpc, unsigned row, unsigned sample);

/// spec cambi 3.2 and 3.3: from a luma plane to 10 bits at the size of processing, and its mask.
class CambiPreprocessor {
  public:
    /// Pictures of `format` are brought to `size`.
    CambiPreprocessor(const PictureFormat &format, const PictureSize &size, CambiSmoothing smoothing,
                      CambiResult result, const CambiLoops &loops);

    /// -EINVAL with one log line for samples that do not fit their bit depth. `picture` has the
    /// size of what is kept.
    Status run(const PlaneView &luma, unsigned frame_index, CambiPicture &picture);

  private:
    Status check_samples(const PlaneView &luma, unsigned frame_index) const;
    const std::uint16_t *make_sample_row(const PlaneView &luma, unsigned y, CambiPicture &picture);
    void convert_row(const PlaneView &luma, unsigned y, std::uint16_t *converted);
    void slide_flat_sums(unsigned y);
    void make_mask_row(unsigned y, CambiPlane<std::uint8_t> &mask);

    const CambiLoops &loops_;
    PictureSize size_;
    CambiSmoothing smoothing_;
    CambiResult result_;
    std::uint8_t mask_threshold_;
    std::vector<unsigned> source_columns_; ///< empty if the size stays
    std::vector<unsigned> source_rows_;
    CambiPlane<std::uint16_t> rows_;
    CambiPlane<std::uint8_t> flat_rows_; ///< the last rows of z, one of zeros, and one of the mask
    AlignedBuffer<std::uint8_t> flat_sums_;
};

} // namespace vmaf
