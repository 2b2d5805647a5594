#pragma once

#include <cstddef>
#include <vector>

#include "base/device_plane.h"
#include "base/reuse_pool.h"
#include "engine/frame.h"

namespace vmaf {

/// Of rows of samples in memory of devices, bytes.
inline constexpr std::size_t kDeviceRowAlignment = 256;

/// A picture's planes of that mask on the device, and what they need to live.
struct PlanesOnDevice {
    ReuseLease memory;
    PlaneMask planes = kNoPlanes;
    DevicePlane plane[3] = {};
};

/// A device picture's plane in host memory, valid once the frame comes back, and what it needs to
/// live.
struct PlaneOnHost {
    ReuseLease memory;
    PlaneView view;
};

/// What a batch keeps for one frame until it comes back.
struct StagedFrame {
    unsigned slot = 0;
    Frame *frame = nullptr;
    FrameOf<DevicePlane> planes;
    std::vector<ReuseLease> uploads; ///< what the planes need to live

    /// The frame's share of the feature, null if it is not due.
    const Frame::Work *work_of(const SessionFeature &feature) const
    {
        for (const Frame::Work &work : frame->due)
            if (work.feature == &feature)
                return &work;
        return nullptr;
    }
};

} // namespace vmaf
