#include "engine/device/lane.h"

#include <algorithm>
#include <new>
#include <utility>

#include "engine/session_feature.h"

namespace vmaf {

DeviceLane::DeviceLane(std::unique_ptr<Device> device, FrameLedger &ledger, std::uint64_t session_id)
    : device_(std::move(device)), context_(device_->context()), ledger_(ledger), pools_(session_id),
      transfers_(*device_), batch_limit_(device_->most_batch_frames())
{
    returned_.reserve(most_in_flight()); // collecting cannot fail
}

// Frames that subsampling leaves without work end before their neighbours, and copies of what the
// last frame with work looked back at are kept.
Lane::Holding DeviceLane::holding(unsigned slots, unsigned subsample) const
{
    return {slots + 1, subsample > 1 ? slots + 1 : below_->holding(slots, subsample).runs};
}

Lane &DeviceLane::lane_of(const Frame &frame)
{
    const bool in_device_memory = frame.pair.ref.kind() == MemoryKind::device;
    const bool has_work = std::any_of(frame.due.begin(), frame.due.end(), [&](const Frame::Work &work) {
        return in_device_memory || work.feature->on_device();
    });
    return has_work ? *this : below_->lane_of(frame);
}

Result<Lane::Start> DeviceLane::start(const SessionFeature &feature, const PictureFormat &format)
{
    const std::lock_guard lock(mutex_);
    VMAF_TRY_ASSIGN(const bool may_run, device_->may_run(feature, format));
    if (!may_run)
        return Start::no_backend;
    send(); // what was gathered keeps the layout that it began with
    const DeviceUse use(*device_);
    VMAF_TRY(use.status());
    backends_.reserve(backends_.size() + 1);
    VMAF_TRY_ASSIGN(std::unique_ptr<DeviceBackend> backend, device_->make_backend(feature, format));
    if (!backend)
        return Start::no_backend;
    VMAF_TRY_ASSIGN(const bool is_right, device_->is_right(feature, format));
    if (!is_right)
        return Start::refused;
    std::shared_ptr<const SumsLayout> larger = layout_->with(feature, *backend);
    transfers_.add(feature.window());
    layout_ = std::move(larger);
    backends_.push_back(std::move(backend));
    batch_limit_ = device_->batch_frames(format);
    look_back_ = std::max(look_back_, feature.window().look_back());
    if (pools_.format())
        pools_.expect(usual_pictures(*pools_.format()));
    return Start::done;
}

Status DeviceLane::begin_batch()
{
    if (filling_ && filling_->count() > 0)
        return {};
    running_.reserve(running_.size() + 1);               // sending cannot fail
    spare_.reserve(spare_.size() + running_.size() + 2); // nor giving back what is out
    if (!filling_ && !spare_.empty()) {
        filling_ = std::move(spare_.back());
        spare_.pop_back();
    }
    if (!filling_) {
        VMAF_TRY_ASSIGN(std::unique_ptr<DeviceWork> work, device_->make_work());
        filling_ = std::make_unique<FrameBatch>(std::move(work), device_->most_batch_frames());
    }
    return filling_->begin(layout_);
}

Status DeviceLane::admit(unsigned slot, Frame &frame, SharedReference *shared)
{
    const DeviceUse use(*device_);
    VMAF_TRY(use.status());
    VMAF_TRY(device_->open());
    if (!share_)
        share_ = share_context(context_);
    VMAF_TRY(begin_batch());
    VMAF_TRY(transfers_.wait_for_clients(frame));
    StagedFrame &staged = filling_->next();
    staged.slot = slot;
    staged.frame = &frame;
    try {
        const Status status = transfers_.stage(staged, frame, shared);
        if (!status.ok())
            give_up(staged);
        return status;
    } catch (const std::bad_alloc &) {
        give_up(staged);
        throw;
    }
}

// What was queued for the frame is done, and nothing of it is used.
void DeviceLane::give_up(StagedFrame &staged)
{
    device_->settle();
    staged.uploads.clear();
    transfers_.forget_all();
}

void DeviceLane::give_up()
{
    const DeviceUse use(*device_);
    give_up(filling_->next());
}

Status DeviceLane::go(FrameToken &token)
{
    ledger_.started(token.frame().index);
    static_cast<void>(token.hand_over()); // the batch has its number
    filling_->add();
    if (filling_->count() >= batch_limit_)
        send();
    else
        send_early();
    return {};
}

void DeviceLane::send_early()
{
    if (running_.empty() && filling_ && filling_->count() > 0 && share_.use_count() == 1)
        send();
}

void DeviceLane::send()
{
    if (!filling_ || filling_->count() == 0)
        return;
    const DeviceUse use(*device_);
    Status status = use.status();
    if (status.ok())
        status = transfers_.wait_for_default_stream();
    if (status.ok())
        status = filling_->launch();
    if (!status.ok())
        device_->settle();
    filling_->fail(status);
    running_.push_back(std::move(filling_));
}

unsigned DeviceLane::in_flight() const
{
    unsigned frames = filling_ ? filling_->count() : 0;
    for (const std::unique_ptr<FrameBatch> &batch : running_)
        frames += batch->count();
    return frames;
}

bool DeviceLane::collect(Wait wait)
{
    const std::lock_guard lock(mutex_);
    if (wait == Wait::for_oldest) {
        send();
        if (in_flight() == 0)
            return false;
    }
    returned_.clear();
    take_back_finished(wait);
    for (const ReturnedFrame &frame : returned_) {
        if (failure_.ok())
            failure_ = frame.status;
        if (frame.status.ok())
            below_->finish(frame.slot);
        else
            ledger_.end_frame(frame.slot, frame.status);
    }
    return true;
}

// Whether the batch is done; with `for_oldest`, waits until it is.
Result<bool> DeviceLane::wait_or_ask(FrameBatch &batch, Wait wait)
{
    VMAF_TRY(batch.status());
    if (wait == Wait::no)
        return batch.work().is_done();
    VMAF_TRY(batch.work().wait());
    return true;
}

// Batches that are done; with `for_oldest`, at least the oldest.
void DeviceLane::take_back_finished(Wait wait)
{
    if (running_.empty())
        return;
    {
        const DeviceUse use(*device_);
        while (!running_.empty()) {
            const Result<bool> done = use.status().ok() ? wait_or_ask(*running_.front(), wait) : use.status();
            if (done.ok() && !done.value())
                break;
            if (!done.ok())
                device_->settle();
            wait = Wait::no;
            std::unique_ptr<FrameBatch> batch = std::move(running_.front());
            running_.erase(running_.begin());
            batch->hand_back(done.status(), returned_);
            spare_.push_back(std::move(batch));
        }
    }
    send_early();
}

Status DeviceLane::failure()
{
    const std::lock_guard lock(mutex_);
    return failure_;
}

void DeviceLane::forget_pictures()
{
    const std::lock_guard lock(mutex_);
    transfers_.forget_all();
}

Status DeviceLane::close()
{
    if (below_)
        static_cast<void>(below_->close().code()); // it has no releases that could fail
    const std::lock_guard lock(mutex_);
    if (std::exchange(closed_, true))
        return {};
    device_->finish();
    filling_.reset();
    running_.clear();
    spare_.clear();
    transfers_.forget_all();
    backends_.clear();
    pools_.retire();
    share_.reset();
    return device_->close();
}

Status DeviceLane::prepare_for(const ForeignPicture &picture)
{
    if (picture.planes().device_context == nullptr && picture.is_plain())
        return {};
    const std::lock_guard lock(mutex_);
    const DeviceUse use(*device_);
    VMAF_TRY(use.status());
    return device_->prepare_for(picture);
}

// So many that batches are full: those of the frames in flight, of the frames before that features
// still read, and the client's.
unsigned DeviceLane::usual_pictures(const PictureFormat &format) const
{
    constexpr unsigned kHeldByClient = 1, kLeastLookBack = 2; // of features that may come yet
    return 2 * (kBatchesAtOnce * device_->batch_frames(format) + std::max(look_back_, kLeastLookBack)) + kHeldByClient;
}

void DeviceLane::borrow(const std::shared_ptr<PicturePool> &pool)
{
    const std::lock_guard lock(mutex_);
    pools_.borrow(pool);
}

Status DeviceLane::preallocate(const PictureFormat &format, MemoryKind kind)
{
    const std::lock_guard lock(mutex_);
    return pools_.preallocate(*device_, format, kind, usual_pictures(format));
}

std::optional<PictureFormat> DeviceLane::device_pool_format()
{
    const std::lock_guard lock(mutex_);
    return pools_.device_format();
}

Result<VmafPicture> DeviceLane::fetch(bool grow)
{
    const std::lock_guard lock(mutex_);
    return pools_.fetch(*device_, grow);
}

} // namespace vmaf
