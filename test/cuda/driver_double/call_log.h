#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/driver_types.h"

namespace driver_double {

/// Every call since the last reset, and which is to fail.
class CallLog {
  public:
    /// Notes a call; the result that it must fail with, or success.
    CUresult enter(const char *name);

    void reset();
    void fail(unsigned long k, CUresult result, VmafDoubleMode mode, const char *name);
    void heal();

    unsigned long count() const;
    /// Null beyond the last.
    const char *name(unsigned long index) const;

  private:
    mutable std::mutex mutex_;
    std::vector<const char *> names_; ///< string literals

    CUresult result_ = kSuccess;   ///< success: nothing is to fail
    unsigned long calls_left_ = 0; ///< before the one that fails; 0: it is past
    VmafDoubleMode mode_ = VMAF_DOUBLE_ONCE;
    std::string only_; ///< empty: any entry point
};

} // namespace driver_double
