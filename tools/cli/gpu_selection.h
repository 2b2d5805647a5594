#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Whether and which GPU scores (spec cli 10.6).
namespace vmaf::tool {

enum class GpuUse { none, if_possible, demanded };

struct GpuSelection {
    GpuUse use = GpuUse::if_possible;
    std::optional<unsigned> device = {}; ///< counted as CUDA_VISIBLE_DEVICES shows them; empty: the first
};

/// The item of a CUDA_VISIBLE_DEVICES text; empty if fewer devices are visible.
std::optional<std::string> visible_device(std::string_view visible, unsigned index);

/// Hide all devices but that one from the driver, which must not have been used yet. False if there is none such.
bool show_only_device(unsigned index);

} // namespace vmaf::tool
