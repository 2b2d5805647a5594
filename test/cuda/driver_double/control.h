#pragma once

#include <stddef.h>

/// The driver double: a libcuda.so.1 or nvcuda.dll on plain host memory for tests on machines
/// without a GPU (spec cuda 7). It counts every call and every live object, can fail any call, and
/// answers misuse with an error and a noted violation. Work on streams runs when the test says, by
/// default at once, in the call; kernels do nothing unless the test gives them a function.
///
/// With VMAF_DOUBLE_FORWARD=path-of-a-real-libcuda in the environment of the process, calls go on
/// to that driver, with the same bookkeeping and failures on top; what is said of devices, time,
/// order and kernels is then the driver's business.
///
/// With VMAF_DOUBLE_DEVICES=N in the environment there are N devices, else one, until a test says
/// otherwise. With VMAF_DOUBLE_FASTEST=I besides, the I-th in PCI order is the fastest and has 141
/// GiB, and they are numbered as CUDA_DEVICE_ORDER and CUDA_VISIBLE_DEVICES say when the driver is
/// first used: without them the fastest is device 0.
///
/// Tests reach this table by dlsym(library, "vmaf_driver_double") (loaded_double.h). Every function
/// may be called on any thread.

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

/// Which calls fail, and how. Every rule counts the calls for itself; where several want one call
/// to fail, the oldest decides and the others take the next one.
struct VmafDoubleFault {
    const char *name;    ///< the symbol as in libcuda ("cuMemAlloc_v2"); null: any entry point
    unsigned long first; ///< of the calls that it is about from now on, the first that fails; 0 and 1: the next
    unsigned long times; ///< how many fail from there on; 0: all
    int result;          ///< the CUresult
    /// Whether the failure breaks the context that is current in that call, as an illegal address
    /// does: from then on every call in it fails with the same result, and so does retaining the
    /// primary context anew once its last retain was released. What asks nothing of the context
    /// goes on to succeed: pushing and popping, retaining, queries of devices, names of errors.
    int sticky;
};

/// When queued work runs: copies, fills, kernels, records of events, waits for events.
enum VmafDoubleTime {
    VMAF_DOUBLE_AT_ONCE, ///< in the call that queues it
    /// At a synchronise, or at a query that follows so many answers CUDA_ERROR_NOT_READY: of the
    /// event since it was recorded, of the stream since work was last queued on it.
    VMAF_DOUBLE_AFTER_QUERIES,
    VMAF_DOUBLE_ON_SYNCHRONISE, ///< at a synchronise; until then queries answer CUDA_ERROR_NOT_READY
    VMAF_DOUBLE_HELD,           ///< when the test releases it: until then queries answer so and a synchronise blocks
};

/// When an asynchronous copy reads a source in pageable memory.
enum VmafDoublePageableReads {
    VMAF_DOUBLE_IN_THE_CALL, ///< as the driver does: the source may be used again or freed once the call returned
    VMAF_DOUBLE_WHEN_IT_RUNS ///< as if it were pinned: for promises that are stricter than the driver's
};

enum VmafDoubleWorkKind {
    VMAF_DOUBLE_COPY,
    VMAF_DOUBLE_FILL,
    VMAF_DOUBLE_KERNEL,
    VMAF_DOUBLE_RECORD, ///< cuEventRecord
    VMAF_DOUBLE_WAIT    ///< cuStreamWaitEvent
};

/// A piece of work that ran.
struct VmafDoubleWork {
    VmafDoubleWorkKind kind;
    const char *name; ///< the symbol of the call that queued it; of a kernel the kernel's
    /// 0: a legacy default stream; else the streams of the process are numbered from 1 as they are
    /// created, the per-thread default streams as they are first used.
    unsigned long stream;
    unsigned long event; ///< of a record or a wait: the events are numbered from 1 as they are created
    size_t bytes;        ///< copied or filled
    int device;
};

