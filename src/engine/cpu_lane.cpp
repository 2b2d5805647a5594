#include "engine/cpu_lane.h"

#include "engine/frame_group.h"
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

// The worker that has the job of a group computes the sums of all its frames first. So the other
// frames' workers need not wait for what is left of this frame.
void WorkerLane::score(unsigned worker, unsigned slot)
{
    Frame &frame = ledger_.frame(slot);
    const std::shared_ptr<FrameGroup> group = frame.group;
    if (group && group->take_job()) {
        group->compute_sums(worker, frame);
        group->end_others(*this);
    }
    ledger_.end_frame(slot, score_frame(worker, frame, table_));
}

// A new run begins behind each frame that a worker still has while others overtake it.
Lane::Holding WorkerLane::holding(unsigned slots, unsigned) const
{
    return {slots + 1, worker_count_};
}

Status WorkerLane::go(FrameToken &token)
{
    Frame &frame = token.frame();
    ledger_.started(frame.index);
    const unsigned slot = token.hand_over();
    if (frame.group)
        frame.group->join(*this, slot, frame);
    else
        workers_->submit(slot);
    return {};
}

void WorkerLane::finish(unsigned slot)
{
    if (has_cpu_work(ledger_.frame(slot)))
        workers_->submit(slot);
    else
        ledger_.end_frame(slot, score_frame(0, ledger_.frame(slot), table_)); // 0: no backend is used
}

Status WorkerLane::close()
{
    workers_.reset();
    return {};
}

} // namespace vmaf
