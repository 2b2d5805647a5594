#pragma once

/// Marks the definition of a function of the C API: the library hides every other symbol.
#ifdef _WIN32
#define VMAF_PUBLIC extern "C" __declspec(dllexport)
#else
#define VMAF_PUBLIC extern "C" __attribute__((visibility("default")))
#endif
