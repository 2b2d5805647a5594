#pragma once

/// Requests of tests to the faulty driver (loader.cpp). They find the functions in libvulkan.so.1.
extern "C" {

/// Makes the call of that number return `result` without being made, and all later ones too if it
/// `lasts`. Calls count from 1 since the last heal. Several calls may fail; the first request
/// decides.
using VmafFaultyFail = void(unsigned long call, int result, bool lasts);

/// Lets no call fail any more, and counts calls from 1 again.
using VmafFaultyHeal = void();

/// Announces the name of each call that can fail, before the call. Null: stops that.
using VmafFaultyOnCalls = void(void (*hook)(const char *name));

/// Appends that number to the names of devices, so that they count as other devices. 0: no number.
using VmafFaultyRename = void(unsigned number);

/// Surrounds each of the driver's own calls from now on; null: with nothing.
using VmafFaultyAround = void(void (*before)(), void (*after)());

/// Number of objects and memory blocks that were made and not destroyed.
using VmafFaultyLive = long();
}
