#pragma once

#include <memory>
#include <vector>

#include "frames/library.h"
#include "machine/machine.h"
#include "scoring/session_options.h"

namespace vmaf::tool {

/// A CUDA state that sessions share.
using Gpu = std::shared_ptr<VmafCudaState>;

/// The first GPU that the driver shows. The library's error, or 0.
[[nodiscard]] int find_gpu(GpuUse use, Gpu &gpu);

/// Those that share the work; none if the selection is of one at most. Throws Failure if one that
/// was named cannot be used, or none of all.
std::vector<Gpu> open_gpus(const GpuSelection &selection);

/// What the driver shows; empty if this vmaf has no support for GPUs.
std::vector<GpuFacts> usable_gpus();

/// Why there is none, in words.
const char *gpu_reason(int error);

} // namespace vmaf::tool
