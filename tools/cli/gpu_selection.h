#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Whether and which GPU scores (spec cli 10.6).
namespace vmaf::tool {

enum class GpuUse { none, if_possible, demanded };

/// Devices are counted as CUDA_VISIBLE_DEVICES shows them.
struct GpuSelection {
    GpuUse use = GpuUse::if_possible;
    std::optional<unsigned> device = {}; ///< empty: the first, unless several are wanted
    std::vector<unsigned> devices = {};  ///< two or more side by side
    bool all = false;                    ///< those that can be used, side by side

    bool wants_several() const { return all || !devices.empty(); }
};

/// The item of a CUDA_VISIBLE_DEVICES text; empty if fewer devices are visible.
std::optional<std::string> visible_device(std::string_view visible, unsigned index);

/// Hide all devices but that one from the driver, which must not have been used yet. False if there is none such.
bool show_only_device(unsigned index);

/// Let the driver, which must not have been used yet, count devices as this program does. False if that cannot be.
bool count_in_pci_order();

} // namespace vmaf::tool
