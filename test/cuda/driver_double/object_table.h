#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>

#include "cuda/driver_double/control.h"
#include "cuda/driver_double/driver_types.h"

namespace driver_double {

using Handle = std::uintptr_t;
template <class T> Handle handle_of(T *raw)
{
    return reinterpret_cast<Handle>(raw);
}
inline Handle handle_of(CUdeviceptr raw)
{
    return static_cast<Handle>(raw);
}

/// "device memory 0x1234"
std::string object_name(VmafDoubleKind kind, Handle handle);

/// Which objects exist, to which context each belongs, and every breach of that. An object of a
/// context that is gone still counts as alive: nobody released it. Thread-safe.
class ObjectTable {
  public:
    void add(VmafDoubleKind kind, Handle handle, std::size_t bytes = 0);
    /// Whether it was alive in a live context; notes a violation if not.
    bool remove(const char *call, VmafDoubleKind kind, Handle handle);
    /// Whether it is alive in a live context; notes a violation if not.
    bool check(const char *call, VmafDoubleKind kind, Handle handle);
    /// Whether the bytes lie in one live allocation of device memory; notes a violation if not.
    bool check_range(const char *call, Handle start, std::size_t bytes);
    /// Context of a live object. Default streams and objects that do not exist have the calling
    /// thread's current context.
    CUcontext context_of(VmafDoubleKind kind, Handle handle) const;

    /// Start of the allocation that holds the address, and its size; 0 if there is none.
    Handle block_of(VmafDoubleKind kind, Handle address, std::size_t *bytes = nullptr) const;
    /// Which of the allocations made since the last mark() that one is, from 1; 0 if there is none.
    unsigned long number_of(VmafDoubleKind kind, Handle address) const;

    struct Function {
        CUmodule module;
        const char *name; ///< lives as long as the process
    };
    void add_function(CUfunction function, CUmodule module, const char *name);
    /// Module and name of a function. The function must exist.
    Function function(CUfunction function) const;
    /// Checks the function's module as check() does.
    bool check_function(const char *call, CUfunction function);

    /// Number of live objects of a kind. ContextTable counts contexts and pushes.
    unsigned long live(VmafDoubleKind kind) const;
    /// Bytes of live device memory, on all devices or on one.
    std::size_t live_bytes() const;
    std::size_t live_bytes(CUdevice device) const;

    /// Starts to count anew what the next two tell.
    void mark();
    unsigned long made(VmafDoubleKind kind) const;
    std::size_t peak_bytes() const;

  private:
    struct Object {
        CUcontext context;
        CUdevice device;
        std::size_t bytes;
        unsigned long number;
    };
    using Objects = std::map<Handle, Object>;

    /// The allocation of device or pinned memory with the highest address up to this one.
    Objects::const_iterator allocation_at(VmafDoubleKind kind, Handle address) const;
    const Object *find(VmafDoubleKind kind, Handle handle) const;
    bool usable(const char *call, VmafDoubleKind kind, Handle handle);

    mutable std::mutex mutex_;
    std::array<Objects, VMAF_DOUBLE_KINDS> objects_;
    std::array<std::set<Handle>, VMAF_DOUBLE_KINDS> released_;
    std::map<CUfunction, Function> functions_;
    std::set<std::string> function_names_;
    std::map<CUdevice, std::size_t> device_bytes_; ///< of device memory alive
    std::size_t all_device_bytes_ = 0;
    std::size_t peak_bytes_ = 0;
    std::array<unsigned long, VMAF_DOUBLE_KINDS> made_{};
};

} // namespace driver_double
