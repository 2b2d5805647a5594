#include <algorithm>
#include <string>

#include "cuda/driver_double/state.h"

// What makes queued work run.

namespace driver_double {

void Timeline::run_now_if_at_once(Lock &lock, WorkId id)
{
    if (mode_ == VMAF_DOUBLE_AT_ONCE)
        run(lock, {id});
}

CUresult Timeline::answer(Lock &lock, const Ids &ids, unsigned long *busy_queries)
{
    if (!complete(ids)) {
        if (mode_ == VMAF_DOUBLE_ON_SYNCHRONISE || mode_ == VMAF_DOUBLE_HELD)
            return kNotReady;
        if (mode_ == VMAF_DOUBLE_AFTER_QUERIES && busy_queries != nullptr && *busy_queries > 0) {
            --*busy_queries;
            return kNotReady;
        }
        run(lock, ids);
    }
    order().told(ids, last_id_);
    return kSuccess;
}

void Timeline::wait(Lock &lock, const char *call, const Ids &ids)
{
    const auto over = [&] { return mode_ != VMAF_DOUBLE_HELD || complete(ids); };
    if (!over()) {
        const auto self = blocked_.insert(blocked_.end(), &ids);
        changed_.notify_all();
        if (!changed_.wait_for(lock, patience_, over))
            violations().add(call, "held work was not released within " + std::to_string(patience_.count()) + " ms");
        blocked_.erase(self);
    }
    run(lock, ids);
    order().told(ids, last_id_);
}

bool Timeline::complete(const Ids &ids) const
{
    return std::none_of(ids.begin(), ids.end(), [this](WorkId id) { return pending_.count(id) != 0; });
}

// A thread that may go on is none of them, whether it woke up or not.
unsigned long Timeline::blocked() const
{
    return static_cast<unsigned long>(
        std::count_if(blocked_.begin(), blocked_.end(), [this](const Ids *ids) { return !complete(*ids); }));
}

void Timeline::run(Lock &lock, const Ids &ids)
{
    for (const WorkId id : with_predecessors(ids))
        run_one(lock, id);
}

void Timeline::run_one(Lock &lock, WorkId id)
{
    const auto found = pending_.find(id);
    if (found == pending_.end())
        return; // another thread ran it meanwhile
    const std::shared_ptr<Item> item = found->second;
    if (item->running) {
        changed_.wait(lock, [&] { return pending_.count(id) == 0; });
        return;
    }
    item->running = true;
    if (item->work.run) {
        lock.unlock();
        item->work.run();
        lock.lock();
    }
    pending_.erase(id);
    order().ran(id, item->what, item->after);
    changed_.notify_all();
}

void Timeline::finish(Lock &lock, const char *call, const Ids &ids)
{
    const auto is_unexpected = [this](WorkId id) { return !pending_.at(id)->excused; };
    const Ids all = with_predecessors(ids);
    if (const auto count = std::count_if(all.begin(), all.end(), is_unexpected); count > 0)
        waits().add(call, "waited for " + std::to_string(count) + " pieces of queued work");
    run(lock, all);
    order().told(ids, last_id_);
}

void Timeline::finish(const char *call, CUcontext context)
{
    Lock lock(mutex_);
    finish(lock, call, up_to(context));
}

void Timeline::finish_before_release(const char *call, CUcontext context, ObjectUse object)
{
    Lock lock(mutex_);
    Ids ids = up_to(context);
    for (const auto &[id, item] : pending_)
        for (const ObjectUse &use : item->work.uses)
            if (use.kind == object.kind && use.handle == object.handle) {
                if (!item->excused && !item->work.unaware)
                    violations().add(call, object_name(object.kind, object.handle) + " is still used by queued " +
                                               item->what.name + " on stream " + std::to_string(item->what.stream));
                ids.push_back(id);
            }
    finish(lock, call, ids);
}

void Timeline::end_context(const char *call, CUcontext context)
{
    Lock lock(mutex_);
    finish(lock, call, up_to(context));
    streams_.remove_context(context);
}

void Timeline::abandon(CUcontext context)
{
    const std::lock_guard lock(mutex_);
    std::erase_if(pending_,
                  [context](const auto &item) { return item.second->context == context && !item.second->running; });
    changed_.notify_all();
}

void Timeline::set(VmafDoubleTime mode, unsigned long queries)
{
    Lock lock(mutex_);
    mode_ = mode;
    queries_ = queries;
    changed_.notify_all();
    if (mode != VMAF_DOUBLE_AT_ONCE)
        return;
    while (!pending_.empty())
        run_one(lock, pending_.begin()->first);
}

void Timeline::set_patience(std::chrono::milliseconds patience)
{
    const std::lock_guard lock(mutex_);
    patience_ = patience;
}

bool Timeline::at_once() const
{
    const std::lock_guard lock(mutex_);
    return mode_ == VMAF_DOUBLE_AT_ONCE;
}

void Timeline::set_pageable_reads(VmafDoublePageableReads when)
{
    const std::lock_guard lock(mutex_);
    pageable_reads_ = when;
}

bool Timeline::reads_pageable_late() const
{
    const std::lock_guard lock(mutex_);
    return pageable_reads_ == VMAF_DOUBLE_WHEN_IT_RUNS;
}

unsigned long Timeline::release(unsigned long pieces)
{
    Lock lock(mutex_);
    Ids oldest;
    for (const auto &[id, item] : pending_)
        if (oldest.size() < pieces)
            oldest.push_back(id);
    run(lock, oldest);
    return oldest.size();
}

unsigned long Timeline::release_stream(unsigned long number)
{
    Lock lock(mutex_);
    Ids ids;
    for (const auto &[id, item] : pending_)
        if (item->what.stream == number)
            ids.push_back(id);
    run(lock, ids);
    return ids.size();
}

unsigned long Timeline::await_blocked(unsigned long threads)
{
    Lock lock(mutex_);
    changed_.wait_for(lock, patience_, [&] { return blocked() >= threads; });
    return blocked();
}

} // namespace driver_double
