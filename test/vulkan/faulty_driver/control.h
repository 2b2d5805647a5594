#pragma once

/// What tests ask of the faulty driver (loader.cpp), which they find in libvulkan.so.1.
extern "C" {

/// The call of that number, from 1 on since the last heal, returns `result` without being made, and
/// so do all later ones if it `lasts`. Several may fail; the first that was asked for decides.
using VmafFaultyFail = void(unsigned long call, int result, bool lasts);

/// No call fails any more, and they are counted anew.
using VmafFaultyHeal = void();

/// Lets each call that can fail say its name first. Null: none does.
using VmafFaultyOnCalls = void(void (*hook)(const char *name));

/// Devices have that number behind their names from now on, so that they are others. 0: no number.
using VmafFaultyRename = void(unsigned number);

/// What surrounds each of the driver's own calls from now on; null: nothing.
using VmafFaultyAround = void(void (*before)(), void (*after)());

/// Objects and memory that were made and not destroyed.
using VmafFaultyLive = long();
}
