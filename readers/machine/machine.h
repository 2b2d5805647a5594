#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

/// The machine that this process may use.
namespace vmaf::tool {

/// Cores that this process may keep busy: its affinity mask, less what a cgroup's quota takes away.
/// At least 1.
unsigned available_cores();

/// The one rule by which GPUs are numbered, for the tool's --gpu and for Python's gpu alike (spec
/// cli 10.6): in PCI order, as nvidia-smi lists them, unless CUDA_VISIBLE_DEVICES or
/// CUDA_DEVICE_ORDER says otherwise. The driver takes the order from the environment when it is
/// first used. Where something else in the process has used it before, its order stays.
/// @return false if the environment cannot be changed.
bool count_gpus_in_pci_order();

/// A device that the driver shows.
struct GpuFacts {
    unsigned index; ///< number by that rule
    std::string name;
    std::size_t memory_bytes;
};

/// Empty: there is none, or no driver.
std::vector<GpuFacts> gpus();

/// Start the driver, if there is one. That takes it 0.1 s, in which files can be opened. What the
/// environment says of devices must not change any more.
std::jthread start_driver();

/// The process is about to end: contexts of devices that are in use stay until then. A driver takes
/// 70 ms to end one, which it need not do by itself.
void leave_contexts_to_process_end();

/// The item of a CUDA_VISIBLE_DEVICES text; empty if fewer devices are visible.
std::optional<std::string> visible_device(std::string_view visible, unsigned index);

/// Hide all devices but that one from the driver, which must not have been used yet. False if there
/// is none such.
bool show_only_device(unsigned index);

} // namespace vmaf::tool
