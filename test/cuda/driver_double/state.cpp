#include "cuda/driver_double/state.h"

namespace driver_double {
namespace {

template <class T> T &the_only()
{
    static T &it = *new T;
    return it;
}

} // namespace

CallLog &calls()
{
    return the_only<CallLog>();
}

CallHooks &call_hooks()
{
    return the_only<CallHooks>();
}

ContextTable &contexts()
{
    return the_only<ContextTable>();
}

ObjectTable &objects()
{
    return the_only<ObjectTable>();
}

Devices &devices()
{
    return the_only<Devices>();
}

KernelTable &kernels()
{
    return the_only<KernelTable>();
}

Timeline &timeline()
{
    return the_only<Timeline>();
}

OrderLog &order()
{
    return the_only<OrderLog>();
}

Notes &violations()
{
    static Notes &notes = *new Notes;
    return notes;
}

Notes &waits()
{
    static Notes &notes = *new Notes;
    return notes;
}

} // namespace driver_double
