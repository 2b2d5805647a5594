#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/worker_pool.h"
#include "engine/device_pipeline.h"
#include "engine/frame.h"
#include "engine/picture.h"
#include "engine/picture_pool.h"
#include "engine/registration.h"
#include "engine/score_board.h"

namespace vmaf {

struct SessionConfig {
    unsigned worker_count = 0; ///< 0: frames are computed inside the calls
    unsigned subsample = 0;    ///< features skip frames whose index is no multiple of it; 0 and 1: none
    bool use_device = true;    ///< features run on the device once there is one; false: only those that demand it
};

/// A scoring context: registered features, pictures in flight, scores. Registration, reading and flushing come from one
/// thread at a time; the score and picture calls from any.
class Session {
  public:
    /// @return -ENOMEM if the workers cannot be started.
    static Result<std::unique_ptr<Session>> create(const SessionConfig &config);
    /// Lets frames in flight finish. Pictures that the client still holds live on, but for their device memory.
    ~Session();

    /// Unique among all sessions of the process, never 0.
    std::uint64_t id() const { return id_; }

    /// Gives the session a device, once and before its first picture, else -EINVAL.
    Status attach(std::unique_ptr<DevicePipeline> device);
    bool has_device() const { return device_ != nullptr; }

    /// Registers a feature; a duplicate is dropped. -EINVAL for a bad option.
    Status use_feature(const FeatureSpec &spec, const OptionDict &options,
                       DeviceChoice choice = DeviceChoice::if_possible);

    /// Queues (or computes) one frame pair. On success both pictures belong to the session; on failure nothing has changed,
    /// except that a feature which lacks its previous picture remembers this one (spec motion 4).
    Status read(const VmafPicture &ref, const VmafPicture &dis, unsigned index);
    /// Waits for all frames, completes delayed scores, and returns the first failure of a queued frame.
    Status flush();

    Status import_score(std::string_view stored_name, double value, unsigned index);
    /// One frame's score; waits for frames in flight that can still bring it. -EINVAL if there is none; if its frame was lost, why.
    Result<double> score(std::string_view stored_name, unsigned index);
    /// Pools the frames low..high that subsampling counts; waits for all frames in flight.
    Result<double> pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high);
    /// The score file's text; waits for all frames in flight.
    std::string formatted(OutputFormat format, std::string_view version);

    ScoreBoard &board() { return board_; }
    unsigned subsample() const { return config_.subsample; }

    /// Replaces the pool of pictures in plain memory.
    Status preallocate(const PictureFormat &format, unsigned picture_count);
    /// -EINVAL without a pool.
    Status fetch(VmafPicture &picture);
    /// A picture of the device's pool; waits for frames in flight to give one back, -EAGAIN if none will.
    Status fetch_from_device(VmafPicture &picture);
    /// The device under the session's device lock.
    template <class Use> auto with_device(Use &&use)
    {
        const std::lock_guard lock(device_mutex_);
        return use(*device_);
    }

  private:
    class FrameLease;

    explicit Session(const SessionConfig &config);

    Status check_pictures(const VmafPicture &ref, const VmafPicture &dis) const;
    Status prepare(Frame &frame, const PictureFormat &format);
    Status check_index(const Frame &frame);
    Status check_history(Frame &frame, const VmafPicture &ref);
    void accept(const VmafPicture &ref, const VmafPicture &dis);
    void remember(const VmafPicture &ref, const VmafPicture &dis);
    Status pass_on(FrameLease &lease, const VmafPicture &ref, const VmafPicture &dis);
    Status pass_to_device(FrameLease &lease, const VmafPicture &ref, const VmafPicture &dis);
    bool needs_device(const Frame &frame) const;

    unsigned acquire_frame();
    std::optional<unsigned> free_frame();
    void release_frame(unsigned slot);
    Status process(unsigned worker, Frame &frame);
    Status compute(unsigned worker, Frame &frame);
    Status commit(Frame &frame);
    void run_queued(unsigned worker, unsigned slot);
    void frame_finished(unsigned slot, Status status);

    /// Takes in what the device has finished. False if there was nothing to wait for.
    bool collect(DevicePipeline::Wait wait);
    void drain();
    Status lost(unsigned index);

    const std::uint64_t id_;
    const SessionConfig config_;
    ScoreBoard board_;
    std::vector<std::unique_ptr<Registration>> features_;
    std::optional<PictureFormat> format_; ///< of the first accepted pair
    MemoryKind kind_ = MemoryKind::host;  ///< likewise; pinned counts as host
    unsigned frame_count_ = 0;
    bool flushed_ = false;
    std::array<PictureHandle, kHistory> history_; ///< reference pictures, latest first
    PictureHandle previous_dis_;

    std::vector<Frame> frames_;
    std::mutex frames_mutex_; ///< guards what follows up to first_failure_
    std::condition_variable frame_freed_;
    std::vector<unsigned> free_frames_;
    std::vector<unsigned> lost_frames_; ///< indices whose work failed after read() had taken them
    Status device_failure_;             ///< the first one ends reading (spec cuda 3)
    Status first_failure_;

    std::mutex pool_mutex_;
    std::shared_ptr<PicturePool> pool_;

    std::mutex device_mutex_;
    std::unique_ptr<DevicePipeline> device_;
    std::vector<DevicePipeline::Finished> finished_; ///< under device_mutex_
    std::unique_ptr<WorkerPool> workers_;            ///< last: its end waits for queued frames
};

} // namespace vmaf
