#include "cuda/driver_double/devices.h"

#include <utility>

namespace driver_double {

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
