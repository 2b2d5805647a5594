#pragma once

#include <vector>

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// Chooses driver calls of a run that stand for all. A place in the program may make many calls on
/// one path there; the first and the last are chosen, or also the second.
class CallSites {
  public:
    /// Records calls until it is destroyed.
    explicit CallSites(const VmafDoubleControl &driver);
    ~CallSites();
    CallSites(const CallSites &) = delete;
    CallSites &operator=(const CallSites &) = delete;

    enum class Second { no, yes };
    /// Numbers of the chosen calls since it was made, from 0, ascending.
    std::vector<unsigned long> representatives(Second second) const;

  private:
    static void note(const char *call, void *self);

    const VmafDoubleControl &driver_;
    std::vector<std::vector<void *>> stacks_; ///< one for every call
};

} // namespace vmaf::test
