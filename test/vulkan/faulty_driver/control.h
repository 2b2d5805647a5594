#pragma once

/// What tests ask of the faulty driver (loader.cpp), which they find in libvulkan.so.1.
extern "C" {

/// Counts calls from 1 again; the call of that number returns `result` without being made, and so
/// do all later ones if the device is lost. 0: none fails. @return how many calls were made since.
using VmafFaultyFail = unsigned long(unsigned long call, int result);

/// What surrounds each of the driver's own calls from now on; null: nothing.
using VmafFaultyAround = void(void (*before)(), void (*after)());

/// Objects and memory that were made and not destroyed.
using VmafFaultyLive = long();
}
