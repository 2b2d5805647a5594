#pragma once

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// Gives every CUDA backend's kernels host functions on the driver double, until its next reset. What they hand on to each other in scratch
/// memory and add to the sums follows from the samples of the planes that the feature reads, most often of their first and last row. So scores tell
/// frames and pictures apart, and are wrong if a kernel, a copy or a fill before it is missing. Those of psnr are the true ones.
/// @return false where kernels are a real driver's, who knows better.
bool install_known_sums(const VmafDoubleControl &driver);

} // namespace vmaf::test
