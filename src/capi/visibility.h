#pragma once

/// Marks the definition of a function of the C API: the library hides every other symbol.
#define VMAF_PUBLIC extern "C" __attribute__((visibility("default")))
