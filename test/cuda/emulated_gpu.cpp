#include "cuda/driver_double/loaded_double.h"
#include "cuda/emulation/kernels.h"

// Preloaded into a program that finds the driver double as its libcuda.so.1, this makes it a slow
// GPU: the library's kernels compute.

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
