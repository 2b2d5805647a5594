#pragma once

#include <memory>
#include <mutex>

#include "base/worker_pool.h"
#include "engine/lane.h"

namespace vmaf {

/// Computes frames inside the calls, one at a time.
class InlineLane final : public Lane {
  public:
    InlineLane(FrameLedger &ledger, Guarded<ScoreTable> &table) : ledger_(ledger), table_(table) {}

    Holding holding(unsigned slots, unsigned subsample) const override;
    void reserve_slots(unsigned) override {}
    unsigned cpu_backends() const override { return 1; }
    std::optional<CpuLoad> cpu_load() const override { return CpuLoad{0, 0}; }
    Status go(FrameToken &token) override;
    void finish(unsigned slot) override;
    Status close() override { return {}; }

  private:
    FrameLedger &ledger_;
    Guarded<ScoreTable> &table_;
    std::mutex backends_; ///< frames that come back from a device are finished by whichever thread collects them
};

/// Has whole frames computed by threads of its own.
class WorkerLane final : public Lane {
  public:
    /// @return -ENOMEM if the threads cannot be started.
    static Result<std::unique_ptr<WorkerLane>> create(unsigned worker_count, FrameLedger &ledger,
                                                      Guarded<ScoreTable> &table);

    Holding holding(unsigned slots, unsigned subsample) const override;
    void reserve_slots(unsigned count) override { workers_->reserve_jobs(count); }
    unsigned cpu_backends() const override { return worker_count_; }
    std::optional<CpuLoad> cpu_load() const override { return CpuLoad{worker_count_, workers_->jobs()}; }
    Status go(FrameToken &token) override;
    void finish(unsigned slot) override;
    Status close() override;

  private:
    WorkerLane(unsigned worker_count, FrameLedger &ledger, Guarded<ScoreTable> &table)
        : ledger_(ledger), table_(table), worker_count_(worker_count)
    {
    }
    void score(unsigned worker, unsigned slot);

    FrameLedger &ledger_;
    Guarded<ScoreTable> &table_;
    const unsigned worker_count_;
    std::unique_ptr<WorkerPool> workers_; ///< last: its end waits for queued frames
};

} // namespace vmaf
