#pragma once

#include <vector>

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// Which driver calls of a run stand for all: of those that one place in the program makes on one
/// way there, the first and the last, or the second too.
class CallSites {
  public:
    /// Listens until it is destroyed.
    explicit CallSites(const VmafDoubleControl &driver);
    ~CallSites();
    CallSites(const CallSites &) = delete;
    CallSites &operator=(const CallSites &) = delete;

    enum class Second { no, yes };
    /// Numbers of calls since it was made, from 0, ascending.
    std::vector<unsigned long> representatives(Second second) const;

  private:
    static void note(const char *call, void *self);

    const VmafDoubleControl &driver_;
    std::vector<std::vector<void *>> stacks_; ///< of every call
};

} // namespace vmaf::test
