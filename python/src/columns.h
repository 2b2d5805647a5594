#pragma once

#include <nanobind/nanobind.h>

#include "libvmaf/libvmaf.h"

namespace vmaf::python {

/// (frame numbers, {name: scores}, {name: value}) as numpy arrays and floats. Throws.
nanobind::tuple columns_of(VmafContext *context);

/// (mean, harmonic_mean, min, p1, p5, median, max, stddev, scored, missing) of an array of scores.
nanobind::tuple statistics_of(nanobind::handle scores);

} // namespace vmaf::python
