#pragma once

#include "cuda/emulation/block.h"
#include "cuda/emulation/kernels.h"

namespace vmaf::emulation {

template <class Params> constexpr std::size_t param_bytes(void (*)(Params))
{
    return sizeof(Params);
}

/// GCC 12 takes the padding behind an array of structs for that of the first bytes, but not in a
/// union.
template <class Params> union Padded {
    Params params;
    unsigned char first;
};

template <class Params> void clear_padding([[maybe_unused]] void (*kernel)(Params), [[maybe_unused]] void *argument)
{
#if __has_builtin(__builtin_clear_padding)
    __builtin_clear_padding(static_cast<Padded<Params> *>(argument));
#endif
}

template <class Params> void run_kernel(void (*kernel)(Params), const VmafDoubleLaunch &launch)
{
    const auto &params = *static_cast<const Params *>(launch.params[0]);
    run_grid({launch.grid[0], launch.grid[1], launch.grid[2]}, {launch.block[0], launch.block[1], launch.block[2]},
             launch.shared_bytes, [&] { kernel(params); });
}

#define VMAF_EMULATED_KERNEL(name)                                                                                     \
    {                                                                                                                  \
#name, ::vmaf::emulation::param_bytes(name),                                                                   \
            [](const VmafDoubleLaunch &launch) { ::vmaf::emulation::run_kernel(name, launch); },                       \
            [](void *argument) { ::vmaf::emulation::clear_padding(name, argument); }       \
    }

} // namespace vmaf::emulation
