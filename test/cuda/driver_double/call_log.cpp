#include "cuda/driver_double/call_log.h"

namespace driver_double {

CUresult CallLog::enter(const char *name)
{
    const std::lock_guard lock(mutex_);
    names_.push_back(name);
    if (result_ == kSuccess || (!only_.empty() && only_ != name))
        return kSuccess;
    if (calls_left_ > 0 && --calls_left_ == 0)
        return result_;
    return calls_left_ == 0 && mode_ == VMAF_DOUBLE_FROM_HERE_ON ? result_ : kSuccess;
}

void CallLog::reset()
{
    const std::lock_guard lock(mutex_);
    names_.clear();
    result_ = kSuccess;
}

void CallLog::fail(unsigned long k, CUresult result, VmafDoubleMode mode, const char *name)
{
    const std::lock_guard lock(mutex_);
    result_ = result;
    calls_left_ = k;
    mode_ = mode;
    only_ = name != nullptr ? name : "";
}

void CallLog::heal()
{
    const std::lock_guard lock(mutex_);
    result_ = kSuccess;
}

unsigned long CallLog::count() const
{
    const std::lock_guard lock(mutex_);
    return names_.size();
}

const char *CallLog::name(unsigned long index) const
{
    const std::lock_guard lock(mutex_);
    return index < names_.size() ? names_[index] : nullptr;
}

} // namespace driver_double
