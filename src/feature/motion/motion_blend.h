#pragma once

#include "feature/common/smaller.h"

namespace vmaf {

/// From motion2 to motion3 (spec motion 4 and 7): the options that motion and float_motion share.
struct MotionBlend {
    double operator()(double x) const { return smaller(x * factor + (1 - factor) * smaller(offset, x), max_val); }

    double factor;
    double offset;
    double max_val;
};

} // namespace vmaf
