#include "cuda/driver_double/devices.h"

#include <cstdlib>
#include <sstream>
#include <string>
#include <utility>

namespace driver_double {

namespace {

std::string variable(const char *name)
{
    const char *const value = std::getenv(name);
    return value != nullptr ? value : "";
}

/// The devices in the order in which CUDA counts them: the fastest first unless PCI order is asked
/// for, and of these the visible ones.
std::vector<VmafDoubleDevice> numbered(std::vector<VmafDoubleDevice> in_pci_order, std::size_t fastest)
{
    in_pci_order.at(fastest).bytes = std::size_t{141} << 30;
    if (variable("CUDA_DEVICE_ORDER") != "PCI_BUS_ID")
        std::swap(in_pci_order[0], in_pci_order[fastest]);
    std::istringstream visible(variable("CUDA_VISIBLE_DEVICES"));
    std::vector<VmafDoubleDevice> shown;
    for (std::string item; std::getline(visible, item, ',');)
        shown.push_back(in_pci_order.at(std::stoul(item)));
    return shown.empty() ? in_pci_order : shown;
}

} // namespace

Devices::Devices()
{
    const std::string count = variable("VMAF_DOUBLE_DEVICES"), fastest = variable("VMAF_DOUBLE_FASTEST");
    devices_.assign(count.empty() ? 1 : std::stoul(count), {9, 0, std::size_t{80} << 30, 4, 227 * 1024});
    if (!fastest.empty())
        devices_ = numbered(std::move(devices_), std::stoul(fastest));
}

void Devices::set(std::vector<VmafDoubleDevice> devices)
{
    const std::lock_guard lock(mutex_);
    devices_ = std::move(devices);
}

int Devices::count() const
{
    const std::lock_guard lock(mutex_);
    return static_cast<int>(devices_.size());
}

std::optional<VmafDoubleDevice> Devices::find(CUdevice device) const
{
    const std::lock_guard lock(mutex_);
    if (device < 0 || device >= static_cast<int>(devices_.size()))
        return std::nullopt;
    return devices_[static_cast<std::size_t>(device)];
}

void Devices::set_version(int version)
{
    const std::lock_guard lock(mutex_);
    version_ = version;
}

int Devices::version() const
{
    const std::lock_guard lock(mutex_);
    return version_;
}

} // namespace driver_double
