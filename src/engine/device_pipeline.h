#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "engine/frame.h"

namespace vmaf {

class SessionFeature;

/// The reference of one call that feeds several sessions of one device. It goes to the device once, with the session that is staged first.
struct SharedReference {
    PlaneMask planes = kNoPlanes;     ///< that any of the sessions may have to copy, for this frame or later ones
    std::shared_ptr<const void> copy; ///< the device's own; null until a session was staged that needed one
};

/// What a device does for a session. Frames go in by number, and come back in any order with the sums of the features that run on the
/// device. Calls come from one thread at a time (DeviceLane's lock).
class DevicePipeline {
  public:
    virtual ~DevicePipeline() = default;

    /// For log lines: "CUDA device".
    virtual const char *name() const = 0;
    /// What device memory belongs to that the kernels can read.
    virtual const void *context() const = 0;
    /// Takes what foreign pictures like this one need, so that no read of them waits for it. -EINVAL, with a log line, if the driver knows
    /// planes in device memory to belong to another context.
    virtual Status prepare_for(const ForeignPicture &picture) = 0;
    /// Frames that are between stage() and collect() at most.
    virtual unsigned most_in_flight() const = 0;

    /// Makes the feature's backend. Frames that were taken in before are not affected. On failure nothing has changed.
    /// @return false if the feature has none for that format. -EINVAL, with a log line, for a picture that the device is too small for.
    virtual Result<bool> start(const SessionFeature &feature, const PictureFormat &format) = 0;

    /// For SharedReference::planes.
    virtual PlaneMask reference_planes(const Frame &frame) const = 0;
    /// The session reads pictures of a pool that another session of the same context preallocated: their memory stays for as long as this
    /// one, too, may use it. Throws std::bad_alloc.
    virtual void borrow(const std::shared_ptr<PictureOwner> &pool) = 0;
    /// Queues the transfers of one frame: uploads of what device features read, downloads from device pictures of what CPU features
    /// read (their views are put into frame.planes and valid once the frame comes back), and takes all memory that the frame needs. On
    /// failure the frame is not in the pipeline, and may be staged again.
    /// @param shared null: the reference is this session's alone.
    virtual Status stage(unsigned slot, Frame &frame, SharedReference *shared) = 0;
    /// Gives up the frame just staged, which waits for its transfers. No other call comes between.
    virtual void unstage() = 0;
    /// Takes in the frame just staged; it goes out with its batch. No other call comes between. Cannot fail.
    virtual void enqueue() = 0;
    /// Sends what has been taken in and not sent.
    virtual void submit() = 0;
    /// No later frame looks back at those that were taken in.
    virtual void forget_pictures() = 0;
    /// Frames that have been taken in and have not come back.
    virtual unsigned in_flight() const = 0;

    /// A frame that comes back with its sums in Frame::sums, or with the failure of its batch.
    struct Returned {
        unsigned slot;
        Status status;
    };
    enum class Wait { no, for_oldest };
    /// Frames that are done; with `for_oldest`, at least the oldest batch's.
    virtual void collect(Wait wait, std::vector<Returned> &returned) = 0;

    /// Replaces the pool of pictures. -ENOMEM if not even the first ones fit.
    virtual Status preallocate(const PictureFormat &format, MemoryKind kind) = 0;
    /// Of the pool in device memory, if there is one.
    virtual std::optional<PictureFormat> device_pool_format() const = 0;
    /// A picture of the pool, or null if there is none to spare; `grow` allows more than the usual number.
    enum class Grow { no, yes };
    virtual Result<VmafPicture> fetch(Grow grow) = 0;

    /// Waits for the session's work and releases everything. The first release that failed since the last report (spec cuda 3).
    virtual Status close() = 0;
};

} // namespace vmaf
