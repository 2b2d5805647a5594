#pragma once

#include "cuda/driver_double/call_hooks.h"
#include "cuda/driver_double/call_log.h"
#include "cuda/driver_double/context_table.h"
#include "cuda/driver_double/devices.h"
#include "cuda/driver_double/kernel_table.h"
#include "cuda/driver_double/notes.h"
#include "cuda/driver_double/object_table.h"
#include "cuda/driver_double/order_log.h"
#include "cuda/driver_double/timeline.h"

namespace driver_double {

/// What the process knows; never destroyed, since releases may come from static destructors.
CallLog &calls();
CallHooks &call_hooks();
ContextTable &contexts();
ObjectTable &objects();
Devices &devices();
KernelTable &kernels();
Timeline &timeline();
OrderLog &order();
/// Misuses of the driver.
Notes &violations();
/// Calls that wait for queued work without being asked to.
Notes &waits();

} // namespace driver_double
