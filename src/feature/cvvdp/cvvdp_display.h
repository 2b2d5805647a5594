#pragma once

#include <string>

#include "base/result.h"
#include "feature/common/colour.h"

namespace vmaf {

/// spec cvvdp 3.1: what a video is watched on.
struct CvvdpDisplay {
    Transfer transfer = Transfer::srgb;
    Primaries primaries = Primaries::bt709;
    double peak = 0, black = 0; ///< cd/m2
    double reflected = 0;       ///< ambient light that it gives back, cd/m2
    double ambient = 0;         ///< lux
    double exposure = 1;        ///< that light is multiplied by
    double ppd = 0;             ///< pixels per degree
};

/// A display of the authors' list by its name, or that of a JSON file with their keys (spec cvvdp
/// 3.1). -EINVAL with one log line.
Result<CvvdpDisplay> find_cvvdp_display(const std::string &name);

} // namespace vmaf
