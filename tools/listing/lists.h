#pragma once

#include <string>

#include "libvmaf/libvmaf_ext.h"
#include "machine/machine.h"

/// Output of --list (spec cli 10.5): one name a line.
namespace vmaf::tool {

/// Built-in models and collections.
std::string list_of_models();
/// Extractors; below each its options, indented: name, type, default, range, what it does.
std::string list_of_features();

/// A line "INDEX NAME MEMORY" for each GPU that the driver shows, by the index that --gpu takes.
/// Empty: there is none, or this vmaf has no support for them.
std::string list_of_gpus();
std::string name_and_memory(const GpuFacts &gpu);
std::string name_and_memory(const VmafVulkanDeviceInfo &device);

/// Which backends can be used here, and why not, as JSON (spec cli 10.6).
std::string list_of_backends();

} // namespace vmaf::tool
