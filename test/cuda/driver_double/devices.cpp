#include "cuda/driver_double/devices.h"

#include <cstdlib>
#include <utility>

namespace driver_double {

Devices::Devices()
{
    const char *const count = std::getenv("VMAF_DOUBLE_DEVICES");
    devices_.assign(count != nullptr ? std::strtoul(count, nullptr, 10) : 1,
                    {9, 0, std::size_t{80} << 30, 4, 227 * 1024});
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
