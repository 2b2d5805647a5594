#pragma once

#include "scoring/session_options.h"

namespace vmaf::tool {

/// Score generated pictures with every feature that the GPU has kernels for, there and on the CPU,
/// and print what differs (spec cli 10.6). @return the exit code. Throws Failure.
int self_test(const GpuSelection &selection);

} // namespace vmaf::tool
