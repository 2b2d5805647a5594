#pragma once

#include <dlfcn.h>

#include "vulkan/faulty_driver/control.h"

namespace vmaf::test {

/// A function of control.h. Null if this process does not find the faulty driver as libvulkan.so.1,
/// but no driver or a real one.
template <class Function> Function *find_in_faulty_driver(const char *name)
{
    static void *const kLibrary = dlopen("libvulkan.so.1", RTLD_NOW);
    return kLibrary == nullptr ? nullptr : reinterpret_cast<Function *>(dlsym(kLibrary, name));
}

} // namespace vmaf::test
