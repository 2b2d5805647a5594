#pragma once

#include <dlfcn.h>

#include "vulkan/faulty_driver/control.h"

namespace vmaf::test {

/// A function of control.h, if the faulty driver is what this process finds as libvulkan.so.1; else
/// null (no driver, or a real one).
template <class Function> Function *find_in_faulty_driver(const char *name)
{
    static void *const kLibrary = dlopen("libvulkan.so.1", RTLD_NOW);
    return kLibrary == nullptr ? nullptr : reinterpret_cast<Function *>(dlsym(kLibrary, name));
}

} // namespace vmaf::test
