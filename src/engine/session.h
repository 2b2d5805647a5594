#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/accepted_pictures.h"
#include "engine/feature_list.h"
#include "engine/frame_ledger.h"
#include "engine/lane.h"
#include "engine/model_binding.h"
#include "engine/output.h"
#include "engine/picture_history.h"
#include "engine/picture_pool.h"
#include "engine/pooling.h"
#include "engine/score_snapshot.h"

namespace vmaf {

class Device;

struct SessionConfig {
    unsigned worker_count = 0; ///< 0: frames are computed inside the calls
    unsigned subsample = 0;    ///< features skip frames whose index is no multiple of it; 0 and 1: none
    bool use_device = true;    ///< features run on the device once there is one; false: only those that demand it
};

/// A scoring context: registered features, pictures in flight, scores. Registration, reading and
/// flushing come from one thread at a time; the score and picture calls from any.
class Session {
  public:
    /// @return -ENOMEM if the workers cannot be started.
    static Result<std::unique_ptr<Session>> create(const SessionConfig &config);
    ~Session();

    /// Lets frames in flight finish and releases everything, once. Pictures that the client still
    /// holds live on, but for their device memory. @return the first failed release of the device.
    Status close();

    /// Unique among all sessions of the process, never 0.
    std::uint64_t id() const { return id_; }

    /// Gives the session a device, once and before its first picture, else -EINVAL.
    Status attach(std::unique_ptr<Device> device);
    bool has_device() const { return device_context() != nullptr; }

    /// A picture of planes that a client lends, in host memory or, if `planes.device_context` says
    /// so, in the device's. -EINVAL for device memory of another context as far as the driver can
    /// tell.
    /// @param format as it is scored
    Result<VmafPicture> wrap(const PictureFormat &format, const ForeignPlanes &planes);
    /// Scalings for SampleSource.scaling.
    PlaneScalings &scalings() { return scalings_; }
    /// Context of the session's device; null: it has none.
    const void *device_context() const { return lane_->device_context(); }

    /// Registers a feature; a duplicate is dropped. -EINVAL for a bad option.
    Status use_feature(const FeatureSpec &spec, const OptionDict &options,
                       DeviceChoice choice = DeviceChoice::if_possible);

    /// How many frames around a part of a clip another session must read too, so that the part's
    /// frames have the whole clip's scores.
    FrameNeighbours segment_overlap() const;

    /// The scores of the frames skip..skip+count-1 of this session, which has read a segment of a
    /// clip and is flushed. -EINVAL with a log line, or why a frame of them was lost. Throws
    /// std::bad_alloc.
    Result<SavedSegment> save_segment(unsigned skip, unsigned count);
    /// Takes them over: they follow the frames that were appended before. For a session that reads
    /// nothing itself. -EINVAL with a log line; on failure no score has changed.
    Status append(const SavedSegment &segment);
    /// The frames of a segment as the next ones of a sample, whatever the sample leaves out before
    /// them. Else as append().
    Status append_sampled(const SavedSegment &segment);

    /// Queues (or computes) one frame pair. On success both pictures belong to the session; on
    /// failure nothing has changed, except that a feature which lacks its previous picture
    /// remembers this one (spec motion 4).
    Status read(const VmafPicture &ref, const VmafPicture &dis, unsigned index);
    /// Reads one frame of several sessions, none twice, that have one reference and are all on
    /// one device or on none. What can fail before work begins fails for all: nothing was taken.
    /// @return what became of each session's frame: the distorted picture is the session's if it is
    /// a success, the reference theirs if all are.
    static Result<std::vector<Status>> read_shared(std::span<Session *const> sessions, const VmafPicture &ref,
                                                   std::span<const VmafPicture> dis, unsigned index);
    /// Waits for all frames, completes delayed scores, and returns the first failure of a queued
    /// frame.
    Status flush();

    /// How many pictures of each side the session needs at most at any one time of a client that
    /// gives it one pair after the other.
    struct PicturesHeld {
        unsigned ref, dis;
    };
    PicturesHeld pictures_held() const;

