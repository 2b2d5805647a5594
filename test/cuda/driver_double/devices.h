#pragma once

#include <mutex>
#include <optional>
#include <vector>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/driver_types.h"

namespace driver_double {

/// The devices of the plain backend and its version. Thread-safe.
class Devices {
  public:
    /// One, or as many equal ones as VMAF_DOUBLE_DEVICES says: for programs that no test can call
    /// into.
    Devices();

    void set(std::vector<VmafDoubleDevice> devices);
    int count() const;
    /// Nothing if there is no such device.
    std::optional<VmafDoubleDevice> find(CUdevice device) const;

    void set_version(int version);
    int version() const;

  private:
    mutable std::mutex mutex_;
    std::vector<VmafDoubleDevice> devices_;
    int version_ = 13000;
};

} // namespace driver_double
