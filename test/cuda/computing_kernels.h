#pragma once

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// Lets the kernels of psnr, motion, vif and adm write on the driver double what the CPU computes, from the samples that lie in "device"
/// memory when their stream reaches them. So a session on the double has the scores of a CPU session if the library brings the right
/// samples to the right kernel in time, and its sums back to the right frame. ssimulacra2's do nothing. Forgotten by reset().
void let_kernels_compute(const VmafDoubleControl &driver);

} // namespace vmaf::test
