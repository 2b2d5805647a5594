#include "cuda/driver_double/control.h"

#include "cuda/driver_double/state.h"

namespace driver_double {

CallLog &calls()
{
    static CallLog &log = *new CallLog;
    return log;
}

ObjectTable &objects()
{
    static ObjectTable &table = *new ObjectTable;
    return table;
}

namespace {

void reset()
{
    calls().reset();
    objects().forget_violations();
}

unsigned long live_total()
{
    unsigned long total = 0;
    for (int kind = 0; kind < VMAF_DOUBLE_KINDS; ++kind)
        total += objects().live(static_cast<VmafDoubleKind>(kind));
    return total;
}

constexpr VmafDoubleControl kControl{
    reset,
    [] { return calls().count(); },
    [](unsigned long index) { return calls().name(index); },
    [](unsigned long k, int result, VmafDoubleMode mode, const char *name) {
        calls().fail(k, static_cast<CUresult>(result), mode, name);
    },
    [] { calls().heal(); },
    [](VmafDoubleKind kind) { return objects().live(kind); },
    live_total,
    [] { return objects().live_bytes(); },
    [] { return objects().violations(); },
    [](unsigned long index) { return objects().violation(index); },
};

} // namespace
} // namespace driver_double

__attribute__((visibility("default"))) const VmafDoubleControl *vmaf_driver_double()
{
    return &driver_double::kControl;
}
