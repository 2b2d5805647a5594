#include "cuda/driver_double/control.h"

#include <vector>

#include "cuda/driver_double/state.h"

namespace driver_double {

CallLog &calls()
{
    static CallLog &log = *new CallLog;
    return log;
}

ContextTable &contexts()
{
    static ContextTable &table = *new ContextTable;
    return table;
}

ObjectTable &objects()
{
    static ObjectTable &table = *new ObjectTable;
    return table;
}

Devices &devices()
{
    static Devices &all = *new Devices;
    return all;
}

Notes &violations()
{
    static Notes &notes = *new Notes;
    return notes;
}

namespace {

void heal()
{
    calls().heal();
    contexts().heal();
}

void reset()
{
    heal();
    calls().reset();
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

int set_devices(unsigned count, const VmafDoubleDevice *properties)
{
    if (forwarding() || contexts().retains() > 0)
        return -1;
    devices().set(std::vector<VmafDoubleDevice>(properties, properties + count));
    return 0;
}

int set_driver_version(int version)
{
    if (forwarding())
        return -1;
    devices().set_version(version);
    return 0;
}

constexpr VmafDoubleControl kControl{
    reset,
    [] { return calls().count(); },
    [](unsigned long index) { return calls().name(index); },
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
};

} // namespace
} // namespace driver_double

__attribute__((visibility("default"))) const VmafDoubleControl *vmaf_driver_double()
{
    return &driver_double::kControl;
}
