#pragma once

#include <ffnvcodec/dynlink_loader.h>

#include "cuda/driver_double/control.h"

namespace vmaf::test {

#ifdef _WIN32
constexpr const char *kDriverName = "nvcuda.dll";
#else
constexpr const char *kDriverName = "libcuda.so.1";
#endif

/// What this process finds as NVIDIA's driver; null: nothing. On Windows that is also a file in
/// PATH. The library looks in the system's folder alone, but takes what is loaded already.
inline FFNV_LIB_HANDLE open_driver()
{
    return FFNV_LOAD_FUNC(kDriverName);
}

template <class Function> Function *symbol_of(FFNV_LIB_HANDLE library, const char *name)
{
    return reinterpret_cast<Function *>(reinterpret_cast<void *>(FFNV_SYM_FUNC(library, name)));
}

/// The double, if it is what open_driver() finds; else null (no driver, or a real one).
inline const VmafDoubleControl *loaded_driver_double()
{
    FFNV_LIB_HANDLE library = open_driver();
    if (library == nullptr)
        return nullptr;
    const auto table = symbol_of<decltype(vmaf_driver_double)>(library, "vmaf_driver_double");
    return table != nullptr ? table() : nullptr;
}

} // namespace vmaf::test
