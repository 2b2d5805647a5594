#pragma once

#include <string>
#include <vector>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/driver_types.h"

namespace driver_double {

/// What a call must fail with; success: it need not.
struct Injected {
    CUresult result = CUDA_SUCCESS;
    bool sticky = false;
};

/// Which calls are to fail. Not thread-safe: CallLog asks it in the order in which it notes the
/// calls.
class FaultRules {
  public:
    /// Every rule counts the call; the oldest one that wants it to fail decides.
    Injected next(const char *name);

    /// The rule's number.
    unsigned long add(const VmafDoubleFault &fault);
    void remove(unsigned long rule);
    void clear() { rules_.clear(); }
    /// 0 for a rule that is gone.
    unsigned long failed(unsigned long rule) const;

  private:
    struct Rule {
        unsigned long number;
        std::string only; ///< empty: any entry point
        unsigned long calls_before;
        unsigned long times_left;
        bool endless;
        Injected injected;
        unsigned long failed = 0;
    };

    std::vector<Rule> rules_; ///< oldest first
    unsigned long last_number_ = 0;
};

} // namespace driver_double
