#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "cuda/driver_double/control.h"

namespace driver_double {

/// The host functions that tests run as kernels. Thread-safe.
class KernelTable {
  public:
    /// Null `run`: none any more.
    void set(const char *kernel, std::vector<std::size_t> param_bytes, VmafDoubleKernel *run, void *user);
    void reset();

    /// A launch's work, with the arguments as they are now; empty if the kernel does nothing.
    std::function<void()> launch(const VmafDoubleLaunch &launch) const;

  private:
    struct Kernel {
        std::vector<std::size_t> param_bytes;
        VmafDoubleKernel *run;
        void *user;
    };

    mutable std::mutex mutex_;
    std::map<std::string, Kernel> kernels_;
};

} // namespace driver_double
