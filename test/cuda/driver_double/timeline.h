#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <list>
#include <map>
#include <memory>
#include <mutex>

#include "cuda/driver_double/stream_table.h"

namespace driver_double {

/// When queued work runs: as the mode says (control.h), in the thread whose call completes it,
/// after all that it comes after. Thread-safe; work runs without the lock.
class Timeline {
  public:
    void add_stream(CUstream stream, bool blocking);
    void remove_stream(CUstream stream);
    void add_event(CUevent event);
    void remove_event(CUevent event);

    void queue(CUstream stream, Work work);
    void record(CUevent event, CUstream stream);
    void wait_for(CUstream stream, CUevent event);

    // The subject of these calls is the work before an event's record, on a stream or in a context.

    template <class Subject> CUresult query(Subject subject)
    {
        std::unique_lock lock(mutex_);
        return answer(lock, up_to(subject), busy_queries(subject));
    }
    template <class Subject> void synchronise(const char *call, Subject subject)
    {
        std::unique_lock lock(mutex_);
        wait(lock, call, up_to(subject));
    }
    /// A synchronise failed: whoever releases what the work uses has done what it could.
    template <class Subject> void excuse(Subject subject)
    {
        const std::lock_guard lock(mutex_);
        for (const WorkId id : with_predecessors(up_to(subject)))
            pending_.at(id)->excused = true;
    }

    /// The calls that wait for all work of the context without being asked to. Noted if there was
    /// any.
    void finish(const char *call, CUcontext context);
    /// Does what finish() does before an object is released. Work that uses it is a violation.
    void finish_before_release(const char *call, CUcontext context, ObjectUse object);
    void end_context(const char *call, CUcontext context);
    /// Work of a broken context never runs.
    void abandon(CUcontext context);

    // For the test.

    void set(VmafDoubleTime mode, unsigned long queries);
    void set_patience(std::chrono::milliseconds patience);
    /// Whether work runs in the call that queues it.
    bool at_once() const;
    void set_pageable_reads(VmafDoublePageableReads when);
    bool reads_pageable_late() const;
    void set_loads_wait(bool wait) { loads_wait_ = wait; }
    bool loads_wait() const { return loads_wait_; }
    unsigned long pending() const;
    /// Runs the oldest queued work, so many pieces; how many there were.
    unsigned long release(unsigned long pieces);
    /// Runs the stream's queued work with all that it comes after; how many pieces the stream had.
    unsigned long release_stream(unsigned long number);
    /// Waits until so many threads are blocked in a synchronise; how many are.
    unsigned long await_blocked(unsigned long threads);
    unsigned long number(CUstream stream);
    unsigned long number(CUevent event);

  private:
    struct Item {
        VmafDoubleWork what;
        CUcontext context;
        Work work;
        std::vector<WorkId> after;
        bool running = false;
        bool excused = false;
    };
    using Lock = std::unique_lock<std::mutex>;
    using Ids = std::vector<WorkId>;

    Ids up_to(CUevent event);
    Ids up_to(CUstream stream);
    Ids up_to(CUcontext context);
    unsigned long *busy_queries(CUevent event);
    unsigned long *busy_queries(CUstream stream);

    /// Notes a violation for each piece of queued work that uses the same memory and that this work
    /// does not come after.
    void check_order(const Item &item) const;
    /// The new work's number.
    WorkId append(Stream &stream, Work work, unsigned long event, WorkId also_after);
    void run_now_if_at_once(Lock &lock, WorkId id);
    CUresult answer(Lock &lock, const Ids &ids, unsigned long *busy_queries);
    void wait(Lock &lock, const char *call, const Ids &ids);
    bool complete(const Ids &ids) const;
    unsigned long blocked() const;
    void run(Lock &lock, const Ids &ids);
    void run_one(Lock &lock, WorkId id);
    /// The pending ones of `ids` and all pending work that they come after, oldest first.
    Ids with_predecessors(Ids ids) const;
    void finish(Lock &lock, const char *call, const Ids &ids);

    mutable std::mutex mutex_;
    std::condition_variable changed_; ///< what is pending, who is blocked, the mode
    StreamTable streams_;
    std::map<WorkId, std::shared_ptr<Item>> pending_;
    WorkId last_id_ = 0;
    std::list<const Ids *> blocked_; ///< what each thread in a synchronise of held work waits for

    VmafDoubleTime mode_ = VMAF_DOUBLE_AT_ONCE;
    unsigned long queries_ = 0;
    VmafDoublePageableReads pageable_reads_ = VMAF_DOUBLE_IN_THE_CALL;
    std::atomic<bool> loads_wait_{true};
    std::chrono::milliseconds patience_{VMAF_DOUBLE_PATIENCE_MS};
};

} // namespace driver_double