/// A kernel when its stream reaches it.
struct VmafDoubleLaunch {
    const char *name;
    void *const *params; ///< copies of the arguments; pointers to device memory in them can be used as they are
    unsigned grid[3];
    unsigned block[3];
    unsigned shared_bytes;
};
/// Must not call the driver.
typedef void VmafDoubleKernel(const VmafDoubleLaunch *launch, void *user);

struct VmafDoubleDevice {
    int major, minor; ///< compute capability
    size_t bytes;     ///< of memory: an allocation that does not fit what is free is CUDA_ERROR_OUT_OF_MEMORY
    int multiprocessors;
    int block_shared_bytes; ///< the most that a block can be allowed
};

/// The symbol of a call. Must not call the driver.
typedef void VmafDoubleHook(const char *call, void *user);

enum { VMAF_DOUBLE_PATIENCE_MS = 20000 };

struct VmafDoubleControl {
    /// Puts back everything but live objects and devices: runs what is queued, ends the modes of
    /// time, the kernels' functions and the hooks, heals, forgets calls, violations and what ran.
    void (*reset)(void);

    /// Calls since the last reset.
    unsigned long (*calls)(void);
    /// The symbol of call number `index`, from 0; null beyond the last.
    const char *(*call_name)(unsigned long index);
    /// Lets every call run `begins` before it does anything and `ends` after everything, in its
    /// thread and with nothing locked: between the two is the double's own work, and that of
    /// kernels and real drivers. Null: neither. Not while a call is under way.
    void (*on_calls)(VmafDoubleHook *begins, VmafDoubleHook *ends, void *user);

    // Failures. A release that is made to fail takes effect all the same; any other call does
    // nothing.

    /// Short for heal() and a rule: fails the k-th call from now on (1: the next one), that one
    /// alone or it and all later ones.
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
    /// Bytes of device memory that are alive, on all devices together.
    size_t (*live_bytes)(void);

    /// Starts the two counts below anew, as reset() does.
    void (*mark)(void);
    /// Objects made, released or not. Of contexts and pushes: 0.
    unsigned long (*made)(VmafDoubleKind kind);
    /// The most device memory that was alive at once, on all devices together.
    size_t (*peak_bytes)(void);

    /// Uses of handles that were released or never existed, releases without a matching
    /// acquisition, copies outside an allocation, releases of what queued work uses; and what was
    /// wrong, by number from 0 (null beyond the last; valid until the next reset).
    unsigned long (*violations)(void);
    const char *(*violation)(unsigned long index);

    // Devices. There is one at first: compute capability 9.0, 80 GiB, 4 multiprocessors, 227 KiB of
    // shared memory a block, driver 13.0. Each has a primary context of its own.

    /// Whether calls go on to a real driver. Then the setters here and the ones of time and kernels
    /// do nothing and return -1.
    bool (*forwarding)(void);
    /// Replaces the devices; 0 and null: there are none. Returns 0, or -1 if a context is alive.
    int (*set_devices)(unsigned count, const VmafDoubleDevice *devices);
    /// What cuDriverGetVersion tells: 12040 is 12.4. Returns 0.
    int (*set_driver_version)(int version);

    // Time. A query or a synchronise that completes work runs, in its thread, that work and what it
    // comes after: what was queued earlier on its stream, what that waited for, and so on. Nothing
    // else runs, however long it has been queued: an order that nobody asked for shows. Work on a
    // context's legacy default stream comes after that on its blocking streams, and they after it;
    // the per-thread default streams are blocking ones; non-blocking streams stand aside.
    //
    // Pinned memory is read and written when the copy runs. Pageable memory is read in the call
    // unless set_pageable_reads() says otherwise, and written when the copy runs (the driver waits
    // in that call, which waits() tells). Copies without a stream are on the legacy default stream:
    // from host memory they read it in the call and return, into host memory they synchronise, on
    // the device they return at once like all fills. (The driver waits in the first kind too.)
    //
    // cuMemFree, cuMemFreeHost, cuModuleLoadData, cuModuleUnload, cuCtxDestroy and the last release
    // of a primary context wait for all work of the context: they run it in every mode, since held
    // work could hold them for ever, and waits() tells. Memory or a module that goes while queued
    // work uses it is a violation besides, unless a synchronise that would have completed the work
    // failed or the work is of a call without a stream. Destroying a stream or an event waits for
    // nothing, and its work goes on. Work of a context that a sticky failure broke never runs.

