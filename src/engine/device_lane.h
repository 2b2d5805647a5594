#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/device_pipeline.h"

namespace vmaf {

/// A session's way to one device: the pipeline under its lock, and why the device failed, if it did.
class DeviceLane {
  public:
    explicit DeviceLane(std::unique_ptr<DevicePipeline> pipeline) : pipeline_(std::move(pipeline))
    {
        returned_.reserve(pipeline_->most_in_flight()); // collecting cannot fail
    }

    template <class Use> auto with(Use &&use)
    {
        const std::lock_guard lock(mutex_);
        return use(*pipeline_);
    }
    /// The pipeline for longer than one step.
    struct Hold {
        std::unique_lock<std::mutex> lock;
        DevicePipeline &pipeline;
    };
    Hold hold() { return {std::unique_lock(mutex_), *pipeline_}; }
    /// For work beside the device that must not run while frames are being collected.
    std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

    /// Hands every frame that came back to `take(DevicePipeline::Returned)`, under the lock. With `for_oldest`, sends what was gathered and waits
    /// for the oldest batch; false if there was nothing to wait for.
    template <class Take> bool collect(DevicePipeline::Wait wait, Take &&take)
    {
        const std::lock_guard lock(mutex_);
        if (wait == DevicePipeline::Wait::for_oldest) {
            pipeline_->submit();
            if (pipeline_->in_flight() == 0)
                return false;
        }
        returned_.clear();
        pipeline_->collect(wait, returned_);
        for (const DevicePipeline::Returned &frame : returned_) {
            if (failure_.ok())
                failure_ = frame.status;
            take(frame);
        }
        return true;
    }

    /// The first failure of a frame that was taken in: it ends reading (spec cuda 3).
    Status failure()
    {
        const std::lock_guard lock(mutex_);
        return failure_;
    }

  private:
    std::mutex mutex_;
    std::unique_ptr<DevicePipeline> pipeline_;
    std::vector<DevicePipeline::Returned> returned_; ///< of the collection under way
    Status failure_;
};

} // namespace vmaf
