#include "cuda/driver_double/control.h"

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

unsigned long live_total()
{
    unsigned long total = 0;
    for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
        total += live(static_cast<VmafDoubleKind>(kind));
    return total;
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
    [] { return violations().count(); },
    [](unsigned long index) { return violations().text(index); },
};

} // namespace
} // namespace driver_double

__attribute__((visibility("default"))) const VmafDoubleControl *vmaf_driver_double()
{
    return &driver_double::kControl;
}
