#pragma once

#include "capi/visibility.h"
#include "cuda/driver_double/state.h"

// What every entry point does: note the call, fail it if it is to fail, check the objects it names,
// carry it out, note what it made or released.

#define EXPORTED VMAF_PUBLIC

namespace driver_double {

/// A call under way: noted, and between the test's hooks. The first object of its entry point.
class Call {
  public:
    explicit Call(const char *name) : name_(name), hooks_(call_hooks().get())
    {
        if (hooks_.begins != nullptr)
            hooks_.begins(name, hooks_.user);
        const Injected injected = calls().enter(name);
        if (injected.sticky) {
            contexts().break_context(contexts().current(), injected.result);
            timeline().abandon(contexts().current());
        }
        injected_ = injected.result;
    }
    ~Call()
    {
        if (hooks_.ends != nullptr)
            hooks_.ends(name_, hooks_.user);
    }
    Call(const Call &) = delete;
    Call &operator=(const Call &) = delete;

    /// What it must fail with, or success.
    CUresult injected() const { return injected_; }

  private:
    const char *name_;
    CallHooks::Pair hooks_;
    CUresult injected_ = kSuccess;
};

inline CUresult has_context()
{
    return contexts().current_is_alive() ? kSuccess : kInvalidContext;
}

/// A call that a broken context does not fail: it asks nothing of it.
template <class Action> CUresult ask(const char *name, Action &&action)
{
    const Call call(name);
    return call.injected() != kSuccess ? call.injected() : action();
}

/// A call in the current context that makes nothing and releases nothing. `check` gives the error
/// of its arguments.
template <class Check, class Action> CUresult use(const char *name, Check &&check, Action &&action)
{
    return ask(name, [&] {
        if (const CUresult broken = contexts().broken(contexts().current()); broken != kSuccess)
            return broken;
        const CUresult error = check();
        return error != kSuccess ? error : action();
    });
}

/// A call that waits for queued work.
template <class Subject, class Check, class Action>
CUresult await(const char *name, Subject subject, Check &&check, Action &&action)
{
    const CUresult result = use(name, check, action);
    if (result != kSuccess)
        timeline().excuse(subject);
    // Whoever broke the context meanwhile ended the wait.
    return result != kSuccess ? result : contexts().broken(contexts().current());
}

/// `bytes` is read after the action, which may find it out.
template <class Raw, class Action>
CUresult create(const char *name, VmafDoubleKind kind, Raw *raw, Action &&action, const std::size_t &bytes = 0)
{
    return use(name, has_context, [&] {
        const CUresult result = action();
        if (result == kSuccess)
            objects().add(kind, handle_of(*raw), bytes);
        return result;
    });
}

/// Takes effect even if it is made to fail or if another context is current (a push was made to
/// fail), but once.
template <class Raw, class Action>
CUresult release(const char *name, VmafDoubleKind kind, Raw raw, CUresult misuse, Action &&action)
{
    const Call call(name);
    CUcontext owner = objects().context_of(kind, handle_of(raw));
    const bool in_context = owner == contexts().current();
    if (!objects().remove(name, kind, handle_of(raw)))
        return misuse;
    if (kind == VMAF_DOUBLE_DEVICE_MEMORY || kind == VMAF_DOUBLE_PINNED_MEMORY || kind == VMAF_DOUBLE_MODULE)
        timeline().finish_before_release(name, owner, {kind, handle_of(raw)});
    if (!in_context)
        backend().cuCtxPushCurrent_v2(owner);
    const CUresult result = action();
    if (!in_context)
        backend().cuCtxPopCurrent_v2(&owner);
    if (call.injected() != kSuccess)
        return call.injected();
    if (const CUresult broken = contexts().broken(owner); broken != kSuccess)
        return broken;
    return in_context ? result : kInvalidContext;
}

inline CUresult check_object(const char *name, VmafDoubleKind kind, Handle handle)
{
    return objects().check(name, kind, handle) ? kSuccess : kInvalidHandle;
}

inline CUresult check_stream(const char *name, CUstream stream)
{
    if (const CUresult error = has_context(); error != kSuccess)
        return error;
    return check_object(name, VMAF_DOUBLE_STREAM, handle_of(stream));
}

} // namespace driver_double
