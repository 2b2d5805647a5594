#include "cuda/driver_double/order_log.h"

#include <set>

namespace driver_double {

void OrderLog::reset()
{
    const std::lock_guard lock(mutex_);
    entries_.clear();
    index_of_.clear();
    told_.clear();
}

void OrderLog::ran(WorkId id, const VmafDoubleWork &work, const std::vector<WorkId> &after)
{
    const std::lock_guard lock(mutex_);
    index_of_[id] = entries_.size();
    entries_.push_back({id, work, after});
}

void OrderLog::told(const std::vector<WorkId> &complete, WorkId last)
{
    const std::lock_guard lock(mutex_);
    told_.push_back({last, complete});
}

unsigned long OrderLog::count() const
{
    const std::lock_guard lock(mutex_);
    return entries_.size();
}

bool OrderLog::get(unsigned long index, VmafDoubleWork &work) const
{
    const std::lock_guard lock(mutex_);
    if (index >= entries_.size())
        return false;
    work = entries_[index].work;
    return true;
}

bool OrderLog::ordered(unsigned long first, unsigned long second) const
{
    const std::lock_guard lock(mutex_);
    if (first >= entries_.size() || second >= entries_.size())
        return false;
    std::vector<WorkId> to_visit = entries_[second].after;
    for (const Told &told : told_)
        if (told.last < entries_[second].id)
            to_visit.insert(to_visit.end(), told.complete.begin(), told.complete.end());
    std::set<WorkId> visited;
    while (!to_visit.empty()) {
        const WorkId id = to_visit.back();
        to_visit.pop_back();
        if (id == entries_[first].id)
            return true;
        const auto entry = index_of_.find(id);
        if (entry == index_of_.end() || !visited.insert(id).second)
            continue;
        const std::vector<WorkId> &after = entries_[entry->second].after;
        to_visit.insert(to_visit.end(), after.begin(), after.end());
    }
    return false;
}

} // namespace driver_double
