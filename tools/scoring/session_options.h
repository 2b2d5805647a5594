#pragma once

#include <optional>
#include <vector>

namespace vmaf::tool {

enum class GpuUse { none, if_possible, demanded };
/// Kind of devices in a selection. `either`: CUDA's first, then a discrete Vulkan device.
enum class GpuKind { either, cuda, vulkan };

/// Whether and which GPU scores (spec cli 10.6). CUDA's devices have the numbers of gpus()
/// (machine/machine.h), Vulkan's those of vmaf_vulkan_device_list().
struct GpuSelection {
    GpuUse use = GpuUse::if_possible;
    GpuKind kind = GpuKind::either;
    std::optional<unsigned> device = {}; ///< empty: the first, unless several are wanted
    std::vector<unsigned> devices = {};  ///< two or more that share the work
    bool all = false;                    ///< all usable GPUs share the work

    bool wants_several() const { return all || !devices.empty(); }
};

/// How sessions are opened.
struct SessionOptions {
    std::optional<unsigned> threads; ///< empty: as many as there are cores
    unsigned subsample = 0;
    unsigned cpumask = 0;
    unsigned gpumask = 0; ///< mask for the library; -1 also turns gpu off
    GpuSelection gpu;
};

} // namespace vmaf::tool
