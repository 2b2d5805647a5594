// How a session reads frames.

#include <algorithm>
#include <climits>
#include <new>
#include <optional>
#include <thread>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/frame_group.h"
#include "engine/frame_work.h"
#include "engine/session.h"

namespace vmaf {
namespace {

void give_up_clients_reference(VmafRef &picture)
{
    picture.client_done();
    picture.release();
}

/// Workers that can compute at the same time.
unsigned busy_at_most(unsigned workers)
{
    static const unsigned processors = std::max(1U, std::thread::hardware_concurrency());
    return std::min(workers, processors);
}

} // namespace

/// A pair on its way in. What was taken for it is given back unless it goes.
class Session::Reading {
  public:
    Reading(Session &session, const VmafPicture &ref, const VmafPicture &dis) : session_(session), ref_(ref), dis_(dis)
    {
    }

    const Session &session() const { return session_; }
    /// Token of the frame that was prepared.
    FrameToken &frame() { return *token_; }

    /// Check and reserve everything that does not need the lane. @param lender as for
    /// AcceptedPictures::check().
    Status prepare(unsigned index, std::uint64_t lender);
    /// The frame was admitted: from here on it is in flight. A failure is the call's: nothing was
    /// taken.
    Status go();
    /// go() without exceptions.
    Status try_to_go();

