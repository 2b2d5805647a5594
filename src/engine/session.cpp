#include "engine/session.h"

#include <algorithm>
#include <climits>
#include <new>
#include <optional>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/frame_work.h"

namespace vmaf {
namespace {

unsigned cpu_frames(const SessionConfig &config)
{
    return std::max(2 * config.worker_count, 1U);
}

std::uint64_t next_session_id()
{
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

void give_up_clients_reference(VmafRef &picture)
{
    picture.client_done();
    picture.release();
}

} // namespace

/// Gives a frame's slot and pictures back, unless somebody has taken it over.
class Session::FrameLease {
  public:
    explicit FrameLease(Session &session) : session_(session), slot_(session.acquire_slot()) {}
    ~FrameLease()
    {
        if (!handed_over_)
            session_.ledger_.give_back_slot(slot_);
    }
    FrameLease(const FrameLease &) = delete;
    FrameLease &operator=(const FrameLease &) = delete;

    Frame &frame() { return session_.ledger_.frame(slot_); }
    unsigned slot() const { return slot_; }
    unsigned hand_over()
    {
        handed_over_ = true;
        return slot_;
    }

  private:
    Session &session_;
    unsigned slot_;
    bool handed_over_ = false;
};

Session::Session(const SessionConfig &config)
    : id_(next_session_id()), config_(config), pictures_(id_), ledger_(cpu_frames(config))
{
}

Result<std::unique_ptr<Session>> Session::create(const SessionConfig &config)
{
    std::unique_ptr<Session> session(new Session(config));
    if (config.worker_count > 0) {
        VMAF_TRY_ASSIGN(session->workers_,
                        WorkerPool::create(config.worker_count, cpu_frames(config),
                                           [raw = session.get()](unsigned worker, unsigned slot) {
                                               raw->frame_ended(
                                                   slot, score_frame(worker, raw->ledger_.frame(slot), raw->table_));
                                           }));
    }
    return session;
}

Session::~Session()
{
    static_cast<void>(close().code());
}

Status Session::close()
{
    drain();
    workers_.reset();
    history_.forget();
    const DeferredReleases later;
    Status status;
    if (lane_)
        status = lane_->with([](DevicePipeline &device) { return device.close(); });
    lane_.reset();
    pool_.replace(nullptr);
    return status;
}

Status Session::attach(std::unique_ptr<DevicePipeline> device)
{
    if (lane_ || pictures_.pair_count() > 0 || flushed_) {
        log(LogLevel::error, "a device state can be imported once, before the first picture");
        return Status::error(EINVAL);
    }
    const unsigned slots = ledger_.slot_count() + device->most_in_flight();
    const void *const context = device->context();
    auto lane = std::make_unique<DeviceLane>(std::move(device));
    if (workers_)
        workers_->reserve_jobs(slots);
    ledger_.add_slots(slots - ledger_.slot_count());
    lane_ = std::move(lane);
    device_context_ = context;
    pictures_.set_device_context(context);
    return {};
}

Result<VmafPicture> Session::wrap(const PictureFormat &format, const ForeignPlanes &planes)
{
    std::unique_ptr<VmafRef> ref = VmafRef::wrap(format, planes);
    if (lane_ && (planes.device_context != nullptr || !ref->foreign()->is_plain()))
        VMAF_TRY(lane_->with([&](DevicePipeline &device) { return device.prepare_for(*ref->foreign()); }));
    return ref.release()->picture();
}

Status Session::use_feature(const FeatureSpec &spec, const OptionDict &options, DeviceChoice choice)
{
    if (choice == DeviceChoice::if_possible && !config_.use_device)
        choice = DeviceChoice::never;
    VMAF_TRY(features_.add(spec, options, choice, history_.count()));
    warn_about_chroma();
    return {};
}

FrameNeighbours Session::segment_overlap() const
{
    return segment_overlap(pictures_.format().value_or(PictureFormat{}));
}

FrameNeighbours Session::segment_overlap(const PictureFormat &format) const
{
    FrameNeighbours overlap = features_.neighbours(format);
    // The segment's frames are counted from 0 on: subsampling must meet those that it meets in the whole clip.
    overlap.before = static_cast<unsigned>(round_up(overlap.before, std::max(config_.subsample, 1U)));
    return overlap;
}

// Clients such as ffmpeg write luma only into device pictures (spec cuda 5).
void Session::warn_about_chroma()
{
    if (!lane_ || warned_about_chroma_)
        return;
    const std::optional<PictureFormat> format =
        lane_->with([](const DevicePipeline &device) { return device.device_pool_format(); });
    const FeatureSpec *reader = format ? features_.chroma_reader(*format) : nullptr;
    if (reader == nullptr)
        return;
    warned_about_chroma_ = true;
    log(LogLevel::warning, "%s reads chroma, which is neutral in pictures on the device until the client writes it",
        reader->name);
}

/// A pair on its way in. What was taken for it is given back unless it was taken in.
class Session::Reading {
  public:
    Reading(Session &session, const VmafPicture &ref, const VmafPicture &dis) : session_(session), ref_(ref), dis_(dis)
    {
    }
    ~Reading()
    {
        if (staged_)
            device_->pipeline.unstage();
    }
    Reading(const Reading &) = delete;
    Reading &operator=(const Reading &) = delete;

