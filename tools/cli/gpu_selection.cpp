#include "cli/gpu_selection.h"

#include <cstdlib>

#include "common/platform.h"

namespace vmaf::tool {

std::optional<std::string> visible_device(std::string_view visible, unsigned index)
{
    for (;; --index) {
        const std::size_t comma = visible.find(',');
        const std::string_view item = visible.substr(0, comma);
        if (item.empty() || item.front() == '-') // CUDA ignores what follows
            return std::nullopt;
        if (index == 0)
            return std::string(item);
        if (comma == visible.npos)
            return std::nullopt;
        visible.remove_prefix(comma + 1);
    }
}

bool show_only_device(unsigned index)
{
    std::optional<std::string> device = std::to_string(index);
    if (const char *visible = std::getenv("CUDA_VISIBLE_DEVICES"))
        device = visible_device(visible, index);
    else if (!count_in_pci_order())
        return false;
    return device && set_environment("CUDA_VISIBLE_DEVICES", device->c_str());
}

bool count_in_pci_order()
{
    return std::getenv("CUDA_VISIBLE_DEVICES") || set_environment("CUDA_DEVICE_ORDER", "PCI_BUS_ID");
}

} // namespace vmaf::tool
