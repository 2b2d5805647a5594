#pragma once

#include <mutex>
#include <vector>

#include "cuda/driver_double/fault_rules.h"

namespace driver_double {

/// Every call since the last reset, and which is to fail.
class CallLog {
  public:
    /// Notes a call; what it must fail with.
    Injected enter(const char *name);

    /// Forgets the calls and the rules.
    void reset();
    unsigned long add_fault(const VmafDoubleFault &fault);
    void remove_fault(unsigned long rule);
    unsigned long failed(unsigned long rule) const;
    void heal();

    unsigned long count() const;
    /// Null beyond the last.
    const char *name(unsigned long index) const;

  private:
    mutable std::mutex mutex_;
    std::vector<const char *> names_; ///< string literals
    FaultRules rules_;
};

} // namespace driver_double
