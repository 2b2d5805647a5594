#pragma once

#include <memory>
#include <vector>

#include "frames/library.h"
#include "libvmaf/libvmaf_ext.h"
#include "machine/machine.h"
#include "scoring/session_options.h"

namespace vmaf::tool {

/// A device state that sessions share: CUDA's or Vulkan's.
struct GpuState {
    CudaState cuda;
    VulkanState vulkan;

    /// The library's error, or 0.
    [[nodiscard]] int import_into(VmafContext *context) const;
};
using Gpu = std::shared_ptr<const GpuState>;

/// Lets the driver show the GPU that `gpu` names. Before anybody uses it. Throws Failure.
void choose_gpu(const GpuSelection &gpu);

/// The GPU with that number. One that is demanded computes rightly, or sessions fail. The library's
/// error, or 0.
[[nodiscard]] int open_cuda(GpuUse use, unsigned device, Gpu &gpu);
[[nodiscard]] int open_vulkan(GpuUse use, unsigned device, Gpu &gpu);

/// The GPU that a selection of one means. The library's error, or 0.
[[nodiscard]] int find_gpu(const GpuSelection &selection, Gpu &gpu);

/// Vulkan devices in the library's order. If there are none, no message is printed.
std::vector<const VmafVulkanDeviceInfo *> vulkan_devices();
/// The Vulkan device that a selection of one means where CUDA has none: the one that it names, or
/// the first discrete one. Null: there is none.
const VmafVulkanDeviceInfo *vulkan_device_of(const GpuSelection &selection);

/// CUDA's devices that share the work; none if the selection is of one at most. Throws Failure if
/// one that was named cannot be used, or none of all.
std::vector<Gpu> open_gpus(const GpuSelection &selection);

/// GPUs that CUDA's driver shows; empty if this vmaf has no support for it.
std::vector<GpuFacts> usable_gpus();

/// Why there is none, in words.
const char *gpu_reason(int error);

} // namespace vmaf::tool
