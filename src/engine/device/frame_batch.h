#pragma once

#include <memory>
#include <vector>

#include "engine/device/device.h"

namespace vmaf {

/// A frame that comes back from a device with its sums in Frame::sums, or with the failure of its
/// batch.
struct ReturnedFrame {
    unsigned slot;
    Status status;
};

/// Frames that go through the kernels together. Used again for later frames.
class FrameBatch {
  public:
    FrameBatch(std::unique_ptr<DeviceWork> work, unsigned most_frames) : work_(std::move(work)), frames_(most_frames) {}

    /// Takes the memory that a batch of that layout needs; nothing may fail for lack of it later.
    /// Throws std::bad_alloc.
    Status begin(std::shared_ptr<const SumsLayout> layout);

    /// The place of the next frame, which counts only once it was added.
    StagedFrame &next() { return frames_[count_]; }
    void add() { ++count_; }
    unsigned count() const { return count_; }

    Status launch() { return work_->launch(*layout_, {frames_.data(), count_}); }
    /// Why it never reached the device.
    void fail(Status status) { status_ = status; }
    Status status() const { return status_; }
    DeviceWork &work() { return *work_; }

    /// Copies the sums into the frames if `status` is a success, hands all frames back, and is
    /// empty.
    void hand_back(Status status, std::vector<ReturnedFrame> &returned);

  private:
    std::unique_ptr<DeviceWork> work_;
    std::shared_ptr<const SumsLayout> layout_;
    std::vector<StagedFrame> frames_;
    unsigned count_ = 0;
    Status status_;
};

} // namespace vmaf
