#pragma once

#include <dlfcn.h>

#include "cuda/driver_double/control.h"

namespace vmaf::test {

/// The double, if it is what this process finds as libcuda.so.1; else null (no driver, or a real
/// one).
inline const VmafDoubleControl *loaded_driver_double()
{
    void *library = dlopen("libcuda.so.1", RTLD_LAZY);
    if (library == nullptr)
        return nullptr;
    const auto table = reinterpret_cast<decltype(&vmaf_driver_double)>(dlsym(library, "vmaf_driver_double"));
    return table != nullptr ? table() : nullptr;
}

} // namespace vmaf::test
