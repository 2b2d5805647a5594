#pragma once

#include <cstddef>

#include "base/result.h"
#include "feature/cambi/cambi_params.h"
#include "feature/picture_format.h"

namespace vmaf {

struct CambiSize {
    unsigned width_px;
    unsigned height_px;

    std::size_t pixels() const { return std::size_t{width_px} * height_px; }
    CambiSize halved() const { return {(width_px + 1) / 2, (height_px + 1) / 2}; }
};

/// How one of the two pictures is processed.
struct CambiPass {
    CambiSize size;  ///< preprocessed to this size
    unsigned window; ///< W, odd
};

/// The options that say at which size pictures are processed; 0: not given.
struct CambiSizeOptions {
    CambiSize enc;
    CambiSize src;
    unsigned window_size;
    unsigned high_res_speedup;
};

/// spec cambi 3.1.
struct CambiGeometry {
    CambiPass dis;
    CambiPass ref;
    bool half_size; ///< H: scale 0 is half the size

    CambiSize scale_size(const CambiPass &pass, unsigned scale) const;
};

CambiGeometry cambi_geometry(const CambiSizeOptions &options, const PictureFormat &format);

/// -EINVAL with one log line for sizes that are refused.
Status check_cambi_geometry(const CambiGeometry &geometry);

/// spec cambi 3.6: K of a scale.
std::size_t cambi_top_count(double topk, std::size_t pixels);

} // namespace vmaf
