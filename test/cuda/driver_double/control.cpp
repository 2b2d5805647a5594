#include "cuda/driver_double/control.h"

#include <climits>
#include <vector>

#include "capi/visibility.h"
#include "cuda/driver_double/state.h"

namespace driver_double {
namespace {

void heal()
{
    calls().heal();
    contexts().heal();
}

void reset()
{
    timeline().set(VMAF_DOUBLE_AT_ONCE, 0);
    timeline().set_patience(std::chrono::milliseconds(VMAF_DOUBLE_PATIENCE_MS));
    timeline().set_pageable_reads(VMAF_DOUBLE_IN_THE_CALL);
    timeline().set_loads_wait(true);
    kernels().reset();
    order().reset();
    waits().clear();
    heal();
    calls().reset();
    call_hooks().set({});
    objects().mark();
    violations().clear();
}

void fail(unsigned long k, int result, VmafDoubleMode mode, const char *name)
{
    heal();
    calls().add_fault({name, k, mode == VMAF_DOUBLE_ONCE ? 1UL : 0UL, result, 0});
}

unsigned long live(VmafDoubleKind kind)
{
    switch (kind) {
    case VMAF_DOUBLE_CONTEXT:
        return contexts().retains();
    case VMAF_DOUBLE_PUSH:
        return contexts().pushes();
    default:
        return objects().live(kind);
    }
}

unsigned long made(VmafDoubleKind kind)
{
    return kind != VMAF_DOUBLE_CONTEXT && kind != VMAF_DOUBLE_PUSH ? objects().made(kind) : 0;
}

unsigned long live_total()
{
    unsigned long total = 0;
    for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
        total += live(static_cast<VmafDoubleKind>(kind));
    return total;
}

/// A setter of what a real driver decides for itself.
template <class Set> int set_unless_forwarding(Set &&set)
{
    if (forwarding())
        return -1;
    set();
    return 0;
}

int set_time(VmafDoubleTime mode, unsigned long queries)
{
    return set_unless_forwarding([=] { timeline().set(mode, queries); });
}

int set_pageable_reads(VmafDoublePageableReads when)
{
    return set_unless_forwarding([=] { timeline().set_pageable_reads(when); });
}

int set_loads_wait(bool wait)
{
    return set_unless_forwarding([=] { timeline().set_loads_wait(wait); });
}

int set_patience(unsigned milliseconds)
{
    return set_unless_forwarding([=] { timeline().set_patience(std::chrono::milliseconds(milliseconds)); });
}

unsigned long stream_number(const void *stream)
{
    return timeline().number(static_cast<CUstream>(const_cast<void *>(stream)));
}

unsigned long event_number(const void *event)
{
    return timeline().number(static_cast<CUevent>(const_cast<void *>(event)));
}

int on_kernel(const char *kernel, const size_t *param_bytes, unsigned params, VmafDoubleKernel *run, void *user)
{
    return set_unless_forwarding(
        [=] { kernels().set(kernel, std::vector<std::size_t>(param_bytes, param_bytes + params), run, user); });
}

int set_devices(unsigned count, const VmafDoubleDevice *properties)
{
    if (contexts().retains() > 0)
        return -1;
    return set_unless_forwarding([=] { devices().set(std::vector<VmafDoubleDevice>(properties, properties + count)); });
}

int set_driver_version(int version)
{
    return set_unless_forwarding([=] { devices().set_version(version); });
}

void *allocation(const void *address, size_t *bytes)
{
    const Handle start = objects().block_of(VMAF_DOUBLE_DEVICE_MEMORY, handle_of(address), bytes);
    return reinterpret_cast<void *>(start);
}

unsigned long allocation_number(const void *address)
{
    return objects().number_of(VMAF_DOUBLE_DEVICE_MEMORY, handle_of(address));
}

constexpr VmafDoubleControl kControl{
    reset,
    [] { return calls().count(); },
    [](unsigned long index) { return calls().name(index); },
    [](VmafDoubleHook *begins, VmafDoubleHook *ends, void *user) {
        call_hooks().set({begins, ends, user});
    },
    fail,
    heal,
    [](const VmafDoubleFault *fault) { return calls().add_fault(*fault); },
    [](unsigned long rule) { calls().remove_fault(rule); },
    [](unsigned long rule) { return calls().failed(rule); },
    live,
    live_total,
    [] { return objects().live_bytes(); },
    [] { objects().mark(); },
    made,
    [] { return objects().peak_bytes(); },
    [] { return violations().count(); },
    [](unsigned long index) { return violations().text(index); },
    forwarding,
    set_devices,
    set_driver_version,
    set_time,
    set_pageable_reads,
    set_loads_wait,
    set_patience,
    [] { return timeline().pending(); },
    [] { return timeline().release(ULONG_MAX); },
    [](unsigned long pieces) { return timeline().release(pieces); },
    [](unsigned long stream) { return timeline().release_stream(stream); },
    [](unsigned long threads) { return timeline().await_blocked(threads); },
    [] { return waits().count(); },
    [](unsigned long index) { return waits().text(index); },
    [] { return order().count(); },
    [](unsigned long index, VmafDoubleWork *work) { return order().get(index, *work); },
    [](unsigned long first, unsigned long second) { return order().ordered(first, second); },
    stream_number,
    event_number,
    on_kernel,
    allocation,
    allocation_number,
};

} // namespace
} // namespace driver_double

VMAF_PUBLIC const VmafDoubleControl *vmaf_driver_double()
{
    return &driver_double::kControl;
}
