#pragma once

#include "feature/ciede/ciede_params.h"

namespace vmaf {

struct CiedeSample {
    int y, u, v;
};

/// dE of one pixel exactly as spec ciede 3.2 and 3.3 define it, with the C library's functions.
float ciede_difference(const CiedeSample &ref, const CiedeSample &dis, const CiedeRange &range);

} // namespace vmaf
