#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/device/context_share.h"
#include "engine/device/frame_batch.h"
#include "engine/device/pools.h"
#include "engine/device/transfers.h"
#include "engine/lane.h"

namespace vmaf {

/// Scores frames on a device, and hands what is left of them to the lane below. If the device has
/// nothing to do for a frame, that lane takes all of it. Frames are gathered into batches. A batch
/// goes out when it is full, or when something waits for its scores. While no other session scores
/// in the context, a batch also goes out as soon as the one before is done (adr/0009).
class DeviceLane final : public Lane {
  public:
    DeviceLane(std::unique_ptr<Device> device, FrameLedger &ledger, std::uint64_t session_id);
    ~DeviceLane() override { static_cast<void>(close().code()); }

    /// Frames that are between admit() and collect() at most.
    unsigned most_in_flight() const { return (kBatchesAtOnce + 1) * device_->most_batch_frames(); }
    /// Once, before the first frame.
    void put_above(std::unique_ptr<Lane> below) { below_ = std::move(below); }

    Holding holding(unsigned slots, unsigned subsample) const override;
    void reserve_slots(unsigned count) override { below_->reserve_slots(count); }
    unsigned cpu_backends() const override { return below_->cpu_backends(); }

    Lane &lane_of(const Frame &frame) override;
    std::unique_lock<std::mutex> hold() override { return std::unique_lock(mutex_); }
    PlaneMask reference_planes(const Frame &frame) const override { return transfers_.reference_planes(frame); }
    Status admit(unsigned slot, Frame &frame, SharedReference *shared) override;
    void give_up() override;
    Status go(FrameToken &token) override;
    void finish(unsigned slot) override { below_->finish(slot); }
    bool collect(Wait wait) override;
    Status failure() override;
    void forget_pictures() override;
    Status close() override;

    const void *device_context() const override { return context_; }
    const char *device_name() const override { return device_->name(); }
    Result<Start> start(const SessionFeature &feature, const PictureFormat &format) override;
    Status prepare_for(const ForeignPicture &picture) override;
    void borrow(const std::shared_ptr<PicturePool> &pool) override;
    Result<std::unique_ptr<PictureMemory>> host_picture_memory(const PictureFormat &format) override
    {
        return device_->picture_memory(format, MemoryKind::host, 0);
    }
    Status preallocate(const PictureFormat &format, MemoryKind kind) override;
    std::optional<PictureFormat> device_pool_format() override;
    Result<VmafPicture> fetch(bool grow) override;

  private:
    /// One batch runs while the next one is gathered.
    static constexpr unsigned kBatchesAtOnce = 2;

    Status begin_batch();
    void give_up(StagedFrame &staged);
    void send();
    void send_early();
    unsigned in_flight() const;
    static Result<bool> wait_or_ask(FrameBatch &batch, Wait wait);
    void take_back_finished(Wait wait);
    unsigned usual_pictures(const PictureFormat &format) const;

    std::mutex mutex_;
    std::unique_ptr<Device> device_;
    const void *const context_;
    ContextShare share_; ///< null before the first frame and once closed
    FrameLedger &ledger_;
    std::unique_ptr<Lane> below_;
    bool closed_ = false;
    Status failure_;

    DevicePools pools_;
    DeviceTransfers transfers_;
    std::vector<std::unique_ptr<DeviceBackend>> backends_;
    std::shared_ptr<const SumsLayout> layout_ = std::make_shared<SumsLayout>();
    unsigned batch_limit_;   ///< of pictures of the features' format
    unsigned look_back_ = 0; ///< frames, of the feature that looks back farthest

    std::unique_ptr<FrameBatch> filling_;
    std::vector<std::unique_ptr<FrameBatch>> running_; ///< oldest first
    std::vector<std::unique_ptr<FrameBatch>> spare_;
    std::vector<ReturnedFrame> returned_; ///< of the collection under way
};

} // namespace vmaf
