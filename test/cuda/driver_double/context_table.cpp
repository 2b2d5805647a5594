#include "cuda/driver_double/context_table.h"

#include <vector>

#include "cuda/driver_double/state.h"

namespace driver_double {
namespace {

thread_local std::vector<CUcontext> t_stack;

} // namespace

void ContextTable::retain_primary(CUdevice device, CUcontext context)
{
    const std::lock_guard lock(mutex_);
    primaries_[device] = context;
    Context &primary = contexts_[context];
    primary.device = device;
    ++primary.retains;
}

CUcontext ContextTable::primary(CUdevice device) const
{
    const std::lock_guard lock(mutex_);
    const auto found = primaries_.find(device);
    return found != primaries_.end() ? found->second : nullptr;
}

bool ContextTable::release_primary(CUdevice device)
{
    const std::lock_guard lock(mutex_);
    const auto found = primaries_.find(device);
    if (found == primaries_.end()) {
        violations().add("cuDevicePrimaryCtxRelease", "the primary context is not retained");
        return false;
    }
    if (--contexts_[found->second].retains == 0) {
        contexts_.erase(found->second);
        primaries_.erase(found);
    }
    return true;
}

void ContextTable::create(CUcontext context, CUdevice device)
{
    const std::lock_guard lock(mutex_);
    contexts_[context] = {device, 1};
}

bool ContextTable::destroy(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    if (contexts_.erase(context) == 0) {
        violations().add("cuCtxDestroy_v2", "no such context");
        return false;
    }
    if (current() == context) {
        t_stack.pop_back();
        --pushes_;
    }
    return true;
}

bool ContextTable::alive(CUcontext context) const
{
    const std::lock_guard lock(mutex_);
    return contexts_.count(context) != 0;
}

CUdevice ContextTable::device_of(CUcontext context) const
{
    const std::lock_guard lock(mutex_);
    const auto found = contexts_.find(context);
    return found != contexts_.end() ? found->second.device : -1;
}

bool ContextTable::push(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    if (contexts_.count(context) == 0) {
        violations().add("cuCtxPushCurrent_v2", "no such context");
        return false;
    }
    t_stack.push_back(context);
    ++pushes_;
    return true;
}

CUcontext ContextTable::pop()
{
    const std::lock_guard lock(mutex_);
    if (t_stack.empty()) {
        violations().add("cuCtxPopCurrent_v2", "nothing was pushed");
        return nullptr;
    }
    const CUcontext context = t_stack.back();
    t_stack.pop_back();
    --pushes_;
    return context;
}

CUcontext ContextTable::current() const
{
    return t_stack.empty() ? nullptr : t_stack.back();
}

void ContextTable::break_context(CUcontext context, CUresult result)
{
    const std::lock_guard lock(mutex_);
    if (contexts_.count(context) == 0)
        return;
    broken_.emplace(context, result);
    for (const auto &[device, primary] : primaries_)
        if (primary == context)
            broken_primaries_.emplace(device, result);
}

CUresult ContextTable::broken(CUcontext context) const
{
    const std::lock_guard lock(mutex_);
    const auto found = broken_.find(context);
    return found != broken_.end() ? found->second : kSuccess;
}

CUresult ContextTable::broken_primary(CUdevice device) const
{
    const std::lock_guard lock(mutex_);
    const auto found = broken_primaries_.find(device);
    return found != broken_primaries_.end() ? found->second : kSuccess;
}

void ContextTable::heal()
{
    const std::lock_guard lock(mutex_);
    broken_.clear();
    broken_primaries_.clear();
}

unsigned long ContextTable::retains() const
{
    const std::lock_guard lock(mutex_);
    unsigned long count = 0;
    for (const auto &[handle, context] : contexts_)
        count += context.retains;
    return count;
}

unsigned long ContextTable::pushes() const
{
    const std::lock_guard lock(mutex_);
    return pushes_;
}

} // namespace driver_double
