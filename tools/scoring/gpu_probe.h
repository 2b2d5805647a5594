#pragma once

#include "cli/gpu_selection.h"
#include "scoring/library.h"

namespace vmaf::tool {

/// The first GPU that the driver shows. The library's error, or 0.
[[nodiscard]] int find_gpu(GpuUse use, CudaState &gpu);

/// Why there is none, in words.
const char *gpu_reason(int error);

} // namespace vmaf::tool
