#pragma once

#include <memory>
#include <vector>

#include "cli/gpu_selection.h"
#include "frames/library.h"

namespace vmaf::tool {

/// A CUDA state that sessions share.
using Gpu = std::shared_ptr<VmafCudaState>;

/// The first GPU that the driver shows. The library's error, or 0.
[[nodiscard]] int find_gpu(GpuUse use, Gpu &gpu);

/// Those that are to work side by side, counted in the order that is set; none if the selection is of one at most. Throws Failure if one that was named cannot be used, or none
/// of all.
std::vector<Gpu> open_gpus(const GpuSelection &selection);

/// Why there is none, in words.
const char *gpu_reason(int error);

} // namespace vmaf::tool
