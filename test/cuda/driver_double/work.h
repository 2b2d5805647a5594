#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/object_table.h"

namespace driver_double {

/// Numbers work in the order in which it was queued. 0: none.
using WorkId = unsigned long;

/// An object that work needs until it ran.
struct ObjectUse {
    VmafDoubleKind kind;
    Handle handle;
    // Where in memory. Of a kernel only the addresses are known that it was given; of one that may
    // be left over nothing.
    Handle first = 0;
    std::size_t bytes = 0;
    bool is_written = false; ///< by a copy or a fill; what kernels write is not known

    /// Whether the order of the two uses matters.
    bool conflicts_with(const ObjectUse &other) const
    {
        return (is_written || other.is_written) && kind == other.kind && first < other.first + other.bytes &&
               other.first < first + bytes;
    }
};

/// What is queued on a stream.
struct Work {
    VmafDoubleWorkKind kind;
    const char *name; ///< lives as long as the process
    std::size_t bytes = 0;
    std::vector<ObjectUse> uses{};
    std::function<void()> run{}; ///< empty: nothing to do
    /// Whether the client queued it in a call without a stream and need not know that it is not
    /// done.
    bool unaware = false;
};

} // namespace driver_double
