#pragma once

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>
#else
#include <dlfcn.h>
#endif

#include "cuda/driver_double/control.h"

namespace vmaf::test {

// Builds without CUDA's headers have tests that look for the double too.
#ifdef _WIN32
using DriverLibrary = HMODULE;
constexpr const char *kDriverName = "nvcuda.dll";
#else
using DriverLibrary = void *;
constexpr const char *kDriverName = "libcuda.so.1";
#endif

/// What this process finds as NVIDIA's driver; null: nothing. On Windows that is also a file in
/// PATH. The library looks in the system's folder alone, but takes what is loaded already.
inline DriverLibrary open_driver()
{
#ifdef _WIN32
    return LoadLibraryA(kDriverName);
#else
    return dlopen(kDriverName, RTLD_LAZY);
#endif
}

template <class Function> Function *symbol_of(DriverLibrary library, const char *name)
{
#ifdef _WIN32
    return reinterpret_cast<Function *>(reinterpret_cast<void *>(GetProcAddress(library, name)));
#else
    return reinterpret_cast<Function *>(dlsym(library, name));
#endif
}

/// The double, if it is what open_driver() finds; else null (no driver, or a real one).
inline const VmafDoubleControl *loaded_driver_double()
{
    const DriverLibrary library = open_driver();
    if (library == nullptr)
        return nullptr;
    const auto table = symbol_of<decltype(vmaf_driver_double)>(library, "vmaf_driver_double");
    return table != nullptr ? table() : nullptr;
}

} // namespace vmaf::test
