#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "base/result.h"

namespace vmaf {

/// Threads that run numbered jobs in the order of submission. A job number is in the queue at most
/// once, so the queue never grows and submitting cannot fail.
class WorkerPool {
  public:
    /// Function that a worker calls for a job; must not throw.
    using Run = std::function<void(unsigned worker, unsigned job)>;

    /// @param job_count jobs are numbered 0..job_count-1.
    /// @return -ENOMEM if the system gives no thread.
    static Result<std::unique_ptr<WorkerPool>> create(unsigned thread_count, unsigned job_count, Run run);
    /// Runs what is queued, then ends the threads.
    ~WorkerPool();
    WorkerPool(const WorkerPool &) = delete;
    WorkerPool &operator=(const WorkerPool &) = delete;

    /// Jobs are numbered 0..job_count-1 from now on; none is queued yet. Throws std::bad_alloc.
    void reserve_jobs(unsigned job_count);
    /// Any thread, a worker of another pool too: it does not touch the pool once the job may have
    /// ended.
    void submit(unsigned job);
    /// Jobs that are queued or run.
    unsigned jobs() const;

  private:
    WorkerPool(unsigned job_count, Run run) : run_(std::move(run)), queue_(job_count) {}
    void work(unsigned worker);

    Run run_;
    mutable std::mutex mutex_;
    std::condition_variable has_work_;
    std::vector<unsigned> queue_; ///< a ring
    std::size_t first_ = 0;
    std::size_t count_ = 0;
    unsigned running_ = 0;
    bool ending_ = false;
    std::vector<std::thread> threads_;
};

} // namespace vmaf
