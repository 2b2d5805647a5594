#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/object_table.h"

namespace driver_double {

/// The host functions that tests run as kernels. Thread-safe.
class KernelTable {
  public:
    /// Null `run`: none any more.
    void set(const char *kernel, std::vector<std::size_t> param_bytes, VmafDoubleKernel *run, void *user);
    void reset();
    /// The arguments' words, and whether each is another than in the launch before of that
    /// function: what is the same may be left over in a part of a struct that the kernel does not
    /// look at. None if the kernel does nothing.
    using Words = std::vector<std::pair<Handle, bool>>;
    Words words(CUfunction function, const VmafDoubleLaunch &launch);

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
    std::map<CUfunction, Words> last_words_;
};

} // namespace driver_double
