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

#include "base/aligned_buffer.h"
#include "base/worker_pool.h"
#include "engine/picture.h"
#include "engine/picture_pool.h"
#include "engine/registration.h"
#include "engine/score_board.h"

namespace vmaf {

struct SessionConfig {
    unsigned worker_count = 0; ///< 0: frames are computed inside read()
    unsigned subsample = 0;    ///< features skip frames whose index is no multiple of it; 0 and 1: none
};

/// A scoring context: registered features, pictures in flight, scores. Registration, reading and flushing come from one
/// thread at a time; scores() and the picture calls from any.
class Session {
  public:
    /// @return -ENOMEM if the workers cannot be started.
    static Result<std::unique_ptr<Session>> create(const SessionConfig &config);
    /// Lets frames in flight finish. Pictures that the client still holds live on.
    ~Session();

    /// Registers a feature; a duplicate is dropped. -EINVAL for a bad option.
    Status use_feature(const FeatureSpec &spec, const OptionDict &options);

    /// Queues (or computes) one frame pair. On success both pictures belong to the session; on failure nothing has changed,
    /// except that a feature which lacks its previous picture remembers this one (spec motion 4).
    Status read(const VmafPicture &ref, const VmafPicture &dis, unsigned index);
    /// Waits for all frames, completes delayed scores, and returns the first failure of a queued frame.
    Status flush();

    Status import_score(std::string_view stored_name, double value, unsigned index);
    ScoreBoard &scores() { return board_; }
    unsigned subsample() const { return config_.subsample; }
    /// The score file's text.
    std::string formatted(OutputFormat format, std::string_view version);

    /// Replaces the picture pool.
    Status preallocate(const PictureFormat &format, unsigned picture_count);
    /// -EINVAL without a pool.
    Status fetch(VmafPicture &picture);

  private:
    static constexpr std::size_t kHistory = 2; // spec abi 4.3: previous reference pictures by call order

    /// One frame in flight, with memory for everything its features produce.
    struct Frame {
        PictureHandle ref, dis;
        std::array<PictureHandle, kHistory> previous_ref;
        unsigned index = 0;
        std::uint64_t call = 0;
        std::vector<Registration *> due;
        AlignedBuffer<std::byte> sums;
        std::vector<double> scores;
    };

    class FrameLease;

    explicit Session(const SessionConfig &config);

    Status check_pictures(const VmafPicture &ref, const VmafPicture &dis) const;
    Status prepare(Frame &frame, const PictureFormat &format);
    Status check_index(const Frame &frame);
    Status check_history(const Frame &frame, const VmafPicture &ref);
    void accept(const VmafPicture &ref, const VmafPicture &dis);
    void remember(const VmafPicture &ref);

    unsigned acquire_frame();
    void release_frame(unsigned slot);
    Status process(unsigned worker, Frame &frame);
    Status compute(unsigned worker, Frame &frame);
    Status commit(Frame &frame);
    void run_queued(unsigned worker, unsigned slot);

    const SessionConfig config_;
    ScoreBoard board_;
    std::vector<std::unique_ptr<Registration>> features_;
    std::optional<PictureFormat> format_; ///< of the first accepted pair
    unsigned frame_count_ = 0;
    bool flushed_ = false;
    std::array<PictureHandle, kHistory> history_; ///< reference pictures, latest first

    std::vector<Frame> frames_;
    std::mutex frames_mutex_; ///< guards the two below
    std::condition_variable frame_freed_;
    std::vector<unsigned> free_frames_;
    Status first_failure_;

    std::mutex pool_mutex_;
    std::shared_ptr<PicturePool> pool_;
    std::unique_ptr<WorkerPool> workers_; ///< last: its end waits for queued frames
};

} // namespace vmaf
