#include "cuda/driver_double/call_log.h"

namespace driver_double {

Injected CallLog::enter(const char *name)
{
    const std::lock_guard lock(mutex_);
    names_.push_back(name);
    return rules_.next(name);
}

void CallLog::reset()
{
    const std::lock_guard lock(mutex_);
    names_.clear();
    rules_.clear();
}

unsigned long CallLog::add_fault(const VmafDoubleFault &fault)
{
    const std::lock_guard lock(mutex_);
    return rules_.add(fault);
}

void CallLog::remove_fault(unsigned long rule)
{
    const std::lock_guard lock(mutex_);
    rules_.remove(rule);
}

unsigned long CallLog::failed(unsigned long rule) const
{
    const std::lock_guard lock(mutex_);
    return rules_.failed(rule);
}

void CallLog::heal()
{
    const std::lock_guard lock(mutex_);
    rules_.clear();
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
