#pragma once

#include <vector>

#include "base/plane_view.h"
#include "base/result.h"
#include "feature/cambi/cambi_plane.h"

namespace vmaf {

enum class CambiSmoothing { off, anti_dither };

/// spec cambi 3.2 and 3.3: from a luma plane to 10 bits at the size of processing, and its mask.
class CambiPreprocessor {
  public:
    /// Pictures of `format` are brought to `size`.
    CambiPreprocessor(const PictureFormat &format, const PictureSize &size, CambiSmoothing smoothing,
                      const CambiLoops &loops);

    /// -EINVAL with one log line for samples that do not fit their bit depth.
    Status run(const PlaneView &luma, unsigned frame_index, CambiPicture &picture);

  private:
    Status check_samples(const PlaneView &luma, unsigned frame_index) const;
    void make_samples(const PlaneView &luma, CambiPlane<std::uint16_t> &samples);
    void convert_row(const PlaneView &luma, unsigned y, std::uint16_t *converted);
    void make_mask(const CambiPlane<std::uint16_t> &samples, CambiPlane<std::uint8_t> &mask);

    const CambiLoops &loops_;
    PictureSize size_;
    CambiSmoothing smoothing_;
    std::uint8_t mask_threshold_;
    std::vector<unsigned> source_columns_; ///< empty if the size stays
    std::vector<unsigned> source_rows_;
    CambiPlane<std::uint16_t> rows_;     ///< two converted rows and one of the picture's own width
    CambiPlane<std::uint8_t> flat_rows_; ///< the last rows of z, and one of zeros
    AlignedBuffer<std::uint8_t> flat_sums_;
};

} // namespace vmaf
