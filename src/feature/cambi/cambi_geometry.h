#pragma once

#include "base/result.h"
#include "feature/cambi/cambi_params.h"
#include "feature/common/picture_size.h"
#include "feature/picture_format.h"

namespace vmaf {

/// How one of the two pictures is processed.
struct CambiPass {
    PictureSize size; ///< preprocessed to this size
    unsigned window;  ///< W, odd
};

/// The options that say at which size pictures are processed; 0: not given.
struct CambiSizeOptions {
    PictureSize enc;
    PictureSize src;
    unsigned window_size;
    unsigned high_res_speedup;
};

/// spec cambi 3.1.
struct CambiGeometry {
    CambiPass dis;
    CambiPass ref;
    bool half_size; ///< H: scale 0 is half the size

    PictureSize scale_size(const CambiPass &pass, unsigned scale) const;
};

CambiGeometry cambi_geometry(const CambiSizeOptions &options, const PictureFormat &format);

/// -EINVAL with one log line for sizes that are refused.
Status check_cambi_geometry(const CambiGeometry &geometry);

/// spec cambi 3.6: K of a scale.
std::size_t cambi_top_count(double topk, std::size_t pixels);

} // namespace vmaf