    Session &session() const { return session_; }

    /// Whatever can be judged or taken without a device's doing. @param lender as for AcceptedPictures::check().
    Status prepare(unsigned index, std::uint64_t lender);
    bool needs_device() const { return needs_device_; }
    /// Keeps everybody else from the device until the frame was taken in or given up: what they gather must not go without it.
    void hold_device() { device_.emplace(session_.lane_->hold()); }
    /// Of a held device.
    PlaneMask reference_planes() { return device_->pipeline.reference_planes(lease_->frame()); }
    /// Likewise. @param shared as for DevicePipeline::stage().
    Status stage(SharedReference *shared);
    /// From here on the frame is in flight: computed at once, by a worker, or by the device. A failure is the call's: nothing was taken.
    Status take();
    /// The same without exceptions.
    Status try_to_take();

  private:
    Session &session_;
    const VmafPicture &ref_;
    const VmafPicture &dis_;
    std::optional<FrameLease> lease_;
    bool needs_device_ = false;
    std::optional<DeviceLane::Hold> device_;
    bool staged_ = false;
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
    if (!lane_)
        return {};
    collect(DevicePipeline::Wait::no);
    return lane_->failure();
}

Status Session::Reading::prepare(unsigned index, std::uint64_t lender)
{
    VMAF_TRY(session_.check_reading(ref_, dis_, lender));
    lease_.emplace(session_);
    Frame &frame = lease_->frame();
    frame.index = index;
    frame.call = session_.next_call();
    VMAF_TRY(session_.prepare(frame, format_of(ref_)));
    VMAF_TRY(session_.check_index(frame));
    session_.reserve_scores(frame);
    session_.history_.keep_only(format_of(ref_));
    if (session_.lane_ && lender != 0 && lender != session_.id_)
        session_.lane_->with([&](DevicePipeline &device) { device.borrow(ref_.ref->owner()); });
    if (const Status missing = FeatureList::look_back(frame, session_.history_); !missing.ok()) {
        session_.remember(ref_, dis_);
        return missing;
    }
    frame.pair = {PictureHandle::share(ref_), PictureHandle::share(dis_)};
    const std::span<const PicturePair> earlier = session_.history_.pairs();
    std::copy(earlier.begin(), earlier.end(), frame.earlier.begin());
    frame.earlier_count = static_cast<unsigned>(earlier.size());
    const bool in_device_memory = frame.pair.ref.kind() == MemoryKind::device;
    frame.planes = FramePlanes{{}, {}, frame.index};
    if (!in_device_memory) {
        VMAF_TRY_ASSIGN(frame.planes, host_planes(frame, session_.normalised_planes_));
    }
    needs_device_ = std::any_of(frame.due.begin(), frame.due.end(),
                                [&](const Frame::Work &work) { return in_device_memory || work.feature->on_device(); });
    return {};
}

Status Session::Reading::stage(SharedReference *shared)
{
    VMAF_TRY(device_->pipeline.stage(lease_->slot(), lease_->frame(), shared));
    staged_ = true;
    return {};
}

Status Session::Reading::take()
{
    Frame &frame = lease_->frame();
    if (device_) {
        session_.ledger_.started(frame.index);
        session_.accept(ref_, dis_);
        lease_->hand_over();
        staged_ = false;
        device_->pipeline.enqueue();
        device_.reset();
        return {};
    }
    if (!session_.workers_)
        VMAF_TRY(session_.compute_now(frame));
    else
        session_.ledger_.started(frame.index);
    session_.accept(ref_, dis_);
    if (session_.workers_)
        session_.workers_->submit(lease_->hand_over());
    return {};
}

Status Session::Reading::try_to_take()
{
    try {
        return take();
    } catch (const std::bad_alloc &) {
        log(LogLevel::error, "frame %u: out of memory", lease_->frame().index);
        return Status::error(ENOMEM);
    }
}

Status Session::read(const VmafPicture &ref, const VmafPicture &dis, unsigned index)
{
    const DeferredReleases later;
    Reading reading(*this, ref, dis);
    VMAF_TRY(reading.prepare(index, id_));
    if (reading.needs_device()) {
        reading.hold_device();
        VMAF_TRY(reading.stage(nullptr));
    }
    VMAF_TRY(reading.take());
    if (reading.needs_device())
        collect(DevicePipeline::Wait::no);
    give_up_clients_reference(*ref.ref);
    give_up_clients_reference(*dis.ref);
    return {};
}

Status Session::check_sharing(std::span<Session *const> sessions, std::span<const VmafPicture> dis)
{
    for (const Session *session : sessions)
        if (session->device_context_ != sessions[0]->device_context_) {
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

// All devices are held until the frames are in: in the order of the sessions' numbers, so that no two calls wait for each other.
Status Session::stage_shared(std::span<const std::unique_ptr<Reading>> readings)
{
    std::vector<Reading *> on_device;
    for (const std::unique_ptr<Reading> &reading : readings)
        if (reading->needs_device())
            on_device.push_back(reading.get());
    std::sort(on_device.begin(), on_device.end(),
              [](const Reading *a, const Reading *b) { return a->session().id_ < b->session().id_; });
    SharedReference shared;
    for (Reading *reading : on_device) {
        reading->hold_device();
        shared.planes |= reading->reference_planes();
    }
    for (Reading *reading : on_device)
        VMAF_TRY(reading->stage(&shared));
    return {};
}

Result<std::vector<Status>> Session::read_shared(std::span<Session *const> sessions, const VmafPicture &ref,
                                                 std::span<const VmafPicture> dis, unsigned index)
{
    VMAF_TRY(check_sharing(sessions, dis));
    const DeferredReleases later;
    const bool is_lent = ref.ref != nullptr &&
                         std::any_of(sessions.begin(), sessions.end(),
                                     [&](const Session *session) { return session->id_ == ref.ref->session_id(); });
    std::vector<std::unique_ptr<Reading>> readings;
    for (std::size_t i = 0; i < sessions.size(); ++i) {
        readings.push_back(std::make_unique<Reading>(*sessions[i], ref, dis[i]));
        VMAF_TRY(readings.back()->prepare(index, is_lent ? ref.ref->session_id() : 0));
    }
    std::vector<Status> taken(sessions.size());
    VMAF_TRY(stage_shared(readings));
    for (const bool on_device : {true, false}) // what is computed here keeps nobody from a device
        for (std::size_t i = 0; i < sessions.size(); ++i)
            if (readings[i] && readings[i]->needs_device() == on_device) {
                taken[i] = readings[i]->try_to_take();
                if (taken[i].ok())
                    give_up_clients_reference(*dis[i].ref);
                readings[i].reset();
            }
    for (Session *session : sessions) // now that no other session's device is held
        if (session->lane_)
            session->collect(DevicePipeline::Wait::no);
    if (std::all_of(taken.begin(), taken.end(), [](const Status &status) { return status.ok(); }))
        give_up_clients_reference(*ref.ref);
    return taken;
}

Status Session::compute_now(Frame &frame)
{
    // With a device, another thread that collects may be using the one set of CPU backends.
    const auto lock = lane_ ? lane_->lock() : std::unique_lock<std::mutex>();
    ledger_.started(frame.index);
    const Status status = score_frame(0, frame, table_);
    ledger_.ended(frame.index, {});
    return status;
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

Status Session::prepare(Frame &frame, const PictureFormat &format)
{
    features_.set_format(format);
    const auto prepare = [&](DevicePipeline *device) {
        return features_.prepare(frame, format, config_.subsample, std::max(config_.worker_count, 1U), table_, device);
    };
    return lane_ ? lane_->with([&](DevicePipeline &device) { return prepare(&device); }) : prepare(nullptr);
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

Session::PicturesHeld Session::pictures_held() const
{
    const unsigned in_flight = ledger_.slot_count();
    // A stretch of frames in flight, one after the other, needs the pictures before its first frame too. A new one begins behind each frame
    // that a worker still has while others overtake it. On a device, frames that subsampling leaves without work end before their
    // neighbours, and copies of what the last frame with work looked back at are kept.
    const unsigned stretches = lane_ && config_.subsample > 1 ? in_flight + 1 : std::max(config_.worker_count, 1U);
    const unsigned next = lane_ || workers_ ? 1 : 0; // else the one in flight is the client's next one
    const FeatureList::LookBack back = features_.look_back_at_most();
    return {in_flight + stretches * back.ref + next, in_flight + stretches * back.dis + next};
}

unsigned Session::acquire_slot()
{
    for (;;) {
        if (const std::optional<unsigned> slot = ledger_.take_slot())
            return *slot;
        if (!lane_ || !collect(DevicePipeline::Wait::for_oldest))
            return ledger_.wait_for_slot();
    }
}

// The end of a frame that read() had taken.
void Session::frame_ended(unsigned slot, Status status)
{
    const unsigned index = ledger_.frame(slot).index;
    if (!status.ok())
        log(LogLevel::debug, "frame %u is lost (%d)", index, status.code());
    ledger_.give_back_slot(slot);
    ledger_.ended(index, status);
}

bool Session::collect(DevicePipeline::Wait wait)
{
    const DeferredReleases later;
    return lane_->collect(wait, [this](const DevicePipeline::Returned &returned) {
        Frame &frame = ledger_.frame(returned.slot);
        if (!returned.status.ok())
            frame_ended(returned.slot, returned.status);
        else if (workers_ && has_cpu_work(frame))
            workers_->submit(returned.slot);
        else
            frame_ended(returned.slot, score_frame(0, frame, table_));
    });
}

// Lets every frame in flight come to its end.
void Session::drain()
{
    ledger_.wait_until_all_ended([this] {
        while (lane_ && collect(DevicePipeline::Wait::for_oldest)) {
        }
    });
}

Status Session::flush()
{
    if (flushed_) {
        log(LogLevel::error, "the context is flushed already");
        return Status::error(EINVAL);
    }
    if (!features_.empty() && pictures_.pair_count() == 0) {
        log(LogLevel::error, "flush before any picture was read");
        return Status::error(EINVAL);
    }
    drain();
    const Status lost = ledger_.first_failure();
    const FramesLost frames_lost = lost.ok() ? FramesLost::no : FramesLost::yes;
    const Status completed = table_.with([&](ScoreTable &table) { return features_.flush(table, frames_lost); });
    flush_call_ = next_call();
    flushed_ = true;
    history_.forget();
    const DeferredReleases later;
    if (lane_)
        lane_->with([](DevicePipeline &device) { device.forget_pictures(); });
    return lost.ok() ? completed : lost;
}

Status Session::preallocate_for_device(const PictureFormat &format, MemoryKind kind)
{
    VMAF_TRY(lane_->with([&](DevicePipeline &device) { return device.preallocate(format, kind); }));
    warn_about_chroma();
    return {};
}

Status Session::fetch_from_device(VmafPicture &picture)
{
    const auto fetch = [&](DevicePipeline::Grow grow) {
        return lane_->with([&](DevicePipeline &device) { return device.fetch(grow); });
    };
    do {
        VMAF_TRY_ASSIGN(picture, fetch(DevicePipeline::Grow::no));
    } while (picture.ref == nullptr && collect(DevicePipeline::Wait::for_oldest));
    if (picture.ref == nullptr) {
        VMAF_TRY_ASSIGN(picture, fetch(DevicePipeline::Grow::yes));
    }
    if (picture.ref != nullptr)
        return {};
    log(LogLevel::error, "every preallocated picture is held by the client");
    return Status::error(EAGAIN);
}

} // namespace vmaf
