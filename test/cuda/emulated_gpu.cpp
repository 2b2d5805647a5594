#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"

// A library to preload into a program that finds the driver double as its libcuda.so.1. It turns
// the double into a slow GPU on which the library's kernels compute.

namespace vmaf::test {
namespace {

const bool computes_from_the_start = [] {
    const VmafDoubleControl *driver = loaded_driver_double();
    if (driver != nullptr)
        emulate_kernels(*driver);
    return driver != nullptr;
}();

} // namespace
} // namespace vmaf::test
