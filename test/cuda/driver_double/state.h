#pragma once

#include "cuda/driver_double/call_log.h"
#include "cuda/driver_double/context_table.h"
#include "cuda/driver_double/devices.h"
#include "cuda/driver_double/notes.h"
#include "cuda/driver_double/object_table.h"

namespace driver_double {

/// What the process knows; never destroyed, since releases may come from static destructors.
CallLog &calls();
ContextTable &contexts();
ObjectTable &objects();
Devices &devices();
/// Misuses of the driver.
Notes &violations();

} // namespace driver_double
