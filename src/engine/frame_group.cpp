#include "engine/frame_group.h"

#include <algorithm>
#include <new>

#include "engine/lane.h"

namespace vmaf {
namespace {

bool shares_sums(const Frame &frame)
{
    return std::ranges::any_of(frame.due, [](const Frame::Work &work) { return work.shared != nullptr; });
}

/// Sums that nobody has computed are the frame's own.
void keep_only_computed(Frame &frame)
{
    for (Frame::Work &work : frame.due)
        if (work.shared != nullptr && !work.shared->is_done())
            work.shared = nullptr;
}

} // namespace

void FrameGroup::make(std::span<Frame *const> frames)
{
    if (frames.size() < 2)
        return;
    const auto group = std::make_shared<FrameGroup>();
    group->members_.reserve(frames.size());
    group->sums_ = SharedSums::share(frames);
    for (Frame *const frame : frames)
        if (shares_sums(*frame)) {
            frame->group = group;
            ++group->expected_;
        }
}

void FrameGroup::join(Lane &lane, unsigned slot, Frame &frame)
{
    members_.push_back({&lane, slot, &frame});
    if (is_dissolved_) {
        keep_only_computed(frame);
        lane.finish(slot);
    } else if (members_.size() == expected_) {
        start();
    }
}

/// The session whose workers have least to do gets the job.
void FrameGroup::start()
{
    const auto load = [](const Member &member) {
        const Lane::CpuLoad of = member.lane->cpu_load().value();
        return static_cast<double>(of.jobs) / of.workers;
    };
    const Member &least = *std::ranges::min_element(members_, {}, load);
    least.lane->finish(least.slot);
}

void FrameGroup::dissolve()
{
    is_dissolved_ = true;
    is_taken_ = true;
    for (const Member &member : members_) {
        keep_only_computed(*member.frame);
        member.lane->finish(member.slot);
    }
}

void FrameGroup::compute_sums(unsigned worker, const Frame &frame) noexcept
{
    try {
        for (const Frame::Work &work : frame.due)
            if (work.shared != nullptr)
                work.shared->compute(*work.feature, worker);
    } catch (const std::bad_alloc &) { // the sums of a single frame need less memory
    }
}

void FrameGroup::end_others(const Lane &own)
{
    for (const Member &member : members_) {
        keep_only_computed(*member.frame);
        if (member.lane != &own)
            member.lane->finish(member.slot);
    }
}

} // namespace vmaf
