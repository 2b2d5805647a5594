#pragma once

#include "base/plane_view.h"
#include "feature/common/light.h"
#include "feature/common/rgb_loops.h"
#include "feature/picture_format.h"

namespace vmaf {

/// spec ssimulacra2 3.1, the values of its option `yuv_matrix`; further 4, 5: BT.2020, limited and
/// full range.
YuvMatrix yuv_matrix(int option, unsigned bpc);

RgbSampling rgb_sampling(const PictureFormat &format, const YuvMatrix &matrix);

/// The least width and height: smaller pictures of 4:2:0 have no chroma.
constexpr unsigned kRgbMinPx = 2;

/// A picture's rows in RGB, of kRgbMinPx or more. One value beyond the row may be written.
class RgbRows {
  public:
    RgbRows(const PictureFormat &format, const YuvMatrix &matrix, Light light, CpuTarget target);
    RgbRows(const RgbRows &) = delete;
    RgbRows &operator=(const RgbRows &) = delete;

    /// R = G = B: rows have one channel.
    bool grey() const { return sampling_.grey; }

    /// R', G', B' (spec ssimulacra2 3.1).
    void encoded(const PlaneView (&planes)[3], unsigned y, ColourRow out) const;
    /// Linear R, G, B (spec ssimulacra2 3.2, hdr 1).
    void linear(const PlaneView (&planes)[3], unsigned y, ColourRow out) const;

  private:
    void read(const PlaneView (&planes)[3], unsigned y, ColourRow out) const;
    void to_light(ColourRow rows) const;
    void read_plane(const PlaneView &plane, unsigned y, float *out) const;
    void read_chroma(const PlaneView &plane, unsigned y, float *out) const;

    unsigned width_px_;
    RgbSampling sampling_;
    Light light_;
    const RgbLoops &loops_;
};

} // namespace vmaf
