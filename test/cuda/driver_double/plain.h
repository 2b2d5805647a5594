#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/driver_types.h"

// The plain backend: device memory from malloc, so that sanitizers watch it. Arguments were checked
// by the caller as far as they name objects.

namespace driver_double {

/// Device of the calling thread's current context.
VmafDoubleDevice current_device();

/// Handles name nothing in memory and are used once, so that no released one becomes valid again.
std::uintptr_t new_handle_value();
template <class T> T new_handle()
{
    return reinterpret_cast<T>(new_handle_value());
}

inline unsigned char *memory_at(CUdeviceptr pointer)
{
    return reinterpret_cast<unsigned char *>(static_cast<std::uintptr_t>(pointer));
}

// Each fills its part of the table.
void add_plain_device(Backend &table);
void add_plain_memory(Backend &table);
void add_plain_copies(Backend &table);
void add_plain_work(Backend &table);

} // namespace driver_double