    /// `queries`: of VMAF_DOUBLE_AFTER_QUERIES, for what is queued from now on. At once: what is
    /// queued runs now. Returns 0.
    int (*set_time)(VmafDoubleTime mode, unsigned long queries);
    /// Returns 0.
    int (*set_pageable_reads)(VmafDoublePageableReads when);
    /// Whether cuModuleLoadData waits, as it does at first: a driver that loads code lazily need
    /// not. Returns 0.
    int (*set_loads_wait)(bool wait);
    /// How long a synchronise of held work and await_blocked() wait, by default
    /// VMAF_DOUBLE_PATIENCE_MS: then the synchronise is a violation and the work runs, so that no
    /// test hangs. Returns 0.
    int (*set_patience)(unsigned milliseconds);
    /// Pieces of work that are queued and did not run.
    unsigned long (*pending)(void);
    /// Run queued work in the calling thread: all of it, the oldest so many pieces, that of one
    /// stream with what it comes after. How many pieces were asked for.
    unsigned long (*release_work)(void);
    unsigned long (*release_steps)(unsigned long pieces);
    unsigned long (*release_stream)(unsigned long stream);
    /// Waits until so many threads are blocked in a synchronise of held work; how many are.
    unsigned long (*await_blocked)(unsigned long threads);
    /// Calls that waited for queued work without being asked to, or would have in the driver, since
    /// the last reset; and which.
    unsigned long (*waits)(void);
    const char *(*wait)(unsigned long index);

    // A copy or fill that writes memory, and other work that uses it and that is still queued when
    // the later of the two is queued, must be ordered: else that is a violation, unless a
    // synchronise failed as above. A kernel uses the allocations that its arguments point into,
    // also from within structs, if the test gave it a function; which of their bytes it reads or
    // writes is not known, so two kernels are never a violation, and a copy only if it writes the
    // very byte that an argument points at, and that the same place did not point at in the launch
    // before. Pointers in device memory, and what the process itself reads or writes, are not seen.

    // Order.

    /// Pieces of work that ran since the last reset.
    unsigned long (*works)(void);
    /// Number `index`, from 0, in the order in which they ran; false beyond the last.
    bool (*work)(unsigned long index, VmafDoubleWork *work);
    /// Whether number `second` had to come after number `first`: by their stream, by events, by the
    /// legacy default stream, or because the client knew that the first was complete before it
    /// queued the second (from a query or a synchronise, of any thread).
    bool (*ordered)(unsigned long first, unsigned long second);
    /// A CUstream's or CUevent's number in VmafDoubleWork; default streams: of the calling thread's
    /// context.
    unsigned long (*stream_number)(const void *stream);
    unsigned long (*event_number)(const void *event);

    // Kernels.

    /// Lets launches of the kernel from now on run a function when their stream reaches them. It
    /// takes `params` arguments of so many bytes each, copied in the launch. Null: none. Returns 0.
    int (*on_kernel)(const char *kernel, const size_t *param_bytes, unsigned params, VmafDoubleKernel *run, void *user);
    /// Where the live allocation of device memory starts that holds the address, and its size;
    /// null: none does. Any kernel's function may ask.
    void *(*allocation)(const void *address, size_t *bytes);
    /// Number of that allocation: they are numbered as they are made, from 1 since the last reset()
    /// or mark(). 0: none holds the address.
    unsigned long (*allocation_number)(const void *address);
};

/// The table; never null.
const VmafDoubleControl *vmaf_driver_double(void);
}
