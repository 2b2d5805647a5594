#include "base/worker_pool.h"

#include <memory>
#include <system_error>

#include "base/log.h"

namespace vmaf {

Result<std::unique_ptr<WorkerPool>> WorkerPool::create(unsigned thread_count, unsigned job_count, Run run)
{
    std::unique_ptr<WorkerPool> pool(new WorkerPool(job_count, std::move(run)));
    pool->threads_.reserve(thread_count);
    try {
        for (unsigned worker = 0; worker < thread_count; ++worker)
            pool->threads_.emplace_back([raw = pool.get(), worker] { raw->work(worker); });
    } catch (const std::system_error &error) {
        log(LogLevel::error,
            "cannot start worker thread %zu of %u (%s): threads or memory are used up; raise the limit (ulimit -v, "
            "ulimit -u, the container's) or use fewer threads",
            pool->threads_.size() + 1, thread_count, error.what());
        return Status::error(ENOMEM);
    }
    return pool;
}

WorkerPool::~WorkerPool()
{
    {
        const std::lock_guard lock(mutex_);
        ending_ = true;
    }
    has_work_.notify_all();
    for (std::thread &thread : threads_)
        thread.join();
}

void WorkerPool::reserve_jobs(unsigned job_count)
{
    const std::lock_guard lock(mutex_);
    queue_.resize(job_count);
}

void WorkerPool::submit(unsigned job)
{
    const std::lock_guard lock(mutex_);
    queue_[(first_ + count_) % queue_.size()] = job;
    ++count_;
    has_work_.notify_one(); // under the lock: without it, the job's end may be the pool's
}

unsigned WorkerPool::jobs() const
{
    const std::lock_guard lock(mutex_);
    return static_cast<unsigned>(count_) + running_;
}

void WorkerPool::work(unsigned worker)
{
    std::unique_lock lock(mutex_);
    for (;;) {
        has_work_.wait(lock, [this] { return count_ > 0 || ending_; });
        if (count_ == 0)
            return;
        const unsigned job = queue_[first_];
        first_ = (first_ + 1) % queue_.size();
        --count_;
        ++running_;
        lock.unlock();
        run_(worker, job);
        lock.lock();
        --running_;
    }
}

} // namespace vmaf
