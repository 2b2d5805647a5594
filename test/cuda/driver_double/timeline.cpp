#include "cuda/driver_double/timeline.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "cuda/driver_double/state.h"

// What is queued, and what it comes after.

namespace driver_double {

void Timeline::add_stream(CUstream stream, bool blocking)
{
    const std::lock_guard lock(mutex_);
    streams_.add_stream(stream, contexts().current(), blocking);
}

void Timeline::remove_stream(CUstream stream)
{
    const std::lock_guard lock(mutex_);
    streams_.remove_stream(stream);
}

void Timeline::add_event(CUevent event)
{
    const std::lock_guard lock(mutex_);
    streams_.add_event(event, contexts().current());
}

void Timeline::remove_event(CUevent event)
{
    const std::lock_guard lock(mutex_);
    streams_.remove_event(event);
}

void Timeline::queue(CUstream stream, Work work)
{
    Lock lock(mutex_);
    run_now_if_at_once(lock, append(*streams_.find(stream, contexts().current()), std::move(work), 0, 0));
}

void Timeline::record(CUevent event, CUstream stream)
{
    Lock lock(mutex_);
    Event &recorded = *streams_.find(event);
    recorded.record =
        append(*streams_.find(stream, contexts().current()), {VMAF_DOUBLE_RECORD, "cuEventRecord"}, recorded.number, 0);
    recorded.busy_queries = queries_;
    run_now_if_at_once(lock, recorded.record);
}

void Timeline::wait_for(CUstream stream, CUevent event)
{
    Lock lock(mutex_);
    const Event &awaited = *streams_.find(event);
    run_now_if_at_once(lock, append(*streams_.find(stream, contexts().current()),
                                    {VMAF_DOUBLE_WAIT, "cuStreamWaitEvent"}, awaited.number, awaited.record));
}

WorkId Timeline::append(Stream &stream, Work work, unsigned long event, WorkId also_after)
{
    auto item = std::make_shared<Item>();
    item->what = {work.kind, work.name, stream.number, event, work.bytes, contexts().device_of(stream.context)};
    item->context = stream.context;
    item->work = std::move(work);
    item->after = streams_.before(stream);
    item->after.push_back(also_after);
    check_order(*item);
    stream.last = ++last_id_;
    stream.busy_queries = queries_;
    pending_.emplace(last_id_, std::move(item));
    return last_id_;
}

void Timeline::check_order(const Item &item) const
{
    std::optional<Ids> before; // found out where it matters
    for (const auto &[id, other] : pending_)
        for (const ObjectUse &use : item.work.uses) {
            const auto conflicts = [&use](const ObjectUse &earlier) { return use.conflicts_with(earlier); };
            if (other->excused || std::none_of(other->work.uses.begin(), other->work.uses.end(), conflicts))
                continue;
            if (!before)
                before = with_predecessors(item.after);
            if (std::binary_search(before->begin(), before->end(), id))
                continue;
            violations().add(item.what.name, object_name(use.kind, use.handle) + " is used by queued " +
                                                 other->what.name + " on stream " + std::to_string(other->what.stream) +
                                                 ", and nothing orders the two");
        }
}

Timeline::Ids Timeline::up_to(CUevent event)
{
    const Event *found = streams_.find(event);
    return found != nullptr ? Ids{found->record} : Ids{};
}

Timeline::Ids Timeline::up_to(CUstream stream)
{
    const Stream *found = streams_.find(stream, contexts().current());
    if (found == nullptr)
        return {};
    return found->number == 0 ? streams_.before(*found) : Ids{found->last};
}

Timeline::Ids Timeline::up_to(CUcontext context)
{
    Ids ids = streams_.latest(context);
    for (const auto &[id, item] : pending_) // of destroyed streams too
        if (item->context == context)
            ids.push_back(id);
    return ids;
}

unsigned long *Timeline::busy_queries(CUevent event)
{
    Event *found = streams_.find(event);
    return found != nullptr ? &found->busy_queries : nullptr;
}

unsigned long *Timeline::busy_queries(CUstream stream)
{
    Stream *found = streams_.find(stream, contexts().current());
    return found != nullptr ? &found->busy_queries : nullptr;
}

Timeline::Ids Timeline::with_predecessors(Ids ids) const
{
    std::set<WorkId> found;
    while (!ids.empty()) {
        const WorkId id = ids.back();
        ids.pop_back();
        const auto item = pending_.find(id);
        if (item == pending_.end() || !found.insert(id).second)
            continue;
        ids.insert(ids.end(), item->second->after.begin(), item->second->after.end());
    }
    return {found.begin(), found.end()};
}

unsigned long Timeline::pending() const
{
    const std::lock_guard lock(mutex_);
    return pending_.size();
}

unsigned long Timeline::number(CUstream stream)
{
    const std::lock_guard lock(mutex_);
    const Stream *found = streams_.find(stream, contexts().current());
    return found != nullptr ? found->number : 0;
}

unsigned long Timeline::number(CUevent event)
{
    const std::lock_guard lock(mutex_);
    const Event *found = streams_.find(event);
    return found != nullptr ? found->number : 0;
}

} // namespace driver_double
