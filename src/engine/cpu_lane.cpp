#include "engine/cpu_lane.h"

#include "engine/frame_work.h"

namespace vmaf {

// The one frame in flight is the client's next one.
Lane::Holding InlineLane::holding(unsigned slots, unsigned) const
{
    return {slots, 1};
}

Status InlineLane::go(FrameToken &token)
{
    Frame &frame = token.frame();
    const std::lock_guard lock(backends_);
    ledger_.started(frame.index);
    const Status status = score_frame(0, frame, table_);
    ledger_.ended(frame.index, {}); // a failure is the call's, and no frame was lost
    return status;
}

void InlineLane::finish(unsigned slot)
{
    const std::lock_guard lock(backends_);
    ledger_.end_frame(slot, score_frame(0, ledger_.frame(slot), table_));
}

Result<std::unique_ptr<WorkerLane>> WorkerLane::create(unsigned worker_count, FrameLedger &ledger,
                                                       Guarded<ScoreTable> &table)
{
    std::unique_ptr<WorkerLane> lane(new WorkerLane(worker_count, ledger, table));
    VMAF_TRY_ASSIGN(lane->workers_, WorkerPool::create(worker_count, ledger.slot_count(),
                                                       [raw = lane.get()](unsigned worker, unsigned slot) {
                                                           raw->score(worker, slot);
                                                       }));
    return lane;
}

void WorkerLane::score(unsigned worker, unsigned slot)
{
    ledger_.end_frame(slot, score_frame(worker, ledger_.frame(slot), table_));
}

// A new run begins behind each frame that a worker still has while others overtake it.
Lane::Holding WorkerLane::holding(unsigned slots, unsigned) const
{
    return {slots + 1, worker_count_};
}

Status WorkerLane::go(FrameToken &token)
{
    ledger_.started(token.frame().index);
    workers_->submit(token.hand_over());
    return {};
}

void WorkerLane::finish(unsigned slot)
{
    if (has_cpu_work(ledger_.frame(slot)))
        workers_->submit(slot);
    else
        score(0, slot); // 0: not a worker's backend
}

Status WorkerLane::close()
{
    workers_.reset();
    return {};
}

} // namespace vmaf
