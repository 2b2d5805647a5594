#pragma once

#include <stddef.h>

/// The driver double: a libcuda.so.1 on plain host memory for tests on machines without a GPU (spec cuda 7). It counts every
/// call and every live object, can fail any call, and answers misuse with an error and a noted violation. Copies and fills
/// are done at once, in the call; kernels do nothing.
///
/// With VMAF_DOUBLE_FORWARD=path-of-a-real-libcuda in the environment of the process, calls go on to that driver, with the
/// same bookkeeping and failures on top.
///
/// Tests reach this table by dlsym(library, "vmaf_driver_double") (loaded_double.h). Every function may be called on any thread.

extern "C" {

enum VmafDoubleKind {
    VMAF_DOUBLE_CONTEXT, ///< retains of primary contexts, and contexts created
    VMAF_DOUBLE_PUSH,    ///< pushes of a context that were not popped, of all threads
    VMAF_DOUBLE_STREAM,
    VMAF_DOUBLE_EVENT,
    VMAF_DOUBLE_DEVICE_MEMORY,
    VMAF_DOUBLE_PINNED_MEMORY,
    VMAF_DOUBLE_MODULE,
    VMAF_DOUBLE_KINDS
};

enum VmafDoubleMode { VMAF_DOUBLE_ONCE, VMAF_DOUBLE_FROM_HERE_ON };

/// Which calls fail, and how. Every rule counts the calls for itself; where several want one call to fail, the oldest decides
/// and the others take the next one.
struct VmafDoubleFault {
    const char *name;    ///< the symbol as in libcuda ("cuMemAlloc_v2"); null: any entry point
    unsigned long first; ///< of the calls that it is about from now on, the first that fails; 0 and 1: the next
    unsigned long times; ///< how many fail from there on; 0: all
    int result;          ///< the CUresult
    /// Whether the failure breaks the context that is current in that call, as an illegal address does: from then on every call in it
    /// fails with the same result, and so does retaining the primary context anew once its last retain was released. What asks
    /// nothing of the context goes on to succeed: pushing and popping, retaining, queries of devices, names of errors.
    int sticky;
};

struct VmafDoubleDevice {
    int major, minor; ///< compute capability
    size_t bytes;     ///< of memory: an allocation that does not fit what is free is CUDA_ERROR_OUT_OF_MEMORY
    int multiprocessors;
    int block_shared_bytes; ///< the most that a block can be allowed
};

struct VmafDoubleControl {
    /// Forgets the calls, the violations and what is to fail. Live objects stay.
    void (*reset)(void);

    /// Calls since the last reset.
    unsigned long (*calls)(void);
    /// The symbol of call number `index`, from 0; null beyond the last.
    const char *(*call_name)(unsigned long index);

    // Failures. A release that is made to fail takes effect all the same; any other call does nothing.

    /// Short for heal() and a rule: fails the k-th call from now on (1: the next one), that one alone or it and all later ones.
    void (*fail)(unsigned long k, int result, VmafDoubleMode mode, const char *name);
    /// Forgets all rules and mends the contexts that one broke.
    void (*heal)(void);
    /// A number for the two below.
    unsigned long (*add_fault)(const VmafDoubleFault *fault);
    void (*remove_fault)(unsigned long rule);
    /// Calls that the rule made fail.
    unsigned long (*failed)(unsigned long rule);

    // Objects.

    unsigned long (*live)(VmafDoubleKind kind);
    unsigned long (*live_total)(void);
    /// Of device memory alive, on all devices.
    size_t (*live_bytes)(void);

    /// Starts the two counts below anew, as reset() does.
    void (*mark)(void);
    /// Objects made, released or not. Of contexts and pushes: 0.
    unsigned long (*made)(VmafDoubleKind kind);
    /// The most device memory that was alive at once, on all devices together.
    size_t (*peak_bytes)(void);

    /// Uses of handles that were released or never existed, releases without a matching acquisition, copies outside an
    /// allocation; and what was wrong, by number from 0 (null beyond the last; valid until the next reset).
    unsigned long (*violations)(void);
    const char *(*violation)(unsigned long index);

    // Devices. There is one at first: compute capability 9.0, 80 GiB, 132 multiprocessors, 227 KiB of shared memory a block, driver
    // 13.0. Each has a primary context of its own.

    /// Whether calls go on to a real driver. Then the setters here and the ones of time and kernels do nothing and return -1.
    bool (*forwarding)(void);
    /// Replaces the devices; 0 and null: there are none. Returns 0, or -1 if a context is alive.
    int (*set_devices)(unsigned count, const VmafDoubleDevice *devices);
    /// What cuDriverGetVersion tells: 12040 is 12.4. Returns 0.
    int (*set_driver_version)(int version);
};

/// The table; never null.
const VmafDoubleControl *vmaf_driver_double(void);
}
