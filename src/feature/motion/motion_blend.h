#pragma once

#include "feature/common/smaller.h"
#include "feature/options.h"

namespace vmaf {

/// From motion2 to motion3 (spec motion 4 and 7): the options that motion and float_motion share.
struct MotionBlend {
    template <const auto &kTable>
    explicit MotionBlend(const OptionsOf<kTable> &values)
        : factor(values.real("motion_blend_factor")), offset(values.real("motion_blend_offset")),
          max_val(values.real("motion_max_val"))
    {
    }

    double operator()(double x) const { return smaller(x * factor + (1 - factor) * smaller(offset, x), max_val); }

    double factor;
    double offset;
    double max_val;
};

} // namespace vmaf
