#pragma once

#include <map>
#include <mutex>

#include "cuda/driver_double/work.h"

namespace driver_double {

/// Work in the order in which it ran, and what it had to come after. Thread-safe.
class OrderLog {
  public:
    void reset();
    void ran(WorkId id, const VmafDoubleWork &work, const std::vector<WorkId> &after);
    /// The client was told that this work is complete; what it queued up to `last` was queued
    /// before that.
    void told(const std::vector<WorkId> &complete, WorkId last);

    unsigned long count() const;
    /// False beyond the last.
    bool get(unsigned long index, VmafDoubleWork &work) const;
    /// Whether `second` had to come after `first`.
    bool ordered(unsigned long first, unsigned long second) const;

  private:
    struct Entry {
        WorkId id;
        VmafDoubleWork work;
        std::vector<WorkId> after;
    };
    struct Told {
        WorkId last;
        std::vector<WorkId> complete;
    };

    mutable std::mutex mutex_;
    std::vector<Entry> entries_;
    std::map<WorkId, std::size_t> index_of_;
    std::vector<Told> told_;
};

} // namespace driver_double
