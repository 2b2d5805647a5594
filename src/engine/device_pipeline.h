#pragma once

#include <memory>

#include "base/result.h"
#include "engine/frame.h"
#include "feature/feature.h"

namespace vmaf {

/// The session's other compute device. Frames go in by number, and come back in any order with the sums of the features that
/// run on it. Calls come from one thread at a time (the session's device lock).
class DevicePipeline {
  public:
    virtual ~DevicePipeline() = default;

    /// Makes the feature's backend, which `registration` names from now on; a second call replaces it.
    /// @return false if the feature has none for that format.
    virtual Result<bool> start(const Registration &registration, const Feature &feature,
                               const PictureFormat &format) = 0;

    /// Queues the transfers of one frame: uploads of what device features read, downloads from device pictures of what CPU features
    /// read (their views are put into frame.planes and valid once the frame comes back). On failure the frame is not in the pipeline.
    virtual Status stage(unsigned slot, Frame &frame) = 0;
    /// Takes in the frame just staged; it goes out with its batch. No other call comes between. Cannot fail.
    virtual void enqueue() = 0;
    /// Sends what has been taken in and not sent.
    virtual void submit() = 0;
    /// Frames that have been taken in and have not come back.
    virtual unsigned in_flight() const = 0;

    /// Frames that are finished, their sums copied into Frame::sums; with `wait`, at least the oldest batch's.
    /// A frame whose batch failed comes back with that failure.
    struct Finished {
        unsigned slot;
        Status status;
    };
    enum class Wait { no, for_oldest };
    virtual void collect(Wait wait, std::vector<Finished> &finished) = 0;

    /// A picture of the preallocated pool, or null if there is none to spare; `grow` allows more than the usual number.
    enum class Grow { no, yes };
    virtual Result<VmafPicture> fetch(Grow grow) = 0;
};

} // namespace vmaf
