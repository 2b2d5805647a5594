#include "engine/session.h"

#include <algorithm>
#include <optional>

#include "base/log.h"
#include "base/round_up.h"
#include "engine/cpu_lane.h"

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

} // namespace

Session::Session(const SessionConfig &config)
    : id_(next_session_id()), config_(config), pictures_(id_), ledger_(cpu_frames(config)),
      lane_(std::make_unique<InlineLane>(ledger_, table_))
{
}

Result<std::unique_ptr<Session>> Session::create(const SessionConfig &config)
{
    std::unique_ptr<Session> session(new Session(config));
    if (config.worker_count > 0) {
        VMAF_TRY_ASSIGN(session->lane_, WorkerLane::create(config.worker_count, session->ledger_, session->table_));
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
    history_.forget();
    const DeferredReleases later;
    const Status status = lane_->close();
    pool_.replace(nullptr);
    return status;
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
    // The segment's frames are counted from 0 on: subsampling must meet those that it meets in the
    // whole clip.
    overlap.before = static_cast<unsigned>(round_up(overlap.before, std::max(config_.subsample, 1U)));
    return overlap;
}

unsigned Session::acquire_slot()
{
    for (;;) {
        if (const std::optional<unsigned> slot = ledger_.take_slot())
            return *slot;
        if (!collect(Lane::Wait::for_oldest))
            return ledger_.wait_for_slot();
    }
}

bool Session::collect(Lane::Wait wait)
{
    const DeferredReleases later;
    return lane_->collect(wait);
}

void Session::drain()
{
    ledger_.wait_until_all_ended([this] {
        while (collect(Lane::Wait::for_oldest)) {
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
    lane_->forget_pictures();
    return lost.ok() ? completed : lost;
}

} // namespace vmaf
