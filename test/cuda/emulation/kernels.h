#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "cuda/driver_double/control.h"

namespace vmaf::emulation {

/// A kernel of kernels/*/*.cu, compiled for the host. It has one argument.
struct Kernel {
    const char *name;
    std::size_t param_bytes;
    void (*run)(const VmafDoubleLaunch &launch);
    /// Clears the bytes of an argument that belong to no member. Compilers without a function for
    /// that leave them.
    void (*clear_padding)(void *argument);
};

/// Kernels of one source file.
using KernelList = std::span<const Kernel>;

/// The kernels of every file.
std::vector<const Kernel *> every_kernel();

} // namespace vmaf::emulation

namespace vmaf::test {

/// Lets kernels that are compiled for the host run on the driver double until its next reset.
/// Sessions there have the scores that they would have on a GPU.
void emulate_kernels(const VmafDoubleControl &driver);
/// Does the same as emulate_kernels(), but runs equal launches on equal memory only once
/// (known_results.h).
void emulate_kernels_and_recall(const VmafDoubleControl &driver);
/// Declares only the sizes of the kernels' arguments. Kernels compute nothing, and the double knows
/// the memory that each one uses.
void know_kernels(const VmafDoubleControl &driver);

} // namespace vmaf::test
