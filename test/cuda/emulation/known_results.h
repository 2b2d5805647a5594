#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "cuda/driver_double/control.h"

namespace vmaf::emulation {

/// Records how launches changed device memory, by its contents before. Tests that repeat a session
/// thousands of times then run its kernels less often. Use it only if one thread at a time writes
/// device memory. Thread-safe.
class KnownResults {
  public:
    /// Calls `run`, unless the same launch was recorded with the same contents of all memory that
    /// its arguments point into.
    void launch(const VmafDoubleControl &driver, const VmafDoubleLaunch &launch, std::size_t param_bytes,
                const std::function<void()> &run);

  private:
    struct Write {
        std::size_t block, offset;
        std::vector<unsigned char> bytes;
    };

    std::unordered_map<std::uint64_t, std::vector<Write>> writes_;
    std::size_t bytes_ = 0;
};

} // namespace vmaf::emulation