    Status import_score(std::string_view stored_name, double value, unsigned index);
    /// One frame's score; waits for frames in flight that can still bring it. -EINVAL if there is
    /// none; if a frame that it needs was lost, why.
    Result<double> score(std::string_view stored_name, unsigned index);
    Result<double> score(const ScoreColumn &column, unsigned index);
    /// Pools the frames low..high that subsampling counts; waits for all frames in flight. Fails
    /// like score().
    Result<double> pooled(std::string_view stored_name, PoolingMethod method, unsigned low, unsigned high);
    Result<double> pooled(const ScoreColumn &column, PoolingMethod method, unsigned low, unsigned high);
    /// The score file's text; waits for all frames in flight.
    std::string formatted(OutputFormat format, const ScoreFormat &numbers, std::string_view version);
    /// The contents of score files without pooled scores. Waits for all frames in flight.
    ScoreSnapshot scores();

    Guarded<ScoreTable> &table() { return table_; }
    ModelBindings &bindings() { return bindings_; }
    /// The number of the client's next call that may write columns, of so many.
    std::uint64_t next_call(unsigned calls = 1) { return calls_.fetch_add(calls); }
    unsigned subsample() const { return config_.subsample; }

    /// Pictures in plain memory.
    CurrentPool &pool() { return pool_; }
    /// Replaces the pool of pictures for the device.
    /// -ENOMEM if so many pictures do not fit.
    Status preallocate(const PictureFormat &format, unsigned client_limit);
    Status preallocate_for_device(const PictureFormat &format, MemoryKind kind);
    /// A picture of the device's pool; waits for frames in flight to give one back, -EAGAIN if none
    /// will.
    Status fetch_from_device(VmafPicture &picture);

  private:
    class Reading;

    explicit Session(const SessionConfig &config);

    /// State of append() about the segments before.
    struct Appended {
        unsigned frames = 0;
        /// Frames that the last segment had read behind its own: fewer than its features look at if
        /// the clip ends with them.
        unsigned read_behind = 0;
    };
    FrameNeighbours segment_overlap(const PictureFormat &format) const;
    Status check_neighbours(const SavedSegment &segment) const;
    Status check_appended(const SavedSegment &segment) const;
    Status take_over(const SavedSegment &segment);

    static Status check_sharing(std::span<Session *const> sessions, std::span<const VmafPicture> dis);
    static Status admit_shared(std::span<const std::unique_ptr<Reading>> readings);
    static void group_frames(std::span<const std::unique_ptr<Reading>> readings);
    void expect_ladder(unsigned encodes);
    Status check_reading(const VmafPicture &ref, const VmafPicture &dis, std::uint64_t lender);
    Status check_index(const Frame &frame);
    /// Makes room for the frame's scores, so that want of memory is the read's failure and loses no
    /// frame. Throws std::bad_alloc.
    void reserve_scores(const Frame &frame);
    void accept(const VmafPicture &ref, const VmafPicture &dis);
    void remember(const VmafPicture &ref, const VmafPicture &dis);
    void warn_about_chroma();

    unsigned acquire_slot();
    /// As Lane::collect(). Pictures that it releases are returned when the lane's lock is free.
    bool collect(Lane::Wait wait);
    /// Lets every frame in flight come to its end.
    void drain();
    const ScoreColumn *find_column(std::string_view stored_name);

    const std::uint64_t id_;
    const SessionConfig config_;
    std::atomic<std::uint64_t> calls_{0};
    Guarded<ScoreTable> table_;
    ModelBindings bindings_;
    FeatureList features_;
    AcceptedPictures pictures_;
    Appended appended_;
    PictureHistory history_;
    FrameLedger ledger_;
    bool flushed_ = false;
    std::atomic<std::uint64_t> flush_call_{kFlushCall};
    bool warned_about_chroma_ = false;

    CurrentPool pool_;
    NormalisedPlanes normalised_planes_;
    PlaneScalings scalings_;

    std::unique_ptr<Lane> lane_; ///< last: its end waits for queued frames
};

} // namespace vmaf