  private:
    Session &session_;
    const VmafPicture &ref_;
    const VmafPicture &dis_;
    std::optional<FrameToken> token_;
};

Status Session::check_reading(const VmafPicture &ref, const VmafPicture &dis, std::uint64_t lender)
{
    if (flushed_) {
        log(LogLevel::error, "pictures cannot be read after the flush");
        return Status::error(EINVAL);
    }
    if (appended_.frames > 0) {
        log(LogLevel::error, "a context that segments were appended to reads no pictures");
        return Status::error(EINVAL);
    }
    VMAF_TRY(pictures_.check(ref, dis, lender));
    collect(Lane::Wait::no);
    return lane_->failure();
}

Status Session::Reading::prepare(unsigned index, std::uint64_t lender)
{
    VMAF_TRY(session_.check_reading(ref_, dis_, lender));
    token_.emplace(session_.ledger_, session_.acquire_slot());
    Frame &frame = token_->frame();
    const PictureFormat format = format_of(ref_);
    FeatureList &features = session_.features_;
    frame.index = index;
    frame.call = session_.next_call();
    features.set_format(format);
    VMAF_TRY(features.prepare(frame, format, session_.config_.subsample, session_.table_, *session_.lane_));
    VMAF_TRY(session_.check_index(frame));
    session_.reserve_scores(frame);
    session_.history_.keep_only(format);
    session_.history_.reserve(features.earlier_read().count());
    if (lender != 0 && lender != session_.id_)
        session_.lane_->borrow(ref_.ref->pool());
    if (const Status missing = FeatureList::look_back(frame, session_.history_); !missing.ok()) {
        session_.remember(ref_, dis_);
        return missing;
    }
    frame.pair = {PictureHandle::share(ref_), PictureHandle::share(dis_)};
    frame.earlier = session_.history_.pairs();
    VMAF_TRY(prepare_planes(frame, session_.normalised_planes_));
    token_->enter(*session_.lane_);
    return {};
}

Status Session::Reading::go()
{
    VMAF_TRY(token_->go());
    session_.accept(ref_, dis_);
    return {};
}

Status Session::Reading::try_to_go()
{
    const unsigned index = token_->frame().index;
    try {
        return go();
    } catch (const std::bad_alloc &) {
        log(LogLevel::error, "frame %u: out of memory", index);
        return Status::error(ENOMEM);
    }
}

Status Session::read(const VmafPicture &ref, const VmafPicture &dis, unsigned index)
{
    const DeferredReleases later;
    Reading reading(*this, ref, dis);
    VMAF_TRY(reading.prepare(index, id_));
    reading.frame().hold();
    VMAF_TRY(reading.frame().admit(nullptr));
    VMAF_TRY(reading.go());
    reading.frame().collect();
    give_up_clients_reference(*ref.ref);
    give_up_clients_reference(*dis.ref);
    return {};
}

Status Session::check_sharing(std::span<Session *const> sessions, std::span<const VmafPicture> dis)
{
    for (const Session *session : sessions)
        if (session->device_context() != sessions[0]->device_context()) {
            log(LogLevel::error, "contexts that share a reference have one CUDA context, or none");
            return Status::error(EINVAL);
        }
    std::vector<const VmafRef *> pictures;
    for (const VmafPicture &picture : dis)
        pictures.push_back(picture.ref);
    std::sort(pictures.begin(), pictures.end());
    if (std::adjacent_find(pictures.begin(), pictures.end()) == pictures.end())
        return {};
    log(LogLevel::error, "each context has a distorted picture of its own");
    return Status::error(EINVAL);
}

// All devices are held until the frames are in: in the order of the sessions' numbers, so that no
// two calls wait for each other.
Status Session::admit_shared(std::span<const std::unique_ptr<Reading>> readings)
{
    std::vector<Reading *> ordered;
    for (const std::unique_ptr<Reading> &reading : readings)
        ordered.push_back(reading.get());
    std::sort(ordered.begin(), ordered.end(),
              [](const Reading *a, const Reading *b) { return a->session().id_ < b->session().id_; });
    SharedReference shared;
    for (Reading *reading : ordered) {
        reading->frame().hold();
        shared.planes |= reading->frame().reference_planes();
    }
    for (Reading *reading : ordered)
        VMAF_TRY(reading->frame().admit(&shared));
    return {};
}

// So many groups that no worker waits while another one computes several frames.
void Session::group_frames(std::span<const std::unique_ptr<Reading>> readings)
{
    std::vector<Frame *> in_call, on_workers;
    unsigned workers = 0, jobs = 0;
    for (const std::unique_ptr<Reading> &reading : readings)
        if (const auto load = reading->frame().cpu_load()) {
            (load->workers == 0 ? in_call : on_workers).push_back(&reading->frame().frame());
            workers += load->workers;
            jobs += load->jobs;
        }
    FrameGroup::make(in_call);
    const auto encodes = static_cast<unsigned>(on_workers.size());
    const unsigned most = busy_at_most(workers), idle = most - std::min(most, jobs);
    const unsigned groups = std::clamp(idle, blocks_for(encodes, kMostGroupedEncodes), encodes);
    for (unsigned i = 0; i < groups; ++i) {
        const unsigned first = encodes * i / groups, end = encodes * (i + 1) / groups;
        FrameGroup::make(std::span(on_workers).subspan(first, end - first));
    }
}

// Half as many calls as there are workers, and two more: then a call makes two groups or so, and
// few workers have enough to do while one of them has a group. More would take more pictures, fewer
// would make smaller groups.
void Session::expect_ladder(unsigned encodes)
{
    const auto load = lane_->cpu_load();
    if (!load || load->workers == 0 || ledger_.time())
        return;
    const unsigned slots = blocks_for(busy_at_most(load->workers * encodes), 2) + 2;
    const unsigned before = ledger_.slot_count();
    if (slots <= before)
        return;
    lane_->reserve_slots(slots);
    ledger_.add_slots(slots - before);
}

Result<std::vector<Status>> Session::read_shared(std::span<Session *const> sessions, const VmafPicture &ref,
                                                 std::span<const VmafPicture> dis, unsigned index)
{
    VMAF_TRY(check_sharing(sessions, dis));
    const DeferredReleases later;
    const bool is_lent = ref.ref != nullptr &&
                         std::any_of(sessions.begin(), sessions.end(),
                                     [&](const Session *session) { return session->id_ == ref.ref->session_id(); });
    for (Session *session : sessions)
        session->expect_ladder(static_cast<unsigned>(sessions.size()));
    std::vector<std::unique_ptr<Reading>> readings;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        readings.push_back(std::make_unique<Reading>(*sessions[i], ref, dis[i]));
        VMAF_TRY(readings.back()->prepare(index, is_lent ? ref.ref->session_id() : 0));
    }
    std::vector<Status> taken(sessions.size());
    VMAF_TRY(admit_shared(readings));
    group_frames(readings);
    for (const bool on_device : {true, false}) // what is computed here keeps nobody from a device
        for (std::size_t i = 0; i < sessions.size(); ++i)
            if (readings[i] && readings[i]->frame().holds_device() == on_device) {
                const std::shared_ptr<FrameGroup> group = readings[i]->frame().frame().group;
                taken[i] = readings[i]->try_to_go();
                if (taken[i].ok())
                    give_up_clients_reference(*dis[i].ref);
                else if (group)
                    group->dissolve();
                readings[i].reset();
            }
    for (Session *session : sessions) // now that no other session's device is held
        session->collect(Lane::Wait::no);
    if (std::all_of(taken.begin(), taken.end(), [](const Status &status) { return status.ok(); }))
        give_up_clients_reference(*ref.ref);
    return taken;
}

void Session::accept(const VmafPicture &ref, const VmafPicture &dis)
{
    pictures_.accept(ref);
    remember(ref, dis);
}

void Session::remember(const VmafPicture &ref, const VmafPicture &dis)
{
    history_.remember(ref, dis, features_.earlier_read());
}

Status Session::check_index(const Frame &frame)
{
    if (frame.scores.empty())
        return {};
    if (frame.index == UINT_MAX)
        return Status::error(ENOMEM);
    const bool repeated = ledger_.in_flight(frame.index) || table_.with([&](const ScoreTable &) {
        return std::any_of(frame.due.begin(), frame.due.end(),
                           [&](const Frame::Work &work) { return work.feature->is_scored(frame.index); });
    });
    if (!repeated)
        return {};
    log(LogLevel::warning, "frame %u: its scores exist and cannot be overwritten", frame.index);
    return Status::error(EINVAL);
}

void Session::reserve_scores(const Frame &frame)
{
    table_.with([&](const ScoreTable &) {
        for (const Frame::Work &work : frame.due)
            work.feature->reserve(frame.index);
    });
}

} // namespace vmaf
